"""The video a command is given."""

from __future__ import annotations

from pathlib import Path

from search_core.core import SearchCore
from search_core.video import VideoContext


def video_of(given: str | None, core: SearchCore) -> VideoContext | None:
    """Return the video behind a file or an address, or None when none is *given*; raises VideoReadError."""
    if not given:
        return None
    if given.startswith(("http://", "https://")):
        return core.open_video(given)
    return VideoContext.from_file(Path(given))
