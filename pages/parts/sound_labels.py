"""What the pages say about turning speech into a transcript."""

from __future__ import annotations

from search_core.domain import RecogniserKind, TranscriptionPhase

FILE_LABEL = "자막 (SRT, VTT, JSON, TXT · {megabytes}MB까지) 또는 영상·소리 ({sound}, {hours:g}시간까지)"
FILE_REFUSED = "올리지 못한 파일이 있어요. 자막은 {megabytes}MB, 영상과 소리는 {sound}까지 하나씩 올릴 수 있어요."
FILE_KIND = "“{name}” 파일은 읽을 수 없는 종류예요. 자막(SRT, VTT, JSON, TXT)이나 영상·소리 파일을 올려 주세요."
ONE_SOUND = "영상이나 소리 파일은 하나만 올려 주세요."
UNDER_WAY = "이미 받아 적고 있는 파일이 있어요. 끝나거나 멈춘 뒤에 올려 주세요."
NOT_SET = "자막이 없는 영상과 소리 파일은 지금 받아 적을 수 없어요. {why}"
HOW_TO_SET = "관리자가 OPENAI_TRANSCRIPTION_MODEL이나 WHISPER_MODEL을 정하면 켜져요. 그때까지는 자막 파일을 올려 주세요."
NOTE = {
    RecogniserKind.ENDPOINT: "MP4, WebM, MKV, MP3, M4A, WAV, OGG 파일은 소리를 음성 인식({model}) 서버로 보내서 받아 적어요.",
    RecogniserKind.LOCAL: "MP4, WebM, MKV, MP3, M4A, WAV, OGG 파일은 음성 인식({model})으로 이 서버 안에서 받아 적어요.",
}
PHASES = {
    TranscriptionPhase.WAITING: "차례를 기다리고 있어요",
    TranscriptionPhase.FETCHING: "영상의 소리를 가져오고 있어요",
    TranscriptionPhase.CHECKING: "파일을 살펴보고 있어요",
    TranscriptionPhase.LISTENING: "받아 적고 있어요",
}
PLACE_OPEN = "까지"
KEPT = "앞서 끝낸 데까지는 건너뛰었어요."
AWAY = "다른 페이지에 다녀와도 계속 받아 적어요."
CANCEL = "받아 적기 멈추기"
READY = "“{name}” 받아 적기를 마쳤어요."
OPEN = "받아 적은 영상 열기"
GONE = "서버가 다시 시작되어 받아 적기가 멈췄어요. 파일을 다시 올리면 끝낸 데까지는 건너뛰고 이어서 해요."
LISTEN = "소리를 받아 적을게요"
LISTEN_FILE = "영상 파일이 있으면 ‘다른 영상’의 파일 탭에 올려서 받아 적을 수 있어요."
LISTEN_HELP = "영상의 소리를 내려받아 음성 인식으로 자막을 만들어요."
