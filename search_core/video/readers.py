"""Reading videos of every kind, as ``VideoContext`` offers it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from search_core.domain import VideoContext
from search_core.video.discovery import discover
from search_core.video.file_reading import read_file
from search_core.video.limits import check_video, limit_video
from search_core.video.mapping import read_mapping


class Readers:
    """Reads files, addresses and JSON objects."""

    read_file = staticmethod(read_file)

    def read_url(self, url: str) -> VideoContext:
        """Return the video behind a YouTube address; raises VideoReadError."""
        from search_core.settings import Settings
        from search_core.video.youtube import YouTubeReader

        return YouTubeReader(Settings.from_env()).read(url)

    def read_mapping(self, mapping: Mapping[str, Any]) -> VideoContext:
        """Return the video that a JSON object describes, what it does not state found in the rest.

        Raises VideoReadError, and TooLongError for a text that is longer than it may be.
        """
        stated = [key for key, value in mapping.items() if value is not None] if isinstance(mapping, Mapping) else []
        video = read_mapping(mapping)
        check_video(video)
        return discover(limit_video(video), keep=stated)
