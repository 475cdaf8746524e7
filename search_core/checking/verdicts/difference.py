"""Where a sentence of the web differs from one of the video, for readers: numbers, dates and single words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from search_core.language.statements.figures import Figure
from search_core.language.statements.periods import Period
from search_core.language.statements.proposition import Amounts, amounts_in

Span = tuple[int, int]

NEAR = 0.5
"""Share of common words from which two sentences count as the same except for a few words."""
MAX_WORDS = 4
"""If more words differ, the sentence is worded differently as a whole, and no words are marked."""
MAX_CHARS = 400
_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*")


@lru_cache(maxsize=1024)
def differing_parts(said: str, found: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans in *said* and in *found*, in order, where the two differ.

    A number or a date differs if the other side has one of its kind and no equal one ("36.8퍼센트" equals "36.8%"). Words differ
    if the sentences are otherwise nearly the same.
    """
    said, found = said[:MAX_CHARS], found[:MAX_CHARS]
    mine, theirs = amounts_in(said, None), amounts_in(found, None)
    words, other_words = _differing_words(said, found)
    return _marked(mine, theirs, words), _marked(theirs, mine, other_words)


def shared_values(said: str, found: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans of numbers and dates in *said* that are equal to one in *found*, and their spans there."""
    mine, theirs = amounts_in(said[:MAX_CHARS], None), amounts_in(found[:MAX_CHARS], None)
    return _equal(mine, theirs), _equal(theirs, mine)


def _equal(mine: Amounts, theirs: Amounts) -> tuple[Span, ...]:
    values: list[Figure | Period] = [figure for figure in mine.figures if figure.is_among(theirs.figures)]
    values += [period for period in mine.periods if any(map(period.may_be, theirs.periods))]
    return _joined([(value.start, value.end) for value in values])


def _marked(mine: Amounts, theirs: Amounts, words: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of the values of *mine* that differ, and of those *words* that are not part of any value."""
    differing: list[Figure | Period] = [
        figure
        for figure in mine.figures
        if any(other.dimension == figure.dimension for other in theirs.figures) and not figure.is_among(theirs.figures)
    ]
    differing += [period for period in mine.periods if theirs.periods and not any(map(period.may_be, theirs.periods))]
    values: list[Figure | Period] = [*mine.figures, *mine.periods]
    others = [(start, end) for start, end in words if not any(start < value.end and value.start < end for value in values)]
    return _joined([*((value.start, value.end) for value in differing), *others])


def _differing_words(said: str, found: str) -> tuple[list[Span], list[Span]]:
    mine, theirs = ([(match.group().casefold(), match.span()) for match in _WORD.finditer(text)] for text in (said, found))
    one, other = ([word if word[0].isascii() else word[:2] for word, _ in words] for words in (mine, theirs))  # Korean inflects
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.ratio() < NEAR:
        return [], []
    replaced = [code for code in matcher.get_opcodes() if code[0] == "replace"]
    left = [mine[place][1] for _, start, end, _, _ in replaced for place in range(start, end)]
    right = [theirs[place][1] for _, _, _, start, end in replaced for place in range(start, end)]
    if max(len(left), len(right)) > MAX_WORDS:
        return [], []
    if left and right and left[-1] == mine[-1][1] and right[-1] == theirs[-1][1]:
        verb, other_verb = mine[-1][0], theirs[-1][0]
        if verb[0] == other_verb[0] and not verb[0].isascii():  # Korean sentences end with an inflected verb
            return left[:-1], right[:-1]
    return left, right


def _joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
