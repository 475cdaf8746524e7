"""What was recognised, with its doubts, put right.

Moments come tangled, negative, endless or not as numbers; Whisper says the same over and over where there is music or
silence, at high confidence; and neighbouring pieces overlap, so that they are joined with nothing repeated and nothing lost.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import Match
from itertools import accumulate

from search_core.domain import RecognizedSegment, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.speech.cutting import TimeSpan

_BEYOND_S = 1.0
"""Whisper rounds the end of its window up."""
_SHORTEST_S = 0.1
_FEW = 3
"""Fewer segments say nothing about an endpoint."""
_TIMES = 4
"""Choruses and assent ("네, 네, 네") repeat less often."""
_TIMES_INSIDE = 5
_LETTERS = 24
"""A loop has at least so many letters in all."""
_PERIOD = 4
"""Segments of one round."""
_LETTERS_OF_A_ROUND = 80
_MAX_LETTERS = 20_000
_WORD = re.compile(r"[぀-ヿ㐀-鿿]|[^\s぀-ヿ㐀-鿿]+")
"""A word between spaces; of Japanese and Chinese, a letter."""
_UNLIKELY = -1.0
"""Whisper's decoder and OpenAI's description of ``avg_logprob`` call what is below it failed."""
_SLACK_S = 1.0
"""Moments of words are worked out from those of their segment."""
_BOTH = 2
_MAX_WORDS = 400
"""Nobody says more in a seam."""
_LEAST_WEIGHT = 4
"""Less in common may be chance; a Latin letter weighs 1, any other 2."""
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Segments of some sound in order, and the stretches of them that are doubtful; all in seconds on one clock."""

    segments: tuple[TranscriptSegment, ...] = ()
    doubts: tuple[UncertainStretch, ...] = ()
    language: str = ""

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
        )


def doubt(segment: TranscriptSegment, reason: UncertainReason) -> UncertainStretch:
    """Return that all of *segment* is doubtful."""
    return UncertainStretch(segment.start_s, segment.end_s, reason)


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
    """Return *stated* with moments in order between 0 and *length_s*, and the stretches that were worked out or are unlikely.

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
    ordered = tuple(_in_sequence(segments))
    unlikely = [told for told, each in zip(ordered, stated, strict=True) if each.avg_logprob < _UNLIKELY]
    return ordered, (*doubts, *(doubt(told, UncertainReason.UNLIKELY) for told in unlikely))


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


@dataclass(frozen=True, slots=True)
class _Word:
    segment: int
    start: int
    end: int
    """Where it is in the text of its segment."""
    moment_s: float
    """Of its middle."""
    spoken: str


def join(left: Recognised, right: Recognised, *, cut_s: float, shared: TimeSpan) -> Recognised:
    """Return *left* and then *right*, which overlap in *shared* and were to be cut at *cut_s*; all on one clock.

    Both tell the shared sound: where they agree on a run of words, they are joined at its edge or amid it, where a sentence ends
    if there is such a place; elsewhere at the cut.
    """
    at = len(left.segments)
    while at and left.segments[at - 1].end_s >= shared.start_s - _SLACK_S:
        at -= 1
    far, left = left.segments[:at], replace(left, segments=left.segments[at:])
    near = _join_near(left, right, cut_s, shared)
    return replace(near, segments=(*far, *near.segments))


def _join_near(left: Recognised, right: Recognised, cut_s: float, shared: TimeSpan) -> Recognised:
    left_words, right_words = _words(left.segments), _words(right.segments)
    tail = [word for word in left_words if word.moment_s >= shared.start_s - _SLACK_S][-_MAX_WORDS:]
    head = [word for word in right_words if word.moment_s <= shared.end_s + _SLACK_S][:_MAX_WORDS]
    match = _find_common_run(tail, head)
    common = sum(1 if char.isascii() else 2 for word in tail[match.a : match.a + match.size] for char in word.spoken)
    if common < _LEAST_WEIGHT:
        kept = len(left_words) - sum(word.moment_s >= cut_s for word in tail)
        dropped = sum(word.moment_s < cut_s for word in head)
        first, last = _first(left.segments, left_words[:kept]), _last(right.segments, right_words[dropped:])
        return replace(left.then(right), segments=(*first, *last))
    before = len(left_words) - len(tail) + match.a
    seams = [(before + n, match.b + n) for n in range(match.size + 1)]
    ends = [_is_between(left_words, kept) + _is_between(right_words, dropped) for kept, dropped in seams]
    kept, dropped = max(zip(ends, seams, strict=True), key=lambda each: each[0])[1]
    first, last = _first(left.segments, left_words[:kept]), _last(right.segments, right_words[dropped:])
    if max(ends) < _BOTH and first and last:  # amid a sentence, which the pieces have cut
        space = "" if _NO_SPACE.match(first[-1].text[-1]) and _NO_SPACE.match(last[0].text) else " "
        whole = replace(first[-1], end_s=last[0].end_s, text=first[-1].text + space + last[0].text)
        first, last = [*first[:-1], whole], last[1:]
    return replace(left.then(right), segments=(*first, *last))


def _find_common_run(tail: Sequence[_Word], head: Sequence[_Word]) -> Match:
    """Return the longest run of words in both; of those as long, the one that both tell at the nearest moments."""
    best, best_apart = Match(0, 0, 0), 0.0
    before: dict[int, int] = {}
    for a, mine in enumerate(tail):
        sizes = {b: before.get(b - 1, 0) + 1 for b, theirs in enumerate(head) if theirs.spoken == mine.spoken}
        for b, size in sizes.items():
            apart = abs(mine.moment_s - head[b].moment_s)
            if size > best.size or (size == best.size and apart < best_apart):
                best, best_apart = Match(a - size + 1, b - size + 1, size), apart
        before = sizes
    return best


def _is_between(words: Sequence[_Word], at: int) -> bool:
    """Return whether no segment goes on from the word before *at* to the one there."""
    return not 0 < at < len(words) or words[at - 1].segment != words[at].segment


def _words(segments: Sequence[TranscriptSegment]) -> list[_Word]:
    """Return the words of *segments* that have letters, in order."""
    words: list[_Word] = []
    for number, segment in enumerate(segments):
        for found in _WORD.finditer(segment.text):
            if spoken := _letters(found.group()):
                share = (found.start() + found.end()) / 2 / len(segment.text)
                moment_s = segment.start_s + share * (segment.end_s - segment.start_s)
                words.append(_Word(number, found.start(), found.end(), moment_s, spoken))
    return words


def _first(segments: Sequence[TranscriptSegment], words: Sequence[_Word]) -> list[TranscriptSegment]:
    """Return *segments* as far as the last of *words*."""
    if not words:
        return []
    last = words[-1]
    segment = segments[last.segment]
    text = segment.text[: last.end]
    more = re.match(r"[^\w\s]*", segment.text[last.end :])  # the full stop behind it
    text += more.group() if more else ""
    whole = not _has_words(segment.text[last.end :])
    end_s = segment.end_s if whole else _at(segment, len(text))
    return [*segments[: last.segment], replace(segment, text=text, end_s=end_s)]


def _last(segments: Sequence[TranscriptSegment], words: Sequence[_Word]) -> list[TranscriptSegment]:
    """Return *segments* from the first of *words*."""
    if not words:
        return []
    first = words[0]
    segment = segments[first.segment]
    whole = not _has_words(segment.text[: first.start])
    kept = segment if whole else replace(segment, text=segment.text[first.start :], start_s=_at(segment, first.start))
    return [kept, *segments[first.segment + 1 :]]


def _at(segment: TranscriptSegment, letters: int) -> float:
    return segment.start_s + letters / len(segment.text) * (segment.end_s - segment.start_s)


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)
