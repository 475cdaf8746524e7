"""A transcript as readable lines: short subtitles joined, searchable by time or by word."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.shared.escaping import clean, md, md_piece
from search_core.domain.video import TranscriptSegment

LINE_CHARS = 70
"""Length to which subtitles are joined to a line, about two rows of the panel."""
LINE_GAP_S = 4.0
"""A pause longer than this starts a new line."""
_ROUNDED_S = 0.006
"""Times of claims are rounded to a hundredth of a second, so they may lie that much before their line."""


class Line(NamedTuple):
    """A line of the transcript, from ``start_s`` on, in seconds."""

    start_s: float
    text: str
    uncertain: bool = False
    """True where speech recognition may have invented words."""


def lines_of(transcript: Sequence[TranscriptSegment]) -> tuple[Line, ...]:
    """Return the transcript as lines in order of time, of about ``LINE_CHARS`` characters."""
    lines: list[Line] = []
    end_s = 0.0
    for segment in transcript:
        text = clean(segment.text, 600)
        if not text:
            continue
        longer = f"{lines[-1].text} {text}" if lines else text
        apart = segment.start_s - end_s > LINE_GAP_S or len(longer) > LINE_CHARS
        if lines and not apart and segment.uncertain == lines[-1].uncertain:
            lines[-1] = lines[-1]._replace(text=longer)
        else:
            lines.append(Line(segment.start_s, text, segment.uncertain))
        end_s = segment.end_s
    return tuple(lines)


def line_at(lines: Sequence[Line], at_s: float) -> int:
    """Return the index of the line spoken at *at_s*, or beginning within a second of it; 0 before the first.

    Moments in texts are rounded down to whole seconds, so they may lie just before the line they refer to.
    """
    if float(at_s).is_integer():
        begun = bisect.bisect_left(lines, at_s, key=lambda line: line.start_s)
        if begun < len(lines) and lines[begun].start_s < at_s + 1:
            return begun
    return max(0, bisect.bisect_right(lines, at_s + _ROUNDED_S, key=lambda line: line.start_s) - 1)


def find_lines(lines: Sequence[Line], text: str) -> list[int]:
    """Return the indexes of lines that contain *text*, ignoring case."""
    phrase = clean(text).casefold()
    return [index for index, line in enumerate(lines) if phrase in line.text.casefold()] if phrase else []


def mark_words(text: str, phrase: str) -> str:
    """Return *text* for Markdown with the first occurrence of *phrase* in bold."""
    phrase = clean(phrase)
    place = text.casefold().find(phrase.casefold()) if phrase else -1
    if place < 0 or len(text.casefold()) != len(text):
        return md(text)
    before, match, after = text[:place], text[place : place + len(phrase)], text[place + len(phrase) :]
    return f"{md_piece(before)}**{md(match)}**{md_piece(after)}"
