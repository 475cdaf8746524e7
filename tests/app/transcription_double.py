"""A transcription service whose recogniser is played by the test; jobs and errors are the real ones."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from search_core.domain.transcription import Recogniser, RecogniserKind, Transcription, TranscriptionProgress
from search_core.domain.video import TranscriptSegment
from search_core.errors import TranscriptionError, TranscriptionFailure
from search_core.speech.service import TranscriptionJob
from search_core.speech.sound import MAX_BYTES, SoundFile

WHISPER = Recogniser(RecogniserKind.ENDPOINT, "whisper-1")
SEGMENTS = (
    TranscriptSegment(0.0, 4.0, "오늘은 메모리 대역폭을 봅니다."),
    TranscriptSegment(4.0, 6.0, "감사합니다 감사합니다", uncertain=True),
    TranscriptSegment(600.0, 604.0, "다음은 전력입니다."),
)
HEARD = Transcription(
    segments=SEGMENTS,
    recogniser=WHISPER,
    language="ko",
    duration_s=720.0,
    unheard=((30.0, 45.0),),
)
NOTHING = Transcription(segments=(), recogniser=WHISPER, language="", duration_s=60.0)
CANCELLED = TranscriptionError(TranscriptionFailure.CANCELLED, "cancelled", korean="받아 적기를 멈췄어요.")
NO_SOUND = TranscriptionError(TranscriptionFailure.NO_SOUND, "no sound", korean="영상에 소리가 없어요.")


class TranscriptionDouble:
    """Takes files and starts jobs; nothing is set up until a test gives it a ``recogniser``."""

    max_bytes = MAX_BYTES

    def __init__(self) -> None:
        self.recogniser: Recogniser | None = None
        self.missing = ""
        self.refusal: TranscriptionError | None = None
        self.received: list[tuple[str, bytes]] = []
        self.discarded: list[SoundFile] = []
        self.jobs: dict[str, TranscriptionJob] = {}

    def receive(self, name: str, chunks: Iterable[bytes]) -> SoundFile:
        self.received.append((name, b"".join(chunks)))
        return SoundFile(path=Path(f"/nowhere/{len(self.received)}"), name=name, owned=True)

    def discard(self, sound: SoundFile) -> None:
        self.discarded.append(sound)

    def start(self, source: SoundFile, owner: str) -> TranscriptionJob:
        if self.refusal is not None:
            raise self.refusal
        job = TranscriptionJob(source.name, lambda: job.end(CANCELLED), owner)
        self.jobs[job.id] = job
        return job

    def job(self, job_id: str, owner: str) -> TranscriptionJob | None:
        job = self.jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    @property
    def newest(self) -> TranscriptionJob:
        return list(self.jobs.values())[-1]

    def listen(self) -> None:
        """Let the newest job reach three of twelve minutes."""
        self.newest.note(TranscriptionProgress(listening=True, done_s=180.0, total_s=720.0))
