"""Korean texts that several places say or that are too long for theirs, and lengths in words."""

from __future__ import annotations

import math

from search_core.domain import PartOrigin

BRAND, TITLE = "맥락", "맥락 · 영상의 맥락으로 찾는 검색"
WHAT_IT_DOES = (
    ":material/subtitles: 자막에서 **인물·기업·행사**를 알아내 “이 회사”, “그 발표” 같은 말을 풀어서 검색해요",
    ":material/travel_explore: 여러 검색 서비스와 내 자료를 **한 번에** 찾고, 영상과 관련 있는 순서로 보여줘요",
    ":material/play_circle: 결과마다 **출처와 점수 근거**, 영상 속 관련 **장면**을 붙여요",
)
LOGIN, LOGIN_WITH, LOGOUT = "로그인", "{name} 계정으로 로그인", "로그아웃"
LOGIN_NOBODY = "로그인한 계정에서 사용자를 구분할 정보를 받지 못했어요. 이메일을 확인한 계정으로 다시 로그인해 주세요."
LOGIN_NOT_INSTALLED = "로그인에 필요한 Authlib이 설치되지 않았어요. 서버에서 make login을 실행해 주세요."
OPEN_TITLE = "내 영상 열기"
TAB_URL, TAB_FILE, TAB_TYPED = "YouTube", "파일", "직접 입력"
FILE_LABEL = "자막 파일 (SRT, VTT, JSON, TXT · {megabytes}MB까지)"
SOUND_FILE_LABEL = "자막 (SRT, VTT, JSON, TXT · {megabytes}MB까지) 또는 영상·소리 ({sound}, {hours:g}시간까지)"
FILE_REFUSED = "올리지 못한 파일이 있어요. 파일 하나는 {megabytes}MB까지 올릴 수 있어요."
SOUND_FILE_REFUSED = "올리지 못한 파일이 있어요. 자막은 {megabytes}MB, 영상과 소리는 {sound}까지 하나씩 올릴 수 있어요."
UPLOADS_FULL = "올린 파일이 너무 많아요. 페이지를 새로 연 뒤에 다시 올려 주세요."
UPLOADS_BUSY = "지금은 여러 사람이 파일을 올리고 있어요. 잠시 뒤에 다시 올려 주세요."
FILE_KIND = "“{name}” 파일은 읽을 수 없는 종류예요. SRT, VTT, JSON, TXT 파일을 올려 주세요."
SOUND_FILE_KIND = "“{name}” 파일은 읽을 수 없는 종류예요. 자막(SRT, VTT, JSON, TXT)이나 영상·소리 파일을 올려 주세요."
ONE_SOUND = "영상이나 소리 파일은 하나만 올려 주세요."
UNDER_WAY = "이미 받아 적고 있는 파일이 있어요. 끝나거나 멈춘 뒤에 올려 주세요."
TYPED_NAME = "직접 입력"
UNTITLED = "제목 없는 영상"
NO_PLAYER = "이 영상은 여기서 재생할 수 없어서 자막만 보여드려요."
SAMPLE_NOTE = "직접 써서 넣은 예시라서 재생할 영상은 없어요."
EDIT = "영상 정보 고치기"
TRANSCRIPT = "자막"
TRANSCRIPT_SEARCH = "자막에서 찾기"
VIDEO_FOLD = "영상 정보와 자막"
MOVED = "위쪽 영상을 {time}로 옮겼어요"
QUESTION = "질문"
QUESTION_HINT_FREE = "YouTube 주소나 파일을 넣거나, 궁금한 것을 물어보세요"
MEMORY = "앞선 질문 {count}개를 함께 참고해요"
REFERENT = "‘{word}’ = **{meaning}**"
REFERENT_UNKNOWN = "‘{word}’: 무엇을 가리키는지 알 수 없었어요. 이름을 넣어 다시 물어봐 주세요."
ORIGINS: dict[PartOrigin, str] = {
    PartOrigin.QUESTION: "질문",
    PartOrigin.SPEAKER: "영상 인물",
    PartOrigin.ORGANIZATION: "영상 기업·기관",
    PartOrigin.EVENT: "행사",
    PartOrigin.TITLE: "영상 제목",
    PartOrigin.TRANSCRIPT: "자막",
    PartOrigin.MEMORY: "앞선 질문",
    PartOrigin.DATE: "날짜",
}
CLAIM_HELP = "영상 확인에서 이 말 하나를 골라 둬요. 확인은 거기서 시작해요."
TO_CHAT_HELP = "대화에서 이 질문을 바로 물어봐요."
PHASES = {
    "understanding": "질문을 이해하고 있어요",
    "asking": "검색 서비스에 묻고 있어요",
    "scoring": "영상과의 관련도를 재고 있어요",
    "summarizing": "외국어 자료를 정리하고 있어요",
}
NEWER_SHOW = "순서대로 보기"
NEWER_BETTER, NEWER_SHOW_BETTER = "의미까지 보고 다시 채점했어요", "더 정확한 순서로 보기"
STOPPED_KEPT = "검색을 멈췄어요. 앞서 찾은 결과를 그대로 두었어요."
VIDEO_GONE = "이 주소의 영상을 찾을 수 없어요. 오래되어 지워졌거나 다른 사람이 연 영상일 수 있어요. 다시 열어 주세요."
GONE = "이 주소의 검색을 찾을 수 없어요. 지워졌거나, 끝나기 전에 서버가 다시 시작되었을 수 있어요. 질문은 그대로 두었어요."
STATUSES = {
    "success": "성공",
    "no_results": "결과 없음",
    "api_key_missing": "키 없음",
    "invalid_api_key": "키가 맞지 않음",
    "quota_exhausted": "사용량 소진",
    "rate_limited": "요청 한도 초과",
    "blocked": "접속 막힘",
    "network_error": "연결 안 됨",
    "timeout": "시간 초과",
    "not_awaited": "기다리지 않음",
    "invalid_response": "읽을 수 없는 답",
    "cooling_down": "쉬는 중",
    "unknown_error": "알 수 없는 오류",
}
RUN_FINISH, RUN_STOP = "지금까지로 마무리", "중지"
QUOTED_VIDEO, QUOTED_VIDEO_AT, WEB = "영상", "영상 {moment}", "웹"
JUDGES_HELP = (
    "규칙은 숫자·날짜·이름을 견주고, 의미 모델은 다른 말로 쓴 같은 뜻을 읽어요. 괄호 안은 그 모델이 본 확률이에요. "
    "언어 모델은 둘이 가리지 못한 것을 봐요."
)
OWN_NOTE = "웹이 아니라, 이 앱에 넣어 둔 문서에서 찾았어요."
OWN_NOT_SENT = "문서의 글은 언어 모델에 보내지 않아요."
WHY_ENTITIES = "영상에서 나온 이름: {names}"
WHY_SEEN = "본 곳: {places}"
THRESHOLD_HELP = "이보다 낮은 결과는 숨겨요. 다시 검색하지 않고 바로 바뀌어요."
HISTOGRAM_ALT = "이번 검색 결과 {count}건의 점수 분포. 기준은 {threshold}점. {groups}."
ENTITY_FIRST_HELP = "영상의 인물·기업·행사가 나온 결과를 앞에 놓아요. 점수는 그대로예요."
RESULT_COUNT_HELP = "기준을 넘은 결과를 이만큼까지 보여줘요. 나머지는 숨긴 결과에 있어요."
WEIGHT_NAMES = {"recency": "최신 가중"}
"""Labels of the sliders whose name differs from the part's."""
WEIGHT_HELP = {
    "semantic_question": "질문과 뜻이 가까운 결과일수록 점수를 높여요.",
    "semantic_video": "영상에서 하는 이야기와 뜻이 가까운 결과일수록 점수를 높여요.",
    "lexical": "질문의 낱말이 많이 들어 있는 결과일수록 점수를 높여요.",
    "entity": "영상의 인물·기업·행사가 나오는 결과의 점수를 높여요.",
    "agreement": "검색 서비스들이 위쪽에 보여준 결과는 점수를 높이고, 아래쪽 결과는 낮춰요.",
    "recency": "최근에 나온 결과는 점수를 높이고, 오래된 결과는 낮춰요. 날짜를 모르는 결과는 그대로예요.",
}
EXPORT = "내보내기"
EXPORTS = ("markdown", "csv", "json")
SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}
SCORER_LOADING = "지금은 단어로 정렬했어요. 의미 모델을 준비하고 있어요."
SCORED_BY_MODEL = "지금 보이는 점수는 의미 모델로 매긴 그대로예요. 새로 검색하면 의미 모델이 돌아올 때까지 단어로 채점해요."
SCORER_LOADING_OTHER = "지금은 함께 들어 있는 의미 모델로 채점했어요. 고른 모델이 준비되면 다시 채점해요."
SCORER_RESCORING_OTHER = "다른 의미 모델로 다시 채점하고 있어요."
SCORER_NOT_RESCORED = "의미 모델이 답하지 않아 단어로 정렬한 순서를 그대로 두었어요."
LOOK_UP_HELP = "모델 저장소에 {model} 모델의 크기를 물어봐요. 내려받기는 그다음에 따로 눌러야 시작해요."
OFFERED_PART = "{model} · {total} 가운데 {here}를 받아 두었어요 · 디스크에 남은 공간 {free}"
FETCH = "내려받기 ({missing})"
FETCH_HELP = "받는 동안에도 지금 방식으로 검색할 수 있어요. 다 받으면 이 모델로 다시 채점해요."
FETCH_AGAIN = "다시 시도"
SEE_HEALTH = "검색 상태 보기"
VIDEO_ONLY_NONE = "웹 없이 계속해요. 영상 자막에서 이 질문과 관련된 부분을 찾지 못했어요."
NOTHING_TRIED = "이렇게 찾아봤어요: {queries}"


def span(seconds: float) -> str:
    """Return a stretch of time as ``40초`` or, from a minute on and rounded up, ``2분``."""
    if seconds < 60:
        return f"{math.ceil(seconds)}초"
    return f"{math.ceil(seconds / 60)}분"


def weight(count: int) -> str:
    """Return a number of bytes as ``470MB`` or, from a thousand of those on, ``1.2GB``; less than one counts as one."""
    megabytes = math.ceil(count / 1e6)
    return f"{count / 1e9:,.1f}GB" if megabytes >= 1000 else f"{megabytes}MB"
