"""Transcripts of videos and recordings: the service, its jobs, and their work (decode, recognise piece by piece, store)."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import logging
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from search_core.domain.transcription import Recogniser, RecognizedPiece, Stretch, Transcription, TranscriptionProgress
from search_core.domain.video import TranscriptSegment
from search_core.errors import LanguageModelError, LanguageModelFailure, MaekrakError, TranscriptionFailure
from search_core.job import MAX_KEPT_JOBS, Job, Jobs
from search_core.runtime import LoopThread, wait_or_finish
from search_core.speech.recogniser import SpeechRecogniser, read_piece
from search_core.speech.sound import MAX_BYTES, Sound, SoundFile, refuse
from search_core.storage.cache_file import CacheFile

logger = logging.getLogger(__name__)

AT_ONCE = 2
"""Most transcriptions at the same time in this process; each has a child process that decodes its sound."""
MAX_WAITING = 20
LEFT_S = 2 * 86_400.0
"""Seconds after which untouched folders are removed; no transcription takes or waits longer."""
NO_DECODER_KOREAN = "소리를 읽는 PyAV가 설치되지 않았어요. 서버에서 make speech를 실행하거나 자막 파일을 올려 주세요."
GOES_ON_KOREAN = "다시 시작하면 끝낸 데까지는 건너뛰고 이어서 해요."
NO_MOMENTS_KOREAN = "OPENAI_TRANSCRIPTION_MODEL에 whisper-1처럼 말한 시각을 알려 주는 모델을 적어 주세요."
UNEXPECTED_KOREAN = f"받아 적는 중에 예상하지 못한 문제가 생겼어요. {GOES_ON_KOREAN}"
DAMAGED_KOREAN = "파일의 일부가 깨져 있어서, 읽을 수 있는 데까지만 받아 적었어요."
VERSION = 5
"""Version of how sound is cut into pieces; stored pieces of other versions are ignored."""
KEPT_S = 90 * 86_400.0
_MAX_PIECE_BYTES = 4 << 20
"""Largest stored piece; half an hour of speech takes some 60 KB."""
_PIECE: TypeAdapter[RecognizedPiece] = TypeAdapter(RecognizedPiece)


class TranscriptionJob(Job[TranscriptionProgress]):
    """One transcription in the background; its files are removed before it ends."""

    def __init__(self, name: str, cancel: Callable[[], object], owner: str) -> None:
        """Take the user's name of the source; *cancel* stops processes and requests, and finished pieces stay stored."""
        super().__init__(TranscriptionProgress(), cancel, owner)
        self.name = name
        self.error: MaekrakError | None = None
        """Why there is no transcript (``korean`` for the page); a cancelled job has kind CANCELLED."""
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


class TranscriptionService:
    """Transcribes videos and recordings; one per process, thread-safe."""

    max_bytes = MAX_BYTES

    def __init__(self, loop: LoopThread, recognisers: tuple[SpeechRecogniser, ...], folder: Path, store: CacheFile) -> None:
        """Use the first available of *recognisers*; work on *loop*, with files in *folder*."""
        self._loop, self._recognisers, self._folder, self._store = loop, recognisers, folder, store
        self._jobs = Jobs[TranscriptionJob](MAX_KEPT_JOBS)
        self._turns = asyncio.Semaphore(AT_ONCE)

    @property
    def recogniser(self) -> Recogniser | None:
        """Return the recogniser to use; None if none is configured or its parts are missing."""
        recogniser = self._find_recogniser()
        return None if recogniser is None else recogniser.recogniser

    @property
    def missing(self) -> str:
        """Return a Korean sentence saying what to set up; empty with a recogniser."""
        ordered = sorted(self._recognisers, key=lambda each: not each.recogniser.model)  # those with a chosen model come first
        sentences = [each.missing() for each in ordered]
        if all(sentences):
            return next(iter(sentences), "")
        return "" if _can_decode() else NO_DECODER_KOREAN

    def receive(self, name: str, chunks: Iterable[bytes]) -> SoundFile:
        """Write an uploaded file in *chunks* to the data folder and return it, owned by its transcription.

        Raises TranscriptionError (TOO_LARGE above ``max_bytes``, NO_ROOM on a full disk) and then leaves no file behind.
        """
        sound = SoundFile(path=self._new_folder() / "received", name=name, owned=True)
        size = 0
        try:
            for chunk in chunks:
                size += len(chunk)
                if size > self.max_bytes:
                    raise refuse(TranscriptionFailure.TOO_LARGE, f"The file has more than {self.max_bytes} bytes.")
                with _tell_no_room(), sound.path.open("ab") as file:
                    file.write(chunk)
        except BaseException:
            self.discard(sound)
            raise
        return sound

    def discard(self, sound: SoundFile) -> None:
        """Remove the file that ``receive`` returned, with its folder, if it is still there."""
        shutil.rmtree(sound.path.parent, ignore_errors=True)

    def start(self, source: SoundFile, owner: str = "") -> TranscriptionJob:
        """Start a transcription for *owner* and return at once; failures are reported by the job.

        Raises TranscriptionError (NOT_SET without a recogniser, BUSY if too many are waiting).
        """
        recogniser = self._find_recogniser()
        if recogniser is None:
            raise refuse(TranscriptionFailure.NOT_SET, "Nothing that recognises speech is set up.", korean=self.missing)
        stop = asyncio.Event()
        job = TranscriptionJob(source.name, lambda: None if self._loop.closed else self._loop.call(stop.set), owner)
        self._jobs.add(job, _admit)
        self._loop.start(self._drive(job, source, recogniser, stop))
        return job

    def job(self, job_id: str, owner: str) -> TranscriptionJob | None:
        """Return a transcription of *owner* started earlier in this process, or None."""
        return self._jobs.get(job_id, owner)

    def close(self) -> None:
        """End running transcriptions and their processes."""
        jobs = self._jobs.where(lambda job: not job.done)
        for job in jobs:
            job.cancel()
        for job in jobs:
            job.wait(5)
        for recogniser in self._recognisers:
            recogniser.close()

    def _find_recogniser(self) -> SpeechRecogniser | None:
        """Return the first usable recogniser; None if sound cannot be decoded."""
        return next((each for each in self._recognisers if not each.missing()), None) if _can_decode() else None

    async def _drive(self, job: TranscriptionJob, source: SoundFile, recogniser: SpeechRecogniser, stop: asyncio.Event) -> None:
        """Work on *job* until it ends or *stop* is set, and clean up before the job ends."""
        work = asyncio.create_task(self._transcribe(job, source, recogniser))
        try:
            await wait_or_finish(work, stop)
        finally:
            if source.owned:
                await asyncio.to_thread(self.discard, source)
            job.end(_outcome(work))

    async def _transcribe(self, job: TranscriptionJob, source: SoundFile, recogniser: SpeechRecogniser) -> Transcription:
        async with self._turns:
            folder = self._new_folder()  # not in a thread: cancelled meanwhile, nobody would remove it
            sound = Sound(source.path, folder)
            try:
                return await transcribe(sound, recogniser, self._store, job.note)
            except LanguageModelError as error:
                advice = NO_MOMENTS_KOREAN if error.kind is LanguageModelFailure.REJECTED else GOES_ON_KOREAN
                korean = f"음성을 받아 적지 못했어요: {error.korean} {advice}"
                raise refuse(TranscriptionFailure.UNANSWERED, f"The recogniser failed: {error}", korean=korean) from error
            finally:
                await asyncio.to_thread(sound.close)
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _new_folder(self) -> Path:
        """Return a new empty folder, and remove those that killed processes left; raises TranscriptionError."""
        with _tell_no_room():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path in self._folder.iterdir():
                if path.lstat().st_mtime < time.time() - LEFT_S:
                    shutil.rmtree(path, ignore_errors=True)
            return Path(tempfile.mkdtemp(dir=self._folder))


@contextmanager
def _tell_no_room() -> Iterator[None]:
    """Turn an error of the disk inside the block into TranscriptionError of kind NO_ROOM."""
    try:
        yield
    except OSError as error:
        raise refuse(TranscriptionFailure.NO_ROOM, f"The data folder cannot be written: {type(error).__name__}.") from error


def _admit(running: Sequence[TranscriptionJob]) -> None:
    if len(running) >= AT_ONCE + MAX_WAITING:
        raise refuse(TranscriptionFailure.BUSY, "Too many transcriptions wait.")


def _can_decode() -> bool:
    """Return whether PyAV is installed; only the decoding process imports it."""
    return importlib.util.find_spec("av") is not None


def _outcome(work: asyncio.Task[Transcription]) -> Transcription | MaekrakError:
    if work.cancelled():
        return refuse(TranscriptionFailure.CANCELLED, "The transcription was cancelled.")
    error = work.exception()
    if error is None:
        return work.result()
    if isinstance(error, MaekrakError):
        return error
    logger.error("A transcription ended unexpectedly", exc_info=error)
    return MaekrakError(f"The transcription ended unexpectedly: {type(error).__name__}", korean=UNEXPECTED_KOREAN)


async def transcribe(
    sound: Sound, recogniser: SpeechRecogniser, store: CacheFile, note: Callable[[TranscriptionProgress], object]
) -> Transcription:
    """Return *recogniser*'s transcript of *sound*; calls *note* at each step, raises LanguageModelError and TranscriptionError.

    Pieces whose transcript is in *store* are not recognised again.
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
    """Return the stored transcript of a piece; None if there is none, or one in the format of an earlier version."""
    stored = store.read([key], _MAX_PIECE_BYTES).get(key)
    try:
        return None if stored is None else _PIECE.validate_json(stored)
    except ValidationError:
        return None
