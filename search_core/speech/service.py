"""The service for transcripts of videos and recordings."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from search_core.domain.transcription import Recogniser, Transcription
from search_core.errors import LanguageModelError, LanguageModelFailure, MaekrakError, TranscriptionFailure
from search_core.job import MAX_KEPT_JOBS, Jobs
from search_core.runtime import LoopThread, wait_or_finish
from search_core.speech.recogniser import SpeechRecogniser
from search_core.speech.sound import MAX_BYTES, Sound, SoundFile, refuse
from search_core.speech.transcriber import TranscriptionJob, transcribe
from search_core.storage.cache_file import CacheFile

logger = logging.getLogger(__name__)

AT_ONCE = 2
"""Transcriptions one process works on at the same time; each has a process that decodes."""
MAX_WAITING = 20
LEFT_S = 2 * 86_400.0
"""Folders untouched for so long are removed: no transcription takes or waits longer."""
NO_DECODER_KOREAN = "소리를 읽는 PyAV가 설치되지 않았어요. 서버에서 make speech를 실행하거나 자막 파일을 올려 주세요."
GOES_ON_KOREAN = "다시 시작하면 끝낸 데까지는 건너뛰고 이어서 해요."
NO_MOMENTS_KOREAN = "OPENAI_TRANSCRIPTION_MODEL에 whisper-1처럼 말한 시각을 알려 주는 모델을 적어 주세요."
UNEXPECTED_KOREAN = f"받아 적는 중에 예상하지 못한 문제가 생겼어요. {GOES_ON_KOREAN}"


class TranscriptionService:
    """Transcribes videos and recordings; one per process, thread-safe."""

    max_bytes = MAX_BYTES

    def __init__(
        self,
        loop: LoopThread,
        recognisers: tuple[SpeechRecogniser, ...],
        folder: Path,
        store: CacheFile,
    ) -> None:
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

        Raises TranscriptionError: TOO_LARGE as soon as there is more than ``max_bytes``, NO_ROOM; nothing is left behind then.
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

        Raises TranscriptionError: NOT_SET and BUSY.
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
