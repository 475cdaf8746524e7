"""Two settings held against each other on the same labelled searches; no request is sent and nothing is embedded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search_core.domain import RankingOptions, SearchResult, result_key
from search_core.evaluation.labels import LabelledSearch
from search_core.evaluation.measures import Measures, measure
from search_core.evaluation.resampling import Figure, mean_over_searches
from search_core.relevance import arrange

_FLIPS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A result that both settings show, at different positions, counted from 1."""

    result: SearchResult
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchChange:
    """What a search shows under the second settings that it does not under the first, and the other way round."""

    search: LabelledSearch
    entered: tuple[SearchResult, ...]
    left: tuple[SearchResult, ...]
    moved: tuple[Move, ...]

    @property
    def empty(self) -> bool:
        """Return whether both settings show the same in the same order."""
        return not (self.entered or self.left or self.moved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """By how much the second settings differ from the first in one measure, search by search."""

    figure: Figure
    """The mean difference and its interval, second less first."""
    chance: float | None
    """How often as large a mean comes about when chance says for each search which setting is which; None without searches."""

    @property
    def shown(self) -> bool:
        """Return whether the interval leaves 0 out: else no difference is shown."""
        low, high = self.figure.low, self.figure.high
        return low is not None and high is not None and (low > 0 or high < 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two settings side by side."""

    first: Measures
    second: Measures
    ndcg: Difference
    precision: Difference
    changes: tuple[SearchChange, ...]
    """Of the searches that show something else, the most changed first."""


def compare(searches: Sequence[LabelledSearch], first: RankingOptions, second: RankingOptions) -> Comparison:
    """Return how *searches* do under *first* and under *second*."""
    before, after = measure(searches, first), measure(searches, second)
    pairs = list(zip(before.each, after.each, strict=True))
    changes = [change for change in (change_of(search, first, second) for search in searches) if not change.empty]
    return Comparison(
        first=before,
        second=after,
        ndcg=paired_difference(np.array([two.ndcg - one.ndcg for one, two in pairs])),
        precision=paired_difference(np.array([two.precision - one.precision for one, two in pairs])),
        changes=tuple(sorted(changes, key=lambda each: (-len(each.entered) - len(each.left), -len(each.moved)))),
    )


def change_of(search: LabelledSearch, first: RankingOptions, second: RankingOptions) -> SearchChange:
    """Return what enters, leaves and moves among the results shown of *search*."""
    return _change(search, arrange(search.results, first)[0], arrange(search.results, second)[0])


def change_since(earlier: LabelledSearch, later: LabelledSearch, ranking: RankingOptions) -> SearchChange:
    """Return what a *later* search shows that an *earlier* one did not, and the other way round, both placed by *ranking*."""
    return _change(later, arrange(earlier.results, ranking)[0], arrange(later.results, ranking)[0])


def _change(search: LabelledSearch, before: Sequence[SearchResult], after: Sequence[SearchResult]) -> SearchChange:
    old, new = ({result_key(result.url): place for place, result in enumerate(shown, start=1)} for shown in (before, after))
    return SearchChange(
        search=search,
        entered=tuple(result for result in after if result_key(result.url) not in old),
        left=tuple(result for result in before if result_key(result.url) not in new),
        moved=tuple(
            Move(result=result, before=old[key], after=new[key])
            for result in after
            if (key := result_key(result.url)) in old and old[key] != new[key]
        ),
    )


def paired_difference(differences: NDArray[np.float64]) -> Difference:
    """Return the mean of *differences*, one for each search, with its interval, and how often chance alone gives as much.

    The signs are flipped at random (Fisher's permutation test of paired samples).
    """
    figure = mean_over_searches(differences)
    if figure.value is None:
        return Difference(figure=figure, chance=None)
    signs = np.random.default_rng(len(differences)).choice([-1.0, 1.0], size=(_FLIPS, len(differences)))
    as_large = np.abs(signs @ differences / len(differences)) >= abs(figure.value) - 1e-12
    return Difference(figure=figure, chance=float((as_large.sum() + 1) / (_FLIPS + 1)))
