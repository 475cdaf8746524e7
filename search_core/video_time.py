"""Places in a video as readers see them, one form on pages, in answers and in files."""

from __future__ import annotations


def clock(seconds: float) -> str:
    """Return a place in a video as ``mm:ss``, or ``h:mm:ss`` from an hour on."""
    hours, rest = divmod(max(0, int(seconds)), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes:02}:{left:02}"
