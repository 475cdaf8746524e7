"""Joins what was recognised in neighbouring, overlapping pieces, so that nothing is repeated and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import Match

from search_core.domain import TranscriptSegment
from search_core.transcription.loudness import TimeSpan
from search_core.transcription.recognised import Recognised

_WORD = re.compile(r"[぀-ヿ㐀-鿿]|[^\s぀-ヿ㐀-鿿]+")
"""A word between spaces; of Japanese and Chinese, a letter."""
_SLACK_S = 1.0
"""Moments of words are worked out from those of their segment."""
_BOTH = 2
_MAX_WORDS = 400
"""Nobody says more in a seam."""
_LEAST_WEIGHT = 4
"""Less in common may be chance; a Latin letter weighs 1, any other 2."""
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


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
        return _joined(left, right, _first(left.segments, left_words[:kept]), _last(right.segments, right_words[dropped:]))
    before = len(left_words) - len(tail) + match.a
    seams = [(before + n, match.b + n) for n in range(match.size + 1)]
    ends = [_is_between(left_words, kept) + _is_between(right_words, dropped) for kept, dropped in seams]
    kept, dropped = max(zip(ends, seams, strict=True), key=lambda each: each[0])[1]
    first, last = _first(left.segments, left_words[:kept]), _last(right.segments, right_words[dropped:])
    if max(ends) < _BOTH and first and last:  # amid a sentence, which the pieces have cut
        space = "" if _NO_SPACE.match(first[-1].text[-1]) and _NO_SPACE.match(last[0].text) else " "
        whole = replace(first[-1], end_s=last[0].end_s, text=first[-1].text + space + last[0].text)
        first, last = [*first[:-1], whole], last[1:]
    return _joined(left, right, first, last)


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


def _joined(left: Recognised, right: Recognised, first: list[TranscriptSegment], last: list[TranscriptSegment]) -> Recognised:
    return Recognised(segments=(*first, *last), doubts=(*left.doubts, *right.doubts), language=left.language or right.language)


def _is_between(words: Sequence[_Word], at: int) -> bool:
    """Return whether no segment goes on from the word before *at* to the one there."""
    return not 0 < at < len(words) or words[at - 1].segment != words[at].segment


def _words(segments: Sequence[TranscriptSegment]) -> list[_Word]:
    """Return the words of *segments* that have letters, in order."""
    words: list[_Word] = []
    for number, segment in enumerate(segments):
        for found in _WORD.finditer(segment.text):
            spoken = "".join(char for char in found.group().lower() if char.isalnum())
            if spoken:
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
