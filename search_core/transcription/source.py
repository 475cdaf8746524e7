"""What can be listened to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".mp3", ".m4a", ".aac", ".wav", ".ogg", ".oga", ".opus", ".flac")
"""Endings of the files that are listened to, with their dots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFile:
    """A video or a recording on this machine's disk; never read into memory as a whole."""

    path: Path
    name: str
    """What the user calls it; stays here."""
    owned: bool = False
    """True removes the file when its transcription has ended, however it did."""
    language: str = ""
    """ISO 639-1 code of what is spoken, where the user says so; empty lets the recogniser find out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class YouTubeSound:
    """The sound of a YouTube video; fetched only where the operator allows it."""

    video_id: str
    """Eleven characters."""
    name: str = ""
    """What the user calls it: the title, where it is known."""
    language: str = ""
    """ISO 639-1 code of what is spoken, where it is known."""


SoundSource = SoundFile | YouTubeSound
