"""Finds where a recogniser says the same over and over, as Whisper does over music and silence, at high confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from search_core.domain import TranscriptSegment, UncertainReason, UncertainStretch
from search_core.transcription.loudness import TimeSpan
from search_core.transcription.recognised import doubt

_TIMES = 4
"""Choruses and assent ("네, 네, 네") repeat less often."""
_TIMES_INSIDE = 5
_LETTERS = 24
"""A loop has at least so many letters in all."""
_PERIOD = 4
"""Segments of one round."""
_LETTERS_OF_A_ROUND = 80
_MAX_LETTERS = 20_000


@dataclass(frozen=True, slots=True)
class Loop:
    """Segments *first* to *last* say the same over and over, in rounds of *period* segments; 0 for within one segment."""

    first: int
    last: int
    period: int


def find_loops(segments: Sequence[TranscriptSegment]) -> list[Loop]:
    """Return the loops in *segments*, in order; they do not overlap."""
    spoken = [_letters(each.text) for each in segments]
    loops: list[Loop] = []
    at = 0
    while at < len(segments):
        across = max((_loop_from(spoken, at, period) for period in range(1, _PERIOD + 1)), key=lambda loop: loop.last)
        if across.last > at:
            loops.append(across)
        elif _inner_loop(spoken[at]) is not None:
            loops.append(Loop(at, at, 0))
        at = max(across.last, at) + 1
    return loops


def stretch_of(segments: Sequence[TranscriptSegment], loop: Loop) -> TimeSpan:
    """Return the time that *loop* takes."""
    return TimeSpan(segments[loop.first].start_s, segments[loop.last].end_s)


def collapse(segments: Sequence[TranscriptSegment]) -> tuple[tuple[TranscriptSegment, ...], tuple[UncertainStretch, ...]]:
    """Return *segments* with every loop reduced to one round, and the stretches where there were loops."""
    collapsed: list[TranscriptSegment] = []
    doubts: list[UncertainStretch] = []
    at = 0
    for loop in find_loops(segments):
        collapsed += segments[at : loop.first]
        if loop.period:
            collapsed += segments[loop.first : loop.first + loop.period]
        else:
            segment = segments[loop.first]
            collapsed.append(TranscriptSegment(segment.start_s, segment.end_s, _without_repetition(segment.text)))
        whole = stretch_of(segments, loop)
        doubts.append(doubt(TranscriptSegment(whole.start_s, whole.end_s, ""), UncertainReason.REPEATED))
        at = loop.last + 1
    return (*collapsed, *segments[at:]), tuple(doubts)


def _loop_from(spoken: list[str], first: int, period: int) -> Loop:
    """Return the longest loop that begins at *first* with rounds of *period* segments; one of that segment alone is none."""
    last = first + period - 1
    while last + 1 < len(spoken) and spoken[last + 1] == spoken[last + 1 - period]:
        last += 1
    times = (last - first + 1) // period
    letters = sum(map(len, spoken[first : last + 1]))
    return Loop(first, last, period) if times >= _TIMES and letters >= _LETTERS else Loop(first, first, period)


def _inner_loop(spoken: str) -> tuple[int, int, int] | None:
    """Return begin, end and period of the longest repetition in *spoken*, in letters; None where there is none."""
    best: tuple[int, int, int] | None = None
    text = spoken[:_MAX_LETTERS]
    for period in range(1, min(_LETTERS_OF_A_ROUND, len(text) // _TIMES_INSIDE) + 1):
        run = 0
        for at in range(period, len(text) + 1):
            if at < len(text) and text[at] == text[at - period]:
                run += 1
                continue
            length = run + period
            if run and length >= max(_LETTERS, _TIMES_INSIDE * period) and (best is None or length > best[1] - best[0]):
                best = (at - length, at, period)
            run = 0
    return best


def _without_repetition(text: str) -> str:
    """Return *text* with its longest repetition reduced to one round."""
    places = [at for at, char in enumerate(text) if char.isalnum()]
    loop = _inner_loop(_letters(text))
    if loop is None:
        return text
    begin, end, period = loop
    rest = places[end] if end < len(places) else len(text)
    return " ".join((text[: places[begin + period - 1] + 1] + " " + text[rest:]).split())


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
