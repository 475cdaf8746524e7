"""A recogniser of this process that really listens to ``tone_speech``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np

from search_core.domain import Recogniser, RecogniserKind, RecognizedPiece, RecognizedSegment, SoundForm
from tests.loopback.tone_speech import hear


async def _go_on(_: str) -> None:
    """Let a checkpoint pass."""


class Listener:
    """Hears bare samples; *checkpoint* is called before and after each piece."""

    recogniser = Recogniser(RecogniserKind.LOCAL, "listener")
    forms = (SoundForm.PCM,)
    at_once = 1

    def __init__(self, piece_s: float = 10.0, checkpoint: Callable[[str], Awaitable[None]] = _go_on) -> None:
        self.piece_s, self._checkpoint = piece_s, checkpoint
        self.asked = 0

    def missing(self) -> str:
        return ""

    async def recognise(self, sound: Path, form: SoundForm, *, language: str, moments: bool) -> RecognizedPiece:
        assert form is SoundForm.PCM
        self.asked += 1
        await self._checkpoint(f"asked {self.asked}")
        heard = tuple(RecognizedSegment(*each) for each in hear(np.fromfile(sound, "<i2")))
        await self._checkpoint(f"heard {self.asked}")
        return RecognizedPiece(text=" ".join(each.text for each in heard), segments=heard, language="ko")

    def close(self) -> None:
        pass
