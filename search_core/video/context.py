"""The video a question is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class TranscriptSegment:
    """One stretch of what is said, with its times in seconds from the start of the video."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A titled stretch of the video, in seconds from its start."""

    start_s: float
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoContext:
    """What is known about a video: who speaks, about what, when, and what is said."""

    video_id: str = ""
    url: str = ""
    title: str = ""
    file_title: str = ""
    """The title made of the file's name because none was stated."""
    channel: str = ""
    published_at: datetime | None = None
    """Time zone aware; None when unknown."""
    description: str = ""
    speakers: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    key_terms: tuple[str, ...] = ()
    """Salient words of title, description and transcript that are not names, most salient first."""
    chapters: tuple[Chapter, ...] = ()
    transcript: tuple[TranscriptSegment, ...] = ()
    language: str = ""
    """ISO 639-1 code of the transcript, or of the title when there is none; empty when unknown."""
    thumbnail_url: str = ""
    duration_s: float | None = None
    sample: bool = False
    """True for the videos that ship with the app for demos."""
    warnings: tuple[str, ...] = ()
    """Korean sentences about what could not be read and was left out."""

    @property
    def title_is_file_name(self) -> bool:
        """Tell whether the title is only the name of a file, which says nothing about the video."""
        return bool(self.title) and self.title == self.file_title

    @classmethod
    def from_file(cls, path: str | Path) -> VideoContext:
        """Return the video a file describes: SRT, VTT, yt-dlp ``.info.json`` (with the subtitle file beside it) or plain text.

        Raises VideoReadError when the file cannot be used.
        """
        from search_core.video.upload import read_file

        return read_file(path)

    @classmethod
    def from_url(cls, url: str) -> VideoContext:
        """Return the video behind a YouTube address.

        Raises VideoReadError when the address is not one of a video or nothing at all could be learnt about it.
        """
        from search_core.settings import Settings
        from search_core.video.youtube import YouTubeReader

        return YouTubeReader(Settings.from_env()).read(url)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> VideoContext:
        """Return the video a JSON object describes; unknown keys are ignored.

        Names, chapters and language that *mapping* does not state are found in the rest; a stated empty list stays empty.
        """
        from search_core.video.discovery import discover
        from search_core.video.mapping import read_mapping

        stated = [key for key, value in mapping.items() if value is not None] if isinstance(mapping, Mapping) else []
        return discover(read_mapping(mapping), keep=stated)
