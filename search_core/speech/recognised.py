"""What was recognised, with its doubts: repeated words, unlikely words, words in silence, speech without words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from search_core.domain import RecognizedSegment, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.speech.cutting import TimeSpan

_BEYOND_S = 1.0
"""Whisper rounds the end of its window up."""
_SHORTEST_S = 0.1
_TIMES = 4
"""Choruses and assent ("네, 네, 네") repeat less often."""
_LETTERS = 24
"""A loop has at least so many letters in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Segments of some sound in order, and the stretches of them that are doubtful; all in seconds on one clock."""

    segments: tuple[TranscriptSegment, ...] = ()
    doubts: tuple[UncertainStretch, ...] = ()
    language: str = ""
    warning: str = ""
    """A Korean sentence about the recogniser, or empty."""

    def shift(self, by_s: float) -> Recognised:
        """Return the same on a clock that shows *by_s* seconds more."""
        return replace(
            self,
            segments=tuple(TranscriptSegment(s.start_s + by_s, s.end_s + by_s, s.text) for s in self.segments),
            doubts=tuple(UncertainStretch(d.start_s + by_s, d.end_s + by_s, d.reason) for d in self.doubts),
        )

    def then(self, other: Recognised) -> Recognised:
        """Return this and then *other*, which shares no sound with it."""
        return Recognised(
            segments=(*self.segments, *other.segments),
            doubts=(*self.doubts, *other.doubts),
            language=self.language or other.language,
            warning=self.warning or other.warning,
        )


def read_segments(
    stated: Sequence[RecognizedSegment], *, silences: Sequence[TimeSpan], speech: Sequence[TimeSpan], unheard_s: float
) -> Recognised:
    """Return *stated*, whose moments are in order, with its doubts; what repeats itself stands once.

    *speech* without a word for more than *unheard_s* seconds is a doubt.
    """
    segments: list[TranscriptSegment] = []
    doubts: list[UncertainStretch] = []
    for letters, group in groupby(stated, key=lambda each: "".join(filter(str.isalnum, each.text.lower()))):
        same = list(group)
        repeated = len(same) >= _TIMES and len(letters) * len(same) >= _LETTERS
        for each in same[:1] if repeated else same:
            end_s = same[-1].end_s if repeated else each.end_s
            segments.append(TranscriptSegment(each.start_s, end_s, each.text))
            if repeated:
                doubts.append(UncertainStretch(each.start_s, end_s, UncertainReason.REPEATED))
            elif each.unlikely:
                doubts.append(UncertainStretch(each.start_s, end_s, UncertainReason.UNLIKELY))
            if any(silence.start_s <= each.start_s and end_s <= silence.end_s for silence in silences):
                doubts.append(UncertainStretch(each.start_s, end_s, UncertainReason.SILENCE))
    unheard = (gap for span in speech for gap in _gaps(span, segments) if gap.length_s > unheard_s)
    doubts += [UncertainStretch(gap.start_s, gap.end_s, UncertainReason.UNHEARD) for gap in unheard]
    return Recognised(segments=tuple(segments), doubts=tuple(doubts))


def _gaps(span: TimeSpan, segments: Sequence[TranscriptSegment]) -> Iterator[TimeSpan]:
    """Yield what none of *segments* covers of *span*."""
    at_s = span.start_s
    for each in segments:
        yield TimeSpan(at_s, min(each.start_s, span.end_s))
        at_s = max(at_s, each.end_s)
    yield TimeSpan(at_s, span.end_s)


def put_in_order(stated: Sequence[RecognizedSegment], length_s: float) -> tuple[RecognizedSegment, ...] | None:
    """Return *stated* with ends that reach no further than the next beginning; None where moments are not told, or impossible.

    Some servers return none (all are 0), some other units (LocalAI: nanoseconds), some tangle them (whisper.cpp#3162).
    """
    starts_s = [each.start_s for each in stated]
    possible = all(-_BEYOND_S <= each.start_s <= each.end_s <= length_s + _BEYOND_S for each in stated)
    if not possible or starts_s != sorted(starts_s) or (len(starts_s) > 1 and len(set(starts_s)) == 1):
        return None
    ends_s = [*starts_s[1:], length_s]
    return tuple(
        replace(each, start_s=max(each.start_s, 0.0), end_s=max(min(each.end_s, end_s), each.start_s + _SHORTEST_S))
        for each, end_s in zip(stated, ends_s, strict=True)
    )
