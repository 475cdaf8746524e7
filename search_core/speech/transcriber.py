"""Does the work of one transcription: fetch, decode, recognise piece by piece, keep."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from search_core.domain import (
    RecognizedSegment,
    Transcription,
    TranscriptionPhase,
    TranscriptionProgress,
    TranscriptSegment,
)
from search_core.errors import LanguageModelError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.job import TranscriptionJob
from search_core.speech.recognised import Recognised
from search_core.speech.recogniser import SHORT_S, NoMomentsError, Pause, PieceRecogniser, SpeechRecogniser
from search_core.speech.sound import Piece, Sound
from search_core.speech.source import SoundSource, YouTubeSound, refuse
from search_core.speech.stored_transcripts import StoredTranscripts, key_of
from search_core.speech.workspace import Workspaces

DAMAGED_KOREAN = "파일의 일부가 깨져 있어서, 읽을 수 있는 데까지만 받아 적었어요."
FetchSound = Callable[[str, Path], Awaitable[Path]]
"""Fetches the sound of the YouTube video of that id into a folder; cancelled with its task. Raises MaekrakError."""


class Transcriber:
    """Turns a source into a transcription; on one event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        kept: StoredTranscripts,
        fetch: FetchSound,
        *,
        max_bytes: int,
        max_s: float,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._workspaces, self._kept, self._fetch, self._pause = workspaces, kept, fetch, pause
        self._max_bytes, self._max_s = max_bytes, max_s

    async def transcribe(self, job: TranscriptionJob, source: SoundSource, recogniser: SpeechRecogniser) -> Transcription:
        """Return what is said in *source*, telling *job* of each step; what it needs on disk goes with it.

        Raises TranscriptionError, and what fetching raises. Cancelling ends processes and requests.
        """
        await asyncio.to_thread(self._workspaces.sweep)
        workspace = self._workspaces.open()  # not in a thread: cancelled meanwhile, nobody would close it
        try:
            if isinstance(source, YouTubeSound):
                job.note(TranscriptionProgress(phase=TranscriptionPhase.FETCHING))
                path = await self._fetch(source.video_id, workspace)
            else:
                path = source.path
            sound = Sound(path, workspace, max_bytes=self._max_bytes, max_s=self._max_s)
            try:
                pieces = PieceRecogniser(recogniser, sound, language=source.language, pause=self._pause)
                return await _Run(job, sound, self._kept, recogniser, source.language, pieces).transcribe()
            finally:
                await asyncio.to_thread(sound.close)
        except LanguageModelError as error:
            korean = f"음성을 받아 적지 못했어요: {error.korean} 끝낸 데까지는 남아 있어서, 다시 시작하면 이어서 해요."
            raise refuse(Kind.UNANSWERED, f"The recogniser failed: {error}", korean=korean) from error
        finally:
            await asyncio.to_thread(shutil.rmtree, workspace, ignore_errors=True)


@dataclass(slots=True)
class _Run:
    """One sound on its way to a transcription."""

    _job: TranscriptionJob
    _sound: Sound
    _kept: StoredTranscripts
    _recogniser: SpeechRecogniser
    _language: str
    _pieces: PieceRecogniser
    _progress: TranscriptionProgress = field(default_factory=TranscriptionProgress)
    _found: Recognised = field(default_factory=Recognised)
    _latest: tuple[TranscriptSegment, ...] = ()
    """Of the piece that is listened to."""

    async def transcribe(self) -> Transcription:
        """Return what is said; raises LanguageModelError and TranscriptionError."""
        self._tell(phase=TranscriptionPhase.CHECKING)
        digest = await self._sound.digest()
        lengths_s = (self._recogniser.piece_s, SHORT_S)
        keys = [key_of(digest, self._recogniser.recogniser, each, self._language) for each in lengths_s]
        for key in keys:
            whole = await asyncio.to_thread(self._kept.whole, key)
            if whole is not None:
                return whole
        try:
            return await self._listen(keys[0], lengths_s[0], moments=True)
        except NoMomentsError:
            self._found, self._latest = Recognised(), ()
            self._progress = replace(self._progress, done_s=0.0, pieces_kept=0)
            return await self._listen(keys[1], lengths_s[1], moments=False)

    async def _listen(self, key: str, piece_s: float, *, moments: bool) -> Transcription:
        declared_s = await self._sound.open(piece_s)
        self._tell(phase=TranscriptionPhase.LISTENING, total_s=declared_s)
        number, end_s = 0, 0.0
        while (piece := await self._sound.next_piece()) is not None:
            await self._add(piece, key, number, moments=moments)
            number, end_s = number + 1, piece.span.end_s
        if number == 0:
            raise refuse(Kind.BROKEN, "No sound could be decoded.")
        transcription = Transcription(
            segments=self._found.segments,
            recogniser=self._recogniser.recogniser,
            language=self._found.language or self._language,
            duration_s=end_s,
            uncertain=tuple(sorted(self._found.doubts, key=lambda each: each.start_s)),
            warnings=tuple(filter(None, (self._found.warning, DAMAGED_KOREAN if self._sound.damaged else ""))),
        )
        await asyncio.to_thread(self._kept.keep_whole, key, transcription)
        return transcription

    async def _add(self, piece: Piece, key: str, number: int, *, moments: bool) -> None:
        """Recognise *piece*, unless that is stored from earlier, and put it behind those before."""
        start_s = piece.span.start_s

        def on_progress(done_s: float, heard: tuple[RecognizedSegment, ...]) -> None:
            self._latest += tuple(TranscriptSegment(start_s + s.start_s, start_s + s.end_s, s.text) for s in heard)
            self._tell(done_s=max(start_s + done_s, self._progress.done_s))

        found = await asyncio.to_thread(self._kept.piece, key, number)
        if found is None:
            found = (await self._pieces.recognise(piece, on_progress, moments=moments)).shift(start_s)
            await asyncio.to_thread(self._kept.keep_piece, key, number, found)
        else:
            self._progress = replace(self._progress, pieces_kept=self._progress.pieces_kept + 1)
        await asyncio.to_thread(piece.samples.unlink)
        self._found, self._latest = self._found.then(found), ()
        self._tell(done_s=piece.span.end_s)

    def _tell(self, **changes: object) -> None:
        segments = (*self._found.segments, *self._latest)
        self._progress = replace(self._progress, segments=segments, **changes)  # type: ignore[arg-type] # names of its fields
        self._job.note(self._progress)
