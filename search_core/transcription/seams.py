"""Joins what was recognised in neighbouring, overlapping pieces, so that nothing is told twice and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from search_core.domain import TranscriptSegment
from search_core.transcription.loudness import Stretch
from search_core.transcription.recognised import Recognised

_WORD = re.compile(r"[぀-ヿ㐀-鿿]|[^\s぀-ヿ㐀-鿿]+")
"""A word between spaces; of Japanese and Chinese, a letter."""
_SLACK_S = 1.0
"""Moments of words are worked out from those of their segment."""
_MAX_WORDS = 400
"""Nobody says more in a seam."""
_LEAST_LETTERS = 4
"""Fewer letters in common may be chance."""


@dataclass(frozen=True, slots=True)
class _Word:
    segment: int
    start: int
    end: int
    """Where it stands in the text of its segment."""
    moment_s: float
    """Of its middle."""
    spoken: str


def join(left: Recognised, right: Recognised, *, cut_s: float, shared: Stretch) -> Recognised:
    """Return *left* and then *right*, which overlap in *shared* and were to be cut at *cut_s*; all on one clock.

    Both tell the shared sound: where they agree on a run of words, they are joined in its middle, elsewhere at the cut.
    """
    left_words, right_words = _words(left.segments), _words(right.segments)
    tail = [word for word in left_words if word.moment_s >= shared.start_s - _SLACK_S][-_MAX_WORDS:]
    head = [word for word in right_words if word.moment_s <= shared.end_s + _SLACK_S][:_MAX_WORDS]
    match = SequenceMatcher(None, [w.spoken for w in tail], [w.spoken for w in head], autojunk=False).find_longest_match()
    common = sum(len(word.spoken) for word in tail[match.a : match.a + match.size])
    if match.size and common >= _LEAST_LETTERS:
        half = (match.size + 1) // 2
        kept = len(left_words) - len(tail) + match.a + half
        dropped = match.b + half
    else:
        kept = len(left_words) - sum(word.moment_s >= cut_s for word in tail)
        dropped = sum(word.moment_s < cut_s for word in head)
    segments = (*_first(left.segments, left_words[:kept]), *_last(right.segments, right_words[dropped:]))
    return Recognised(segments=segments, doubts=(*left.doubts, *right.doubts), language=left.language or right.language)


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
