"""One transcription: the job for the page, and its work (decode, recognise piece by piece, store)."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from search_core.domain.transcription import RecognizedPiece, Stretch, Transcription, TranscriptionPhase, TranscriptionProgress
from search_core.domain.video import TranscriptSegment
from search_core.errors import MaekrakError, TranscriptionError, TranscriptionFailure
from search_core.errors import TranscriptionFailure as Kind
from search_core.job import Job
from search_core.speech.recogniser import SpeechRecogniser, read_piece
from search_core.speech.sound import Piece, Sound
from search_core.speech.source import refuse


class TranscriptionJob(Job[TranscriptionProgress]):
    """One transcription, started in the background; it has cleaned up when it ends."""

    def __init__(self, name: str, cancel: Callable[[], object], owner: str) -> None:
        """Take the user's name of the source; *cancel* stops processes and requests, and finished pieces stay stored."""
        super().__init__(TranscriptionProgress(), cancel, owner)
        self.name = name
        self._outcome: Transcription | MaekrakError | None = None

    @property
    def error(self) -> MaekrakError | None:
        """Return why there is no transcript, with ``korean`` for the page; None while running and on success."""
        return self._outcome if isinstance(self._outcome, MaekrakError) else None

    def result(self) -> Transcription:
        """Return the transcript, waiting for it; raises TranscriptionError, of kind CANCELLED if it was cancelled."""
        self._ended.wait()
        if isinstance(self._outcome, MaekrakError):
            raise self._outcome
        assert self._outcome is not None
        return self._outcome

    def end(self, outcome: Transcription | MaekrakError) -> None:
        """Record the end; called once, by the service."""
        whole = self.snapshot()
        if isinstance(outcome, Transcription):
            length_s = outcome.duration_s
            whole = TranscriptionProgress(phase=TranscriptionPhase.DONE, done_s=length_s, total_s=length_s)
        else:
            cancelled = isinstance(outcome, TranscriptionError) and outcome.kind is TranscriptionFailure.CANCELLED
            whole = replace(whole, phase=TranscriptionPhase.CANCELLED if cancelled else TranscriptionPhase.FAILED)
        with self._lock:
            self._outcome, self._snapshot = outcome, whole
            self._ended.set()


logger = logging.getLogger(__name__)
DAMAGED_KOREAN = "파일의 일부가 깨져 있어서, 읽을 수 있는 데까지만 받아 적었어요."
VERSION = 5
"""Of how sound is cut: what another version kept is not taken."""
KEPT_S = 90 * 86_400.0
_MAX_PIECE_BYTES = 4 << 20
"""Half an hour of speech is some 60 KB."""
_PIECE: TypeAdapter[RecognizedPiece] = TypeAdapter(RecognizedPiece)


class PieceStore(Protocol):
    """Stores bytes under keys, so that an interrupted transcription can continue; blocks and never raises."""

    def read(self, keys: Sequence[bytes], max_value_bytes: int) -> dict[bytes, bytes]:
        """Return the values stored under *keys*, except overlarge ones."""
        ...

    def write(self, values: Mapping[bytes, bytes], lasts_s: float | None = None) -> object:
        """Store *values* under their keys, for *lasts_s* seconds at most."""
        ...


class Transcriber:
    """Transcribes one sound; on one event loop."""

    def __init__(self, job: TranscriptionJob, recogniser: SpeechRecogniser, store: PieceStore) -> None:
        self._job, self._recogniser, self._store = job, recogniser, store
        self._progress = TranscriptionProgress(phase=TranscriptionPhase.LISTENING)
        self._segments: tuple[TranscriptSegment, ...] = ()
        self._unheard: tuple[Stretch, ...] = ()
        self._found = RecognizedPiece(segments=())
        self._end_s = 0.0

    async def transcribe(self, sound: Sound) -> Transcription:
        """Return the transcript of *sound*, reporting each step to the job; raises LanguageModelError and TranscriptionError."""
        self._job.note(self._progress)
        key = self._key_of(await asyncio.to_thread(sound.digest))
        self._progress = replace(self._progress, total_s=await sound.open(self._recogniser.piece_s))
        while (piece := await sound.next_piece()) is not None:
            await self._add(piece, key)
        if self._end_s == 0.0:
            raise refuse(Kind.NOT_MEDIA, "No sound could be decoded.")
        return Transcription(
            segments=self._segments,
            recogniser=self._recogniser.recogniser,
            language=self._found.language,
            duration_s=self._end_s,
            unheard=self._unheard,
            warnings=tuple(filter(None, (self._found.warning, DAMAGED_KOREAN if sound.damaged else ""))),
        )

    def _key_of(self, digest: str) -> bytes:
        asked = self._recogniser
        named = (str(VERSION), digest, asked.recogniser.kind, asked.recogniser.model, f"{asked.piece_s:g}")
        return hashlib.sha256("\0".join(named).encode("utf-8", "replace")).digest()

    async def _add(self, piece: Piece, key: bytes) -> None:
        """Recognise *piece*, unless it is stored, and append it."""
        key += f" {piece.start_s:g}".encode()
        kept = await asyncio.to_thread(self._recall, key)
        found = kept or await self._recogniser.recognise(
            piece.path, on_progress=lambda done_s: self._tell(piece.start_s + done_s)
        )
        segments, unheard = read_piece(found, piece.start_s, piece.end_s)
        if kept is None:
            await asyncio.to_thread(self._store.write, {key: _PIECE.dump_json(found)}, KEPT_S)
        await asyncio.to_thread(piece.path.unlink)
        self._segments, self._unheard = (*self._segments, *segments), (*self._unheard, *unheard)
        self._end_s = piece.end_s
        self._found = replace(
            found, language=self._found.language or found.language, warning=self._found.warning or found.warning
        )
        self._tell(piece.end_s)

    def _recall(self, key: bytes) -> RecognizedPiece | None:
        kept = self._store.read([key], _MAX_PIECE_BYTES).get(key)
        try:
            return None if kept is None else _PIECE.validate_json(kept)
        except ValidationError as error:
            logger.warning("A kept piece cannot be read: %s", type(error).__name__)
            return None

    def _tell(self, done_s: float) -> None:
        self._progress = replace(self._progress, done_s=done_s)
        self._job.note(self._progress)
