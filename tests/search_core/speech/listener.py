"""A recogniser of this process that really listens to ``tone_speech``."""

from __future__ import annotations

from pathlib import Path

from search_core.domain.transcription import Recogniser, RecogniserKind, RecognizedPiece
from search_core.domain.video import TranscriptSegment
from search_core.speech.recogniser import OnProgress
from tests.loopback.speech_endpoint import samples_in
from tests.loopback.tone_speech import hear


class Listener:
    """Hears pieces of *piece_s* seconds."""

    recogniser = Recogniser(RecogniserKind.LOCAL, "listener")

    def __init__(self, piece_s: float = 10.0) -> None:
        self.piece_s = piece_s

    def missing(self) -> str:
        return ""

    async def recognise(self, sound: Path, *, on_progress: OnProgress) -> RecognizedPiece:
        heard = tuple(TranscriptSegment(*each) for each in hear(samples_in(str(sound))))
        return RecognizedPiece(segments=heard, language="ko")

    def close(self) -> None:
        pass
