"""Transcribes long speech at an OpenAI-compatible endpoint: ``POST /audio/transcriptions`` with times (openai 3.52)."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

from search_core.domain.transcription import Recogniser, RecogniserKind, RecognizedPiece
from search_core.domain.video import TranscriptSegment
from search_core.models.llm.endpoint import Endpoint
from search_core.models.llm.failures import unreadable_answer
from search_core.settings import Settings

_NAMES = (
    "english:en, chinese:zh, german:de, spanish:es, russian:ru, korean:ko, french:fr, japanese:ja, portuguese:pt, "
    "turkish:tr, polish:pl, dutch:nl, arabic:ar, italian:it, indonesian:id, hindi:hi, vietnamese:vi, thai:th, mongolian:mn"
)
_CODES = dict(pair.split(":") for pair in _NAMES.split(", "))
"""Common languages as Whisper names them (its tokenizer, 2023): OpenAI answers with the name, other servers with the code."""
_MAX_ANSWER_BYTES = 16_000_000
"""Ten minutes of speech are some 10,000 characters; with words and tokens, which some servers add, a hundred times that."""
_RETRIES = 4
"""Retries for one piece of sound; many, because a transcription takes minutes anyway."""
_UNLIKELY = -0.3
"""Mean log probability below which a segment is uncertain; this finds two thirds of those with errors (docs/speech.md)."""


def language_code(language: str) -> str:
    """Return the ISO 639-1 code of *language*, a name or a code; empty for others."""
    name = language.strip().lower()
    if name in _CODES:
        return _CODES[name]
    code = name.partition("-")[0]
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""


class EndpointRecogniser:
    """Asks the transcription model of one endpoint; holds no connection between requests."""

    piece_s = 600.0

    def __init__(self, settings: Settings, *, limit_s: float) -> None:
        """Take address, key and model from *settings*, and wait *limit_s* seconds for a piece; sends no request."""
        self._endpoint = Endpoint(settings, timeout_s=limit_s)
        self._model = settings.openai_transcription_model
        self.recogniser = Recogniser(RecogniserKind.ENDPOINT, self._model)

    def missing(self) -> str:
        """Return a Korean sentence about a missing setting, or an empty text; sends no request."""
        if self._model and self._endpoint.base_url:
            return ""
        return (
            "음성을 받아 적을 모델이 설정되지 않았어요. 서버의 OPENAI_BASE_URL과 OPENAI_TRANSCRIPTION_MODEL이나 WHISPER_MODEL을 "
            "설정하거나 자막 파일을 올려 주세요."
        )

    async def recognise(self, sound: Path, *, on_progress: object) -> RecognizedPiece:  # noqa: ARG002
        """Return the transcript of the WAV file *sound*; raises LanguageModelError.

        If the endpoint is busy or unreachable, the client retries after the pause it names, or after growing ones.
        """
        data = await asyncio.to_thread(sound.read_bytes)
        answer: object = await self._endpoint.ask(
            lambda client: client.with_options(max_retries=_RETRIES).audio.transcriptions.create(
                file=("audio.wav", data),  # the user's own file name stays here
                model=self._model,
                response_format="verbose_json",
                timestamp_granularities=["segment"],
            ),
            max_bytes=_MAX_ANSWER_BYTES,
        )
        return _read_answer(answer)

    def close(self) -> None:
        """Do nothing: no connection stays open."""


def _read_answer(answer: object) -> RecognizedPiece:
    """Return the recognised piece in *answer*, whatever its shape; raises LanguageModelError."""
    text, listed, language = (getattr(answer, name, None) for name in ("text", "segments", "language"))
    if not isinstance(text, str):
        raise unreadable_answer("no text of the audio")
    untimed = (TranscriptSegment(math.nan, math.nan, text),) if text.strip() else ()
    return RecognizedPiece(
        segments=_segments(listed) if isinstance(listed, list) and listed else untimed,
        language=language_code(language) if isinstance(language, str) else "",
    )


def _segments(listed: list[Any]) -> tuple[TranscriptSegment, ...]:
    segments = []
    for entry in listed:
        start_s, end_s, avg_logprob = (_number(getattr(entry, name, None)) for name in ("start", "end", "avg_logprob"))
        text = getattr(entry, "text", None)
        if isinstance(text, str) and text.strip():
            segments.append(TranscriptSegment(start_s, end_s, " ".join(text.split()), avg_logprob < _UNLIKELY))
    return tuple(segments)


def _number(value: object) -> float:
    """Return *value* as a number, or not-a-number, which the check of moments refuses."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
