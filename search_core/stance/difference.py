"""Where a sentence of the web differs from one of the video, for readers: in numbers and dates, and in the odd word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from search_core.stance.claim import amounts_in
from search_core.stance.figures import Figure
from search_core.stance.periods import Period

Span = tuple[int, int]

NEAR = 0.5
"""Share of words in common from which on two sentences are one but for a few words."""
MAX_WORDS = 4
"""More words that differ are another way to say it, and are not marked."""
MAX_CHARS = 400
_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*")


@lru_cache(maxsize=1024)
def differing_parts(said: str, found: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the places in *said* and in *found*, in order, where the two differ.

    A number or a date differs where the other side has one of its kind and none that is equal ("36.8퍼센트" is "36.8%"). Words
    differ where the sentences are the same but for a few.
    """
    said, found = said[:MAX_CHARS], found[:MAX_CHARS]
    mine, theirs = amounts_in(said, None), amounts_in(found, None)
    values: list[Figure | Period] = [*mine.figures, *mine.periods]
    other_values: list[Figure | Period] = [*theirs.figures, *theirs.periods]
    words, other_words = _differing_words(said, found)
    return (
        _joined([*_differing_values(values, other_values), *_outside(words, values)]),
        _joined([*_differing_values(other_values, values), *_outside(other_words, other_values)]),
    )


def _differing_values(values: Sequence[Figure | Period], others: Sequence[Figure | Period]) -> list[Span]:
    found = []
    for value in values:
        alike = [other for other in others if _of_a_kind(value, other)]
        if alike and not any(_equal(value, other) for other in alike):
            found.append((value.start, value.end))
    return found


def _of_a_kind(one: Figure | Period, other: Figure | Period) -> bool:
    if isinstance(one, Figure) and isinstance(other, Figure):
        return one.dimension == other.dimension
    return isinstance(one, Period) and isinstance(other, Period)


def _equal(one: Figure | Period, other: Figure | Period) -> bool:
    if isinstance(one, Figure) and isinstance(other, Figure):
        return one.equals(other)
    fields = ("year", "half", "quarter", "month", "day")
    return all(
        getattr(one, name) == getattr(other, name) or None in (getattr(one, name), getattr(other, name)) for name in fields
    )


def _differing_words(said: str, found: str) -> tuple[list[Span], list[Span]]:
    mine, theirs = ([(match.group().casefold(), match.span()) for match in _WORD.finditer(text)] for text in (said, found))
    keys: list[str] = []
    one, other = ([_key(word, keys) for word, _ in words] for words in (mine, theirs))
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.ratio() < NEAR:
        return [], []
    replaced = [code for code in matcher.get_opcodes() if code[0] == "replace"]
    left = [mine[place][1] for _, start, end, _, _ in replaced for place in range(start, end)]
    right = [theirs[place][1] for _, _, _, start, end in replaced for place in range(start, end)]
    if max(len(left), len(right)) > MAX_WORDS:
        return [], []
    if left and right and left[-1] == mine[-1][1] and right[-1] == theirs[-1][1] and _begin_alike(mine[-1][0], theirs[-1][0]):
        return left[:-1], right[:-1]
    return left, right


def _begin_alike(one: str, other: str) -> bool:
    """Return whether the last words of two sentences begin alike: Korean ends with the verb, and verbs in many ways."""
    return one[0] == other[0] and not one[0].isascii()


def _key(word: str, keys: list[str]) -> str:
    """Return the first of *keys* that is the same word with another ending, or *word*, which joins them."""
    known = next((key for key in keys if _same_stem(word, key)), None)
    if known is None:
        keys.append(word)
    return known or word


def _same_stem(one: str, other: str) -> bool:
    """Return whether more than half of the shorter word begins the other, which a number must be altogether."""
    if one == other or one[0].isdigit() or other[0].isdigit() or one[0].isascii():
        return one == other
    common = next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
    return common * 2 > min(len(one), len(other))


def _outside(words: Sequence[Span], values: Sequence[Figure | Period]) -> list[Span]:
    """Return *words* that are no part of a number or date: these are held against each other by their values."""
    return [(start, end) for start, end in words if not any(start < value.end and value.start < end for value in values)]


def _joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
