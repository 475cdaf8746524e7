"""Times in a video for readers, in one format on pages, in answers and in files."""

from __future__ import annotations

import re

CLOCK = r"(?:\d{1,2}:)?\d{1,3}:[0-5]\d"
"""Pattern of a place in a video as people and models write it: ``5:45``, ``75:20``, ``1:02:07``."""
_CLOCK = re.compile(CLOCK)


def clock(seconds: float) -> str:
    """Return a time in a video as ``mm:ss``, or ``h:mm:ss`` from an hour on."""
    hours, rest = divmod(max(0, int(seconds)), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes:02}:{left:02}"


def clock_seconds(text: str) -> float | None:
    """Return the seconds of *text*, a clock time in a video and nothing else; None for other text."""
    if not _CLOCK.fullmatch(text.strip()):
        return None
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return float(seconds)
