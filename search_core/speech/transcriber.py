"""One transcription: the job for the page, and its work (decode, recognise piece by piece, store)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import partial

from pydantic import TypeAdapter, ValidationError

from search_core.domain.transcription import RecognizedPiece, Stretch, Transcription, TranscriptionProgress
from search_core.domain.video import TranscriptSegment
from search_core.errors import MaekrakError, TranscriptionFailure
from search_core.job import Job
from search_core.speech.recogniser import SpeechRecogniser, read_piece
from search_core.speech.sound import Sound, refuse
from search_core.storage.cache_file import CacheFile


class TranscriptionJob(Job[TranscriptionProgress]):
    """One transcription, started in the background; it has cleaned up when it ends."""

    def __init__(self, name: str, cancel: Callable[[], object], owner: str) -> None:
        """Take the user's name of the source; *cancel* stops processes and requests, and finished pieces stay stored."""
        super().__init__(TranscriptionProgress(), cancel, owner)
        self.name = name
        self.error: MaekrakError | None = None
        """Why there is no transcript, with ``korean`` for the page; of kind CANCELLED if it was cancelled."""
        self._transcription: Transcription | None = None

    def result(self) -> Transcription:
        """Return the transcript, waiting for it; raises ``error``."""
        self._ended.wait()
        if self.error is not None:
            raise self.error
        assert self._transcription is not None
        return self._transcription

    def end(self, outcome: Transcription | MaekrakError) -> None:
        """Record the end; called once, by the service."""
        if isinstance(outcome, Transcription):
            self._transcription = outcome
        else:
            self.error = outcome
        self._ended.set()


DAMAGED_KOREAN = "파일의 일부가 깨져 있어서, 읽을 수 있는 데까지만 받아 적었어요."
VERSION = 5
"""Of how sound is cut: what another version kept is not taken."""
KEPT_S = 90 * 86_400.0
_MAX_PIECE_BYTES = 4 << 20
"""Half an hour of speech is some 60 KB."""
_PIECE: TypeAdapter[RecognizedPiece] = TypeAdapter(RecognizedPiece)


async def transcribe(
    sound: Sound, recogniser: SpeechRecogniser, store: CacheFile, note: Callable[[TranscriptionProgress], object]
) -> Transcription:
    """Return what *recogniser* hears in *sound*, with *note* of each step; raises LanguageModelError and TranscriptionError.

    What *store* keeps of its pieces is not heard again.
    """

    def tell(start_s: float, done_s: float = 0.0) -> None:
        note(TranscriptionProgress(listening=True, done_s=start_s + done_s, total_s=sound.declared_s))

    tell(0.0)
    name = recogniser.recogniser
    parts = str(VERSION), await asyncio.to_thread(sound.digest), name.kind, name.model, f"{recogniser.piece_s:g}"
    segments: list[TranscriptSegment] = []
    unheard: list[Stretch] = []
    language, warning = "", ""
    end_s = 0.0
    async for start_s, end_s, path in sound.pieces(recogniser.piece_s):
        key = hashlib.sha256("\0".join((*parts, f"{start_s:g}")).encode("utf-8", "replace")).digest()
        stored = await asyncio.to_thread(_recall, store, key)
        piece = stored or await recogniser.recognise(path, on_progress=partial(tell, start_s))
        words, gaps = read_piece(piece, start_s, end_s)
        if stored is None:
            await asyncio.to_thread(store.write, {key: _PIECE.dump_json(piece)}, KEPT_S)
        await asyncio.to_thread(path.unlink)
        segments += words
        unheard += gaps
        language, warning = language or piece.language, warning or piece.warning
        tell(end_s)
    if not end_s:
        raise refuse(TranscriptionFailure.NOT_MEDIA, "No sound could be decoded.")
    note(TranscriptionProgress(listening=True, done_s=end_s, total_s=end_s))
    return Transcription(
        segments=tuple(segments),
        recogniser=name,
        language=language,
        duration_s=end_s,
        unheard=tuple(unheard),
        warnings=tuple(filter(None, (warning, DAMAGED_KOREAN if sound.damaged else ""))),
    )


def _recall(store: CacheFile, key: bytes) -> RecognizedPiece | None:
    """Return what *store* keeps of a piece; None for what an earlier version wrote in another form."""
    stored = store.read([key], _MAX_PIECE_BYTES).get(key)
    try:
        return None if stored is None else _PIECE.validate_json(stored)
    except ValidationError:
        return None
