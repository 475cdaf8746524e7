"""The origin of a transcript in words, so that recognised speech is not read as written text."""

from __future__ import annotations

from search_core.domain import TranscriptOrigin, VideoContext
from search_core.presenting.wording import LANGUAGES, language_name

UNCERTAIN = "음성 인식 불확실"
"""Mark of text that a recogniser is uncertain of."""
_SAMPLE = "예시로 쓴 자막"
_ORIGINS = {
    TranscriptOrigin.UNKNOWN: "만든 방법을 모르는 자막",
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
_NAMES = {**LANGUAGES, "ko": "한국어", "en": "영어"}


def transcript_source(video: VideoContext) -> str:
    """Return where the transcript of *video* is from, as ``자동 자막 · 영어``; empty when it has none."""
    if not video.transcript:
        return ""
    origin = _SAMPLE if video.sample else _ORIGINS[video.transcript_origin]
    if video.transcript_origin is TranscriptOrigin.RECOGNITION and video.transcript_model:
        origin = f"{origin}({video.transcript_model})"
    language = _NAMES.get(video.language) or language_name(video.language)
    return f"{origin} · {language}" if video.language else origin


def transcript_caution(video: VideoContext) -> str:
    """Return what a reader of a transcript made by a machine should know; empty for any other."""
    return _CAUTIONS.get(video.transcript_origin, "") if video.transcript and not video.sample else ""
