"""What turns a piece of sound into words, whoever does it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from search_core.domain import HeardPiece, Recogniser


class SoundForm(StrEnum):
    """Names how a piece of sound is written; mono, 16,000 samples a second."""

    OGG = "ogg"
    """Opus in Ogg, some 28 kbit/s."""
    MP3 = "mp3"
    """Where an endpoint does not know Opus, some 32 kbit/s."""
    PCM = "pcm"
    """Bare samples of 16 bits, little end first."""


class SpeechRecogniser(Protocol):
    """Turns pieces of sound into words; on one event loop, cancelled with its task."""

    recogniser: Recogniser
    """Whom a reader of the transcript is told of."""
    forms: tuple[SoundForm, ...]
    """What it may take, the one it likes best first."""

    def missing(self) -> str:
        """Return a Korean sentence saying what is not here, or an empty text when it can be asked; asks nobody."""
        ...

    async def recognise(self, sound: Path, form: SoundForm, *, language: str, moments: bool) -> HeardPiece:
        """Return what is said in the piece at *sound*; with *moments*, when.

        Raises LanguageModelError with its kind, its ``status`` where an HTTP answer refused.
        """
        ...

    def close(self) -> None:
        """End what belongs to it."""
        ...
