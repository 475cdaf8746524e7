"""Articles that translate another one: sentence for sentence, in its order, with its values.

Thresholds were chosen on 46 news articles and their Korean translations: 33 are found. Of 84 pairs in which one language had only
the sentences that the other lacked, as if one story had been told twice, one is taken for a translation; of 2,070 pairs of
different articles none. Snippets are too short for it: the surest pairs of different ones are nearer to each other than half of
the translations are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta

from search_core import korean
from search_core.presenting.dates import aware
from search_core.sentences import sentences_of
from search_core.stance.across_languages import SPEAKS_OF_IT, Nearness
from search_core.stance.claim import amounts_in, claim_text

MAX_SENTENCES = 12
"""Sentences read of each article; later ones do not change whether it is a translation."""
LEAST_SENTENCES = 4
TRANSLATED = 0.4
"""Share of the shorter article's sentences that the other has, too."""
IN_ORDER = 0.8
"""Share of these that come in the same order."""
SAME_VALUES = 0.34
"""Share of the shorter article's values that the other has where it has any of their kind."""
MAX_APART = timedelta(days=14)
"""Translations appear within days; an anniversary's article is another one."""


def translated_pairs(
    texts: Sequence[str], dates: Sequence[datetime | None], nearness: Nearness | None
) -> tuple[tuple[int, int], ...]:
    """Return which two of *texts* are one article in two languages; none where no model sees meaning."""
    if nearness is None:
        return ()
    sentences = [tuple(map(claim_text, sentences_of(text, MAX_SENTENCES))) for text in texts]
    long_enough = [place for place, own in enumerate(sentences) if len(own) >= LEAST_SENTENCES]
    hangul = [place for place in long_enough if korean.has_hangul(" ".join(sentences[place]))]
    others = [place for place in long_enough if place not in hangul]
    near = _Near(nearness, [sentences[place] for place in hangul], [sentences[place] for place in others])
    pairs = [
        (hangul[one], others[other])
        for one, other in near.translations()
        if _not_far_apart(dates[hangul[one]], dates[others[other]])
        and _values_agree(sentences[hangul[one]], sentences[others[other]])
    ]
    return tuple((min(pair), max(pair)) for pair in pairs)


class _Near:
    """Holds how near the sentences of articles in one language are to those of articles in another."""

    def __init__(self, nearness: Nearness, own: Sequence[Sequence[str]], foreign: Sequence[Sequence[str]]) -> None:
        self._own, self._foreign = own, foreign
        rows = (
            nearness([text for each in own for text in each], [text for each in foreign for text in each])
            if own and foreign
            else ()
        )
        self._rows = rows or ()

    def translations(self) -> list[tuple[int, int]]:
        """Return which article of the one language translates which of the other."""
        if not self._rows:
            return []
        starts, foreign_starts = _starts(self._own), _starts(self._foreign)
        found = []
        for one, own in enumerate(self._own):
            for other, foreign in enumerate(self._foreign):
                first = foreign_starts[other]
                rows = [row[first : first + len(foreign)] for row in self._rows[starts[one] : starts[one] + len(own)]]
                if _tells(rows if len(own) <= len(foreign) else list(zip(*rows, strict=True))):
                    found.append((one, other))
        return found


def _starts(texts: Sequence[Sequence[str]]) -> list[int]:
    starts = [0]
    for each in texts:
        starts.append(starts[-1] + len(each))
    return starts


def _tells(rows: Sequence[Sequence[float]]) -> bool:
    """Return whether the sentences of *rows*, the shorter article's, are in the other, in its order."""
    places = [max(range(len(row)), key=row.__getitem__) for row in rows if max(row) >= SPEAKS_OF_IT]
    if len(places) / len(rows) < TRANSLATED:
        return False
    return _longest_rise(places) / len(places) >= IN_ORDER


def _longest_rise(numbers: Sequence[int]) -> int:
    """Return the length of the longest rising subsequence of *numbers* (patience sorting)."""
    ends: list[int] = []
    for number in numbers:
        place = bisect_left(ends, number)
        ends[place : place + 1] = [number]
    return len(ends)


def _values_agree(one: Sequence[str], other: Sequence[str]) -> bool:
    mine, theirs = (amounts_in(" ".join(each), None).figures for each in (one, other))
    shorter, longer = sorted((mine, theirs), key=len)
    comparable = [figure for figure in shorter if any(each.dimension == figure.dimension for each in longer)]
    met = [figure for figure in comparable if any(each.dimension == figure.dimension and each.equals(figure) for each in longer)]
    return not comparable or len(met) / len(comparable) >= SAME_VALUES


def _not_far_apart(one: datetime | None, other: datetime | None) -> bool:
    return one is None or other is None or abs(aware(one) - aware(other)) <= MAX_APART
