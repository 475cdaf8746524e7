"""Words for texts: languages, origins of transcripts, own documents, pointing words, unsupported sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from search_core.domain.query import Referent
from search_core.domain.scorer import LibraryPhase, LibraryState
from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.language.korean.particles import join_particle
from search_core.video.address import youtube_video_id

if TYPE_CHECKING:
    from search_core.domain.conversation import OwnDocumentsFound
    from search_core.domain.stance import JudgingCost

LANGUAGES = {
    "en": "영문",
    "ja": "일본어",
    "zh": "중국어",
    "ru": "러시아어",
    "ar": "아랍어",
    "fr": "프랑스어",
    "de": "독일어",
    "es": "스페인어",
    "pt": "포르투갈어",
    "it": "이탈리아어",
    "vi": "베트남어",
}
UNSUPPORTED = " (출처에서 확인하지 못한 문장)"
READ = {True: "본문을 읽음", False: "본문을 읽지 못해 요약만 봄", None: "요약만 봄"}
"""How a source was read: True if its page was read, False if that failed, None if it was not tried."""
UNTITLED_VIDEO = "제목 없는 영상"
UNCERTAIN = "음성 인식 불확실"
"""Mark of text that a recogniser is uncertain of."""
_SAMPLE = "예시로 쓴 자막"
_ORIGINS = {
    TranscriptOrigin.UNKNOWN: "자막 (출처 미상)",
    TranscriptOrigin.PEOPLE: "사람이 만든 자막",
    TranscriptOrigin.AUTOMATIC: "자동 자막",
    TranscriptOrigin.TRANSLATED: "기계 번역 자막",
    TranscriptOrigin.RECOGNITION: "음성 인식",
    TranscriptOrigin.PLAIN_TEXT: "붙여 넣은 글",
}
_CAUTIONS = {
    TranscriptOrigin.AUTOMATIC: "기계가 듣고 받아 적은 자막이라 이름과 숫자가 틀릴 수 있어요.",
    TranscriptOrigin.TRANSLATED: "다른 말의 자막을 기계가 옮긴 것이라 영상에서 한 말과 다를 수 있어요.",
    TranscriptOrigin.RECOGNITION: "소리를 기계가 받아 적은 것이라 이름과 숫자가 틀릴 수 있어요.",
}
_LANGUAGE_NAMES = {**LANGUAGES, "ko": "한국어", "en": "영어"}
WITHOUT_WEB = "웹 없이 덧붙인 답"
_LIBRARY_SENTENCES = {
    LibraryPhase.EMPTY: "",
    LibraryPhase.WORDS_ONLY: "내 자료는 단어로만 찾아요. {reason}",
    LibraryPhase.LOADING: "내 자료는 아직 단어로만 찾아요. 뜻으로 찾는 데 쓸 의미 분석 모델을 준비하고 있어요.",
    LibraryPhase.FILLING: "내 자료를 단어로 찾고, 뜻으로는 준비된 {percent}%에서 찾아요. 나머지는 앱이 켜져 있는 동안 준비돼요.",
    LibraryPhase.READY: "내 자료를 단어와 뜻으로 찾아요.",
    LibraryPhase.STOPPED: "내 자료를 단어로 찾고, 뜻으로는 준비된 {percent}%에서만 찾아요. {reason}",
}


def language_name(code: str) -> str:
    """Return the Korean name of a language given by its ISO 639-1 code."""
    return LANGUAGES.get(code, "외국어")


def mark_unsupported(text: str, unsupported: Iterable[tuple[int, int]]) -> str:
    """Return *text* with a mark after each unsupported sentence, given by its span."""
    for _, end in sorted(unsupported, reverse=True):
        text = f"{text[:end]}{UNSUPPORTED}{text[end:]}"
    return text


def name_referent(question: str, referent: Referent, name: str) -> str:
    """Return *question* with its pointing word replaced by *name*, and its particle adapted."""
    return question[: referent.start] + "".join(join_particle(name, question[referent.end :]))


def one_line(text: str) -> str:
    """Return *text* with line breaks replaced by single spaces, otherwise unchanged."""
    lines = text.splitlines()
    return text if len(lines) < 2 and text == "".join(lines) else " ".join(line.strip() for line in lines if line.strip())


def transcript_source(video: VideoContext) -> str:
    """Return the origin of *video*'s transcript and its file format; empty without a transcript."""
    if not video.transcript:
        return ""
    origin = _SAMPLE if video.sample else _ORIGINS[video.transcript_origin]
    if video.transcript_origin is TranscriptOrigin.RECOGNITION and video.transcript_model:
        origin = f"{origin}({video.transcript_model})"
    if video.read_as and not video.sample:
        has_origin = video.transcript_origin not in (TranscriptOrigin.UNKNOWN, TranscriptOrigin.PLAIN_TEXT)
        origin = f"{origin} · {video.read_as}" if has_origin else video.read_as
    language = _LANGUAGE_NAMES.get(video.language) or language_name(video.language)
    return f"{origin} · {language}" if video.language else origin


def transcript_caution(video: VideoContext) -> str:
    """Return a caution about a machine-made transcript; empty for others."""
    return _CAUTIONS.get(video.transcript_origin, "") if video.transcript and not video.sample else ""


def moment_url(video: VideoContext | None, seconds: float) -> str:
    """Return the address of *video* from a moment on; empty if unknown."""
    video_id = youtube_video_id(video.url) if video is not None and video.url else None
    return f"https://www.youtube.com/watch?v={video_id}&t={int(seconds)}s" if video_id else ""


def sent_to_model(found: OwnDocumentsFound) -> str:
    """Return a Korean sentence on whether the language model received the texts of *found*."""
    return f"이 자료의 글은 언어 모델에 {'보냈어요' if found.to_model else '보내지 않았어요'}."


def count_sources(found: int, own: int) -> str:
    """Return how many of *found* sources are on the web, and how many are *own* documents."""
    counts = [f"출처 {found - own}개"] if found > own or not own else []
    return " · ".join([*counts, f"내 자료 {own}개"] if own else counts)


def library_line(state: LibraryState) -> str:
    """Return a sentence or two on how own documents are searched; empty without any."""
    return _LIBRARY_SENTENCES[state.phase].format(percent=state.percent, reason=state.reason).strip()


def judging_text(cost: JudgingCost, failure: str = "") -> tuple[str, ...]:
    """Return Korean sentences on the cost of a model's judging, its unused answers and failures; none without a model."""
    taken = f"언어 모델에 {cost.requests}번 물어 약 {cost.tokens:,}토큰을 썼어요." if cost.requests else ""
    refused = f"언어 모델의 판단 {cost.dropped}건은 글에서 확인되지 않아 쓰지 않았어요." if cost.dropped else ""
    return tuple(filter(None, (taken, refused, failure)))
