"""Times in subtitle files and descriptions."""

from __future__ import annotations

import re

_CLOCK = r"(-?)(?:(\d{1,4})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*[.,:;]\s*(\d{1,6}))?"
_TIME = re.compile(_CLOCK)
_ARROW = re.compile(r"-{1,3}\s?>|→|⟶|–>")


def subtitle_seconds(text: str) -> float | None:
    """Return the seconds of the first clock time in *text* (``1:02:03,4``, ``02:03.400``), or None; never below 0."""
    found = _TIME.search(text)
    if found is None:
        return None
    sign, hours, minutes, seconds, fraction = found.groups()
    total = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + (float(f"0.{fraction}") if fraction else 0.0)
    return 0.0 if sign else total


def is_cue_line(line: str) -> bool:
    """Return whether *line* is the timing line of a cue, readable or not."""
    arrow = _ARROW.search(line)
    return arrow is not None and any(character.isdigit() for character in line) and ":" in line


def cue_times(line: str) -> tuple[float | None, float | None]:
    """Return start and end of a timing line in seconds, None for a time that cannot be read."""
    before, _, after = _ARROW.sub("\n", line, count=1).partition("\n")
    return subtitle_seconds(before), subtitle_seconds(after)
