"""Subtitle files (SRT, WebVTT) as cues.

pysubs2 1.8 reads both, but takes time in the square of an odd file, loses voice tags, glues NOTE blocks and cue identifiers to
the text before them, and eats a closing line that is a number; so these two formats are read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from search_core.captions.timing import cue_times, is_cue_line

_HEADER = re.compile(r"\ufeff?\s*WEBVTT")
_NUMBER = re.compile(r"\s*\d{1,6}\s*")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue as written; a time that cannot be read is None."""

    start_s: float | None
    end_s: float | None
    raw: str


def is_webvtt(text: str) -> bool:
    """Return whether *text* opens like a WebVTT file."""
    return _HEADER.match(text) is not None


def holds_cues(text: str) -> bool:
    """Return whether *text* has a timing line."""
    return any(is_cue_line(line) for line in text.split("\n"))


def read_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of an SRT or WebVTT file as they stand in it; none when there is no timing line."""
    return _webvtt_cues(text) if is_webvtt(text) else _srt_cues(text)


def _srt_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of SRT text: all lines up to the next timing line, less the number that announces it."""
    lines = text.split("\n")
    at = [index for index, line in enumerate(lines) if is_cue_line(line)]
    for here, following in pairwise([*at, len(lines)]):
        body = lines[here + 1 : following]
        if following < len(lines) and body and _NUMBER.fullmatch(body[-1]) and _announces(lines, here, body):
            body = body[:-1]
        yield Cue(*cue_times(lines[here]), "\n".join(body))


def _announces(lines: list[str], here: int, body: list[str]) -> bool:
    """Return whether the number closing *body* is the next cue's: it is apart or counts on from this cue's own number."""
    if len(body) == 1 or not body[-2].strip():
        return True
    before = lines[here - 1] if here else ""
    return bool(_NUMBER.fullmatch(before)) and int(body[-1]) == int(before) + 1


def _webvtt_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of WebVTT text: a block's lines after its timing line; blocks without one are notes and styles."""
    for block in re.split(r"\n\n+", text):
        lines = block.split("\n")
        at = [index for index, line in enumerate(lines) if is_cue_line(line)]
        for here, following in pairwise([*at, len(lines)]):
            yield Cue(*cue_times(lines[here]), "\n".join(lines[here + 1 : following]))
