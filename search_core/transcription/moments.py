"""Moments of segments as recognisers return them, put right: they come tangled, negative, endless or not as numbers."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from search_core.domain import RecognizedSegment, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.transcription.loudness import TimeSpan
from search_core.transcription.recognised import doubt

_BEYOND_S = 1.0
"""Whisper rounds the end of its window up."""
_SHORTEST_S = 0.1
_FEW = 3
"""Fewer segments say nothing about an endpoint."""


def has_usable_moments(segments: Sequence[RecognizedSegment], length_s: float) -> bool:
    """Return whether the moments of *segments* can be repaired: not all the same, and at least half of them in order.

    Some servers return none (all are 0), some return other units (LocalAI: nanoseconds).
    """
    if len(segments) < _FEW:
        return True
    return len({each.start_s for each in segments}) > 1 and 2 * len(_in_order(segments, length_s)) >= len(segments)


def mend_moments(
    stated: Sequence[RecognizedSegment], length_s: float
) -> tuple[tuple[TranscriptSegment, ...], tuple[UncertainStretch, ...]]:
    """Return *stated* with moments in order between 0 and *length_s*, and the stretches whose moments were worked out.

    The longest run of segments whose beginnings are in order is trusted; the others keep their place in the text and share the
    time between their trusted neighbours by their letters.
    """
    trusted = _in_order(stated, length_s)
    segments: list[TranscriptSegment] = []
    doubts: list[UncertainStretch] = []
    at = 0
    while at < len(stated):
        if at in trusted:
            segments.append(_bounded(stated[at], length_s))
            at += 1
            continue
        last = next((n for n in range(at, len(stated)) if n in trusted), len(stated))
        free = TimeSpan(segments[-1].end_s if segments else 0.0, stated[last].start_s if last < len(stated) else length_s)
        shared = _share(stated[at:last], free)
        segments += shared
        doubts += [doubt(each, UncertainReason.MOMENTS) for each in shared]
        at = last
    return tuple(_in_sequence(segments)), tuple(doubts)


def _in_order(stated: Sequence[RecognizedSegment], length_s: float) -> frozenset[int]:
    """Return which segments are trusted: the longest non-decreasing run of possible beginnings (patience sorting)."""
    ends: list[float] = []
    at_end: list[int] = []
    before: dict[int, int | None] = {}
    for at, each in enumerate(stated):
        if not _is_possible(each, length_s):
            continue
        place = bisect_right(ends, each.start_s)
        before[at] = at_end[place - 1] if place else None
        ends[place:], at_end[place:] = [each.start_s, *ends[place + 1 :]], [at, *at_end[place + 1 :]]
    found: list[int] = []
    step = at_end[-1] if at_end else None
    while step is not None:
        found.append(step)
        step = before[step]
    return frozenset(found)


def _is_possible(segment: RecognizedSegment, length_s: float) -> bool:
    start_s, end_s = segment.start_s, segment.end_s
    return math.isfinite(start_s) and math.isfinite(end_s) and -_BEYOND_S <= start_s <= end_s <= length_s + _BEYOND_S


def _bounded(segment: RecognizedSegment, length_s: float) -> TranscriptSegment:
    start_s = min(max(segment.start_s, 0.0), max(0.0, length_s - _SHORTEST_S))
    return TranscriptSegment(start_s, max(min(segment.end_s, length_s), start_s + _SHORTEST_S), segment.text)


def _share(stated: Sequence[RecognizedSegment], free: TimeSpan) -> list[TranscriptSegment]:
    letters = sum(len(each.text) for each in stated)
    length_s, shared = max(free.length_s, _SHORTEST_S * len(stated)), []
    start_s = free.start_s
    for each in stated:
        end_s = start_s + length_s * len(each.text) / letters
        shared.append(TranscriptSegment(start_s, end_s, each.text))
        start_s = end_s
    return shared


def _in_sequence(segments: list[TranscriptSegment]) -> list[TranscriptSegment]:
    """Return *segments*, none beginning before the one before it, each ended where the next begins."""
    starts_s = list(accumulate((each.start_s for each in segments), max))
    nexts_s = [*starts_s, math.inf][1:]
    return [
        TranscriptSegment(start_s, max(min(each.end_s, next_s), start_s + _SHORTEST_S), each.text)
        for each, start_s, next_s in zip(segments, starts_s, nexts_s, strict=True)
    ]
