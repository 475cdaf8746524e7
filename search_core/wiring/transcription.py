"""Transcripts of videos and recordings, put together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from search_core.runtime import LoopThread
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.transcription.service import TranscriptionService

FOLDER = "transcription"
_MB = 1_000_000
_HOUR_S = 3600.0


def build_transcription(settings: Settings, loop: LoopThread) -> TranscriptionService:
    """Return the service of a process; nothing slow is loaded and no request is sent yet."""
    from search_core.llm.speech_recogniser import EndpointRecogniser  # brings the openai client, which takes a second to import
    from search_core.transcription.service import TranscriptionService
    from search_core.transcription.stored_transcripts import StoredTranscripts
    from search_core.transcription.transcriber import Transcriber
    from search_core.transcription.whisper import WhisperRecogniser
    from search_core.transcription.workspace import Workspaces

    folder = settings.maekrak_data_dir / FOLDER
    workspaces = Workspaces(folder / "work")
    max_bytes, max_s = settings.transcription_max_mb * _MB, settings.transcription_max_hours * _HOUR_S
    whisper = WhisperRecogniser(settings.whisper_model, device=settings.whisper_device, limit_s=settings.transcription_timeout)

    async def fetch(video_id: str, into: Path) -> Path:
        from search_core.video.yt_dlp import fetch_sound

        return await fetch_sound(settings, video_id, into, max_bytes=max_bytes, max_s=max_s)

    transcriber = Transcriber(workspaces, StoredTranscripts(folder / "kept"), fetch, max_bytes=max_bytes, max_s=max_s)
    return TranscriptionService(
        loop,
        transcriber.transcribe,
        (EndpointRecogniser(settings), whisper),
        workspaces,
        max_bytes=max_bytes,
        max_s=max_s,
        youtube=settings.transcription_youtube,
    )
