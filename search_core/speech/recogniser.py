"""What turns a piece of sound into words, on a server or on this machine, asked again where that can help."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from search_core.domain import Recogniser, RecognizedPiece, SoundForm
from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.speech.cutting import TimeSpan
from search_core.speech.sound import Piece, Sound

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""
_TRIES = {Kind.RATE_LIMITED: 5, Kind.UNAVAILABLE: 4, Kind.UNREACHABLE: 4, Kind.TIMEOUT: 2, Kind.UNREADABLE: 2, Kind.CUT: 2}
"""Nobody waits for one piece as for a page: a transcription takes minutes anyway."""
_FIRST_PAUSE_S = 1.0
MAX_PAUSE_S = 60.0
"""A longer Retry-After is not waited for: the transcription ends, and what is done stays stored."""


class SpeechRecogniser(Protocol):
    """Turns pieces of sound into words; on one event loop, cancelled with its task."""

    recogniser: Recogniser
    """Its name for readers of the transcript."""
    forms: tuple[SoundForm, ...]
    """What it may take, the form it likes best first."""
    piece_s: float
    """How long pieces are cut for it, in seconds: what is lost when it breaks off."""
    at_once: int
    """How many requests it is asked at the same time."""

    def missing(self) -> str:
        """Return a Korean sentence saying what is not here, or an empty text when it can be asked; sends no request."""
        ...

    async def recognise(self, sound: Path, form: SoundForm, *, language: str, moments: bool) -> RecognizedPiece:
        """Return what is said in the piece at *sound*; with *moments*, when.

        Raises LanguageModelError with its kind, and its ``status`` where an HTTP answer refused.
        """
        ...

    def close(self) -> None:
        """End what belongs to it."""
        ...


class Asker:
    """Sends stretches of sound to one recogniser, a few at a time; on one event loop."""

    def __init__(self, recogniser: SpeechRecogniser, sound: Sound, *, language: str, pause: Pause = asyncio.sleep) -> None:
        self.recogniser = recogniser
        self._sound, self._language, self._pause = sound, language, pause
        self._turns = asyncio.Semaphore(recogniser.at_once)

    async def ask(self, piece: Piece, stretch: TimeSpan, form: SoundForm, *, moments: bool) -> RecognizedPiece:
        """Return what is said in *stretch* of *piece*, its moments in seconds from the start of the stretch.

        Raises LanguageModelError when the last try has failed, and TranscriptionError when the sound cannot be written.
        """
        async with self._turns:
            path = await self._sound.encode(piece, stretch, form)
            try:
                return await self._try(lambda: self.recogniser.recognise(path, form, language=self._language, moments=moments))
            finally:
                path.unlink(missing_ok=True)

    async def _try(self, ask: Callable[[], Awaitable[RecognizedPiece]]) -> RecognizedPiece:
        tries = 1
        while True:
            try:
                return await ask()
            except LanguageModelError as error:
                if tries >= _TRIES.get(error.kind, 1):
                    raise
                pause_s = _FIRST_PAUSE_S * 2 ** (tries - 1) * random.uniform(0.5, 1)  # noqa: S311 - no secret
                pause_s = max(pause_s, error.retry_after_s or 0.0)
                if pause_s > MAX_PAUSE_S:
                    raise
            tries += 1
            await self._pause(pause_s)
