"""Settings of transcripts of videos and recordings."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings


class TranscriptionSettings(BaseSettings):
    """Holds what a deployer can change about transcripts; part of ``Settings``."""

    whisper_model: str = Field(
        "",
        description="Model of faster-whisper (`make whisper`) that transcribes where no endpoint does: a name that was "
        "downloaded, or a folder; empty turns it off.",
    )
    whisper_device: Literal["auto", "cpu", "cuda"] = Field("auto", description="What runs that model: auto, cpu or cuda.")
    transcription_timeout: float = Field(
        600.0, gt=0, le=7200, description="Seconds the recognition of one piece of sound (ten minutes or less) may take."
    )
    transcription_max_mb: int = Field(
        2048, ge=1, le=1_000_000, description="Size of the largest video or recording that is transcribed, in megabytes."
    )
    transcription_max_hours: float = Field(
        6.0, gt=0, le=48, description="Length of the longest video or recording that is transcribed, in hours."
    )
    transcription_youtube: bool = Field(
        False,
        description="Fetch the sound of YouTube videos without captions to transcribe them; whether you may is for you to know.",
    )
