"""Transcripts of videos and recordings, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search_core.runtime import LoopThread
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.domain import Transcription
    from search_core.transcription.job import TranscriptionJob
    from search_core.transcription.recogniser import SpeechRecogniser
    from search_core.transcription.service import TranscriptionService
    from search_core.transcription.source import SoundSource

FOLDER = "transcription"


def build_transcription(settings: Settings, loop: LoopThread) -> TranscriptionService:
    """Return the service of a process; nothing slow is loaded and nobody is asked yet."""
    from search_core.transcription.service import TranscriptionService
    from search_core.transcription.workspace import Workspaces

    return TranscriptionService(
        loop,
        _transcribe,
        (),
        Workspaces(settings.maekrak_data_dir / FOLDER / "work"),
        max_bytes=settings.transcription_max_mb * 1_000_000,
        youtube=settings.transcription_youtube,
    )


async def _transcribe(job: TranscriptionJob, source: SoundSource, recogniser: SpeechRecogniser) -> Transcription:
    raise AssertionError(f"{job.id}: there is no recogniser {recogniser.recogniser.model} for {source.name} yet")
