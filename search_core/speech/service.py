"""Where transcripts of videos and recordings are asked for."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import shutil
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

from search_core.domain import Recogniser, Transcription
from search_core.errors import MaekrakError, TranscriptionError, TranscriptionFailure
from search_core.job import Jobs
from search_core.runtime import LoopThread, wait_or_finish
from search_core.speech.job import TranscriptionJob
from search_core.speech.recogniser import SpeechRecogniser
from search_core.speech.source import SUFFIXES, SoundFile, SoundSource, YouTubeSound, too_large
from search_core.speech.workspace import Workspaces, tell_no_room

logger = logging.getLogger(__name__)

Transcribe = Callable[[TranscriptionJob, SoundSource, SpeechRecogniser], Coroutine[Any, Any, Transcription]]
"""Does the work of one job and updates the progress of the job."""
AT_ONCE = 2
"""Transcriptions one process works on at the same time; each has a process that decodes."""
MAX_WAITING = 20
MAX_KEPT_JOBS = 100
"""Ended transcriptions a page can still come back to; the oldest go first."""
NO_DECODER_KOREAN = "소리를 읽는 PyAV가 설치되지 않았어요. 서버에서 make speech를 실행하거나 자막 파일을 올려 주세요."
CANCELLED_KOREAN = "받아 적기를 멈췄어요. 다시 시작하면 끝낸 데까지는 건너뛰고 이어서 해요."
UNEXPECTED_KOREAN = "받아 적는 중에 예상하지 못한 문제가 생겼어요. 다시 시작하면 끝낸 데까지는 건너뛰고 이어서 해요."


class TranscriptionService:
    """Turns the speech of videos and recordings into transcripts; one per process, safe to call from many threads."""

    suffixes = SUFFIXES
    """Endings of the files that are listened to, with their dots, for a file chooser; the content decides."""

    def __init__(
        self,
        loop: LoopThread,
        transcribe: Transcribe,
        recognisers: tuple[SpeechRecogniser, ...],
        workspaces: Workspaces,
        *,
        max_bytes: int,
        max_s: float,
        youtube: bool,
    ) -> None:
        """Ask the first of *recognisers* that is here; work on *loop*."""
        self._loop, self._transcribe, self._recognisers, self._workspaces = loop, transcribe, recognisers, workspaces
        self.max_bytes = max_bytes
        """Size of the largest file that is listened to."""
        self.max_s = max_s
        """Length of the longest sound that is listened to, in seconds."""
        self.youtube = youtube
        """Whether the operator allows the sound of YouTube videos to be fetched."""
        self._jobs = Jobs[TranscriptionJob](MAX_KEPT_JOBS)
        self._turns = asyncio.Semaphore(AT_ONCE)

    @property
    def recogniser(self) -> Recogniser | None:
        """Return who would recognise speech; None when nothing is set up, or what is set up is not here."""
        found = self._find_recogniser()
        return None if found is None else found.recogniser

    @property
    def missing(self) -> str:
        """Return a Korean sentence saying what to set up; empty when there is a recogniser."""
        ordered = sorted(self._recognisers, key=lambda each: not each.recogniser.model)  # whose model is set is set up first
        sentences = [each.missing() for each in ordered]
        if all(sentences):
            return next(iter(sentences), "")
        return "" if _can_decode() else NO_DECODER_KOREAN

    def receive(self, name: str, chunks: Iterable[bytes]) -> SoundFile:
        """Write a file that comes in *chunks* to the data folder and return it, owned by the transcription it is started with.

        Raises TranscriptionError: TOO_LARGE as soon as there is more than ``max_bytes``, NO_ROOM; nothing is left behind then.
        """
        workspace = self._workspaces.open()
        sound = SoundFile(path=workspace / "received", name=name, owned=True)
        size = 0
        try:
            with tell_no_room():
                sound.path.touch(mode=0o600)
            for chunk in chunks:
                size += len(chunk)
                if size > self.max_bytes:
                    raise too_large(self.max_bytes)
                with tell_no_room(), sound.path.open("ab") as file:
                    file.write(chunk)
        except BaseException:
            self.discard(sound)
            raise
        return sound

    def discard(self, sound: SoundFile) -> None:
        """Remove what ``receive`` returned, with its folder; does nothing when it is gone."""
        shutil.rmtree(sound.path.parent, ignore_errors=True)

    def start(self, source: SoundSource, owner: str = "") -> TranscriptionJob:
        """Start a transcription for *owner* and return at once; failures are reported by the job.

        Raises TranscriptionError: NOT_SET, NOT_ALLOWED and BUSY.
        """
        recogniser = self._find_recogniser()
        if recogniser is None:
            why = "Nothing that recognises speech is set up." if _can_decode() else "PyAV is not installed: run `make speech`."
            raise TranscriptionError(TranscriptionFailure.NOT_SET, why, korean=self.missing)
        if isinstance(source, YouTubeSound) and not self.youtube:
            raise TranscriptionError(
                TranscriptionFailure.NOT_ALLOWED,
                "TRANSCRIPTION_YOUTUBE is off.",
                korean="이 서버는 YouTube 영상의 소리를 내려받지 않아요. 자막 파일이나 영상 파일을 올려 주세요.",
            )
        stop = asyncio.Event()
        job = TranscriptionJob(source.name, lambda: None if self._loop.closed else self._loop.call(stop.set), owner)
        self._jobs.add(job, _admit)
        self._loop.start(self._drive(job, source, recogniser, stop))
        return job

    def job(self, job_id: str, owner: str) -> TranscriptionJob | None:
        """Return a transcription of *owner* started earlier in this process, or None."""
        return self._jobs.get(job_id, owner)

    def _find_recogniser(self) -> SpeechRecogniser | None:
        """Return the first recogniser that can be asked; None as well where no sound can be decoded."""
        return next((each for each in self._recognisers if not each.missing()), None) if _can_decode() else None

    def close(self) -> None:
        """End what is under way and the processes that belong to it."""
        jobs = self._jobs.where(lambda job: not job.done)
        for job in jobs:
            job.cancel()
        for job in jobs:
            job.wait(5)
        for recogniser in self._recognisers:
            recogniser.close()

    async def _drive(self, job: TranscriptionJob, source: SoundSource, recogniser: SpeechRecogniser, stop: asyncio.Event) -> None:
        """Do the work of *job* until it ends or *stop* is set; the job ends after everything has been cleaned away."""

        async def in_turn() -> Transcription:
            async with self._turns:
                return await self._transcribe(job, source, recogniser)

        work = asyncio.create_task(in_turn())
        try:
            await wait_or_finish(work, stop)
        finally:
            if isinstance(source, SoundFile) and source.owned:
                await asyncio.to_thread(self.discard, source)
            job.end(_outcome(work))


def _admit(running: Sequence[TranscriptionJob]) -> None:
    if len(running) >= AT_ONCE + MAX_WAITING:
        raise TranscriptionError(
            TranscriptionFailure.BUSY,
            "Too many transcriptions wait.",
            korean="받아 적기를 기다리는 영상이 너무 많아요. 잠시 뒤에 다시 시작해 주세요.",
        )


def _can_decode() -> bool:
    """Return whether PyAV is installed, which only the process that decodes imports."""
    return importlib.util.find_spec("av") is not None


def _outcome(work: asyncio.Task[Transcription]) -> Transcription | MaekrakError:
    if work.cancelled():
        return TranscriptionError(TranscriptionFailure.CANCELLED, "The transcription was cancelled.", korean=CANCELLED_KOREAN)
    error = work.exception()
    if error is None:
        return work.result()
    if isinstance(error, MaekrakError):
        return error
    logger.error("A transcription ended unexpectedly", exc_info=error)
    return MaekrakError(f"The transcription ended unexpectedly: {type(error).__name__}", korean=UNEXPECTED_KOREAN)
