"""Speech into text and text into speech: ``POST /audio/transcriptions`` and ``POST /audio/speech`` (read in openai 3.52).

Names of models are settings, never defaults here: the ones everybody used until now are shut down early in 2027.
"""

from __future__ import annotations

import asyncio
from pathlib import PurePath

import openai

from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.endpoint import Endpoint, retry_connect
from search_core.llm.failures import CLIENT_ERRORS, model_error, to_model_error, unreadable_answer

MAX_AUDIO_BYTES = 25_000_000
MAX_SPOKEN_CHARS = 4096
"""The API reads no more than this aloud."""
AUDIO_SUFFIXES = frozenset({".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm"})

_MAX_TRANSCRIPT_BYTES = 1_000_000
_MAX_SPEECH_BYTES = 32 * 1024 * 1024
"""4096 characters are some five minutes, 15 MB even where they come unpacked."""


async def transcribe(endpoint: Endpoint, model: str, name: str, data: bytes, language: str) -> str:
    """Return what is said in *data*; see ``OpenAICompatible.transcribe``."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in AUDIO_SUFFIXES:
        raise model_error(
            Kind.REJECTED, f"Audio of the kind {suffix!r} is not taken.", korean="이 형식의 음성은 받아 적을 수 없어요."
        )
    if not data:
        raise model_error(Kind.REJECTED, "The audio is empty.", korean="녹음된 소리가 없어요.")
    if len(data) > MAX_AUDIO_BYTES:
        raise model_error(Kind.REJECTED, "The audio is larger than 25 MB.", korean="음성이 25MB보다 커서 받아 적을 수 없어요.")
    try:
        async with asyncio.timeout(endpoint.total_s), endpoint.client(max_bytes=_MAX_TRANSCRIPT_BYTES) as client:
            transcription: object = await retry_connect(
                lambda: client.audio.transcriptions.create(
                    file=(f"audio{suffix}", data),  # the user's own file name stays here
                    model=model,
                    language=language or openai.omit,
                    response_format="json",
                )
            )
    except CLIENT_ERRORS as error:
        raise to_model_error(error) from None
    text = getattr(transcription, "text", None)
    if not isinstance(text, str):
        raise unreadable_answer("no text of the audio")
    return " ".join(text.split())


async def speak(endpoint: Endpoint, model: str, voice: str, text: str) -> bytes:
    """Return *text* read aloud; see ``OpenAICompatible.speak``."""
    if not text.strip():
        raise model_error(Kind.REJECTED, "There is no text to read aloud.", korean="읽을 내용이 없어요.")
    if len(text) > MAX_SPOKEN_CHARS:
        raise model_error(Kind.REJECTED, "The text is too long to be read aloud.", korean="답이 너무 길어 소리로 읽을 수 없어요.")
    try:
        async with asyncio.timeout(endpoint.total_s), endpoint.client(max_bytes=_MAX_SPEECH_BYTES) as client:
            spoken = await retry_connect(
                lambda: client.audio.speech.create(model=model, voice=voice, input=text, response_format="mp3")
            )
            kind = spoken.response.headers.get("content-type", "").partition(";")[0].strip().lower()
            sound = spoken.content
    except CLIENT_ERRORS as error:
        raise to_model_error(error) from None
    if not sound or not (kind.startswith("audio/") or kind == "application/octet-stream"):
        raise unreadable_answer("no audio")
    return sound
