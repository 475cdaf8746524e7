"""Chapters from the time stamps of a description."""

from __future__ import annotations

import re

from search_core.domain import Chapter
from search_core.video_time import CLOCK, clock_seconds

_LINE = re.compile(rf"^\W{{0,3}}?[\[(]?({CLOCK})[\])]?\s*+(?:[-–—~:|]\s*+(?:{CLOCK})?)?\s*+(\S.*)$")
_TRAILING = re.compile(rf"({CLOCK})[\])]?\s*+$")
_LEAST = 3  # YouTube itself shows chapters from three stamps on


def chapters_in(description: str) -> tuple[Chapter, ...]:
    """Return the chapters a description lists, one a line with its time, or nothing when fewer than three rise in time."""
    chapters: list[Chapter] = []
    for line in description.split("\n"):
        time, title = _stamp(" ".join(line.split()))
        if time is not None and title and (not chapters or time > chapters[-1].start_s):
            chapters.append(Chapter(time, title))
    return tuple(chapters) if len(chapters) >= _LEAST else ()


def _stamp(line: str) -> tuple[float | None, str]:
    if found := _LINE.match(line):
        return clock_seconds(found[1]), found[2].strip()
    if found := _TRAILING.search(line, 1):
        return clock_seconds(found[1]), line[: found.start()].strip(" -–—:|([")
    return None, ""
