"""What turns a piece of sound into words, on a server or on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from search_core.domain import Recogniser, RecognizedPiece, SoundForm


class SpeechRecogniser(Protocol):
    """Turns pieces of sound into words; on one event loop, cancelled with its task."""

    @property
    def recogniser(self) -> Recogniser:
        """Return the recogniser's name for readers of the transcript."""
        ...

    @property
    def forms(self) -> tuple[SoundForm, ...]:
        """Return what it may take, the form it likes best first."""
        ...

    @property
    def piece_s(self) -> float:
        """Return how long pieces are cut for it, in seconds: what is lost when it breaks off."""
        ...

    @property
    def at_once(self) -> int:
        """Return how many requests it is asked at the same time."""
        ...

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
