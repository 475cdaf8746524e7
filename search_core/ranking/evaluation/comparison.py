"""Two settings held against each other on the same labelled searches, and weights that place them better, if there are any.

No request is sent, nothing is embedded, and a proposal is never applied unasked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from search_core.domain import RankingOptions, RankingWeights, SearchResult, result_key
from search_core.ranking import arrange
from search_core.ranking.evaluation.labels import LabelledSearch
from search_core.ranking.evaluation.measures import Figure, Measures, mean_over_searches, measure, measure_each

FEWEST_SEARCHES = 20
"""Searches with relevant and other results that are asked for: weights found from fewer are found by chance."""
_FOLDS = 5
_FACTORS = (0.0, 0.5, 2.0)
_NAMES = tuple(field.name for field in fields(RankingWeights))


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
class Comparison:
    """Two settings side by side."""

    first: Measures
    second: Measures
    ndcg: Figure
    """By how much the second differ from the first, search by search: the mean difference and its interval."""
    precision: Figure
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
        ndcg=mean_over_searches(np.array([two.ndcg - one.ndcg for one, two in pairs])),
        precision=mean_over_searches(np.array([two.precision - one.precision for one, two in pairs])),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightProposal:
    """Says which weights the labels speak for, and how sure that is."""

    weights: RankingWeights | None
    """The best on all searches; None where there are too few searches, or none is shown to be better than today's."""
    gain: Figure | None
    """nDCG@10 on searches that were not used to choose, less today's; None where there are too few searches."""
    searches: int
    missing_searches: int


def propose_weights(searches: Sequence[LabelledSearch], ranking: RankingOptions) -> WeightProposal:
    """Return better weights than those of *ranking*, chosen among those with one or two weights put to none, half or double.

    Few candidates, and judged on searches that had no say in the choice (cross-validation by search), so that what is proposed
    is not what happens to fit.
    """
    telling = [search for search in searches if {True, False} <= {search.relevance(result) for result in search.results}]
    if len(telling) < FEWEST_SEARCHES:
        return WeightProposal(weights=None, gain=None, searches=len(telling), missing_searches=FEWEST_SEARCHES - len(telling))
    candidates = [ranking.weights, *_variations(ranking.weights)]
    quality = np.array(
        [[each.ndcg for each in measure_each(telling, replace(ranking, weights=weights))] for weights in candidates]
    )
    gain = mean_over_searches(_held_out(quality))
    best = candidates[int(quality.mean(axis=1).argmax())]
    better = gain.differs and (gain.value or 0.0) > 0 and best != ranking.weights
    return WeightProposal(weights=best if better else None, gain=gain, searches=len(telling), missing_searches=0)


def _held_out(quality: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each search (column) what the candidate (row) chosen on the searches of other folds gains over the first row."""
    searches = quality.shape[1]
    fold = np.random.default_rng(searches).permutation(searches) % _FOLDS
    gains = np.zeros(searches)
    for number in range(_FOLDS):
        chosen = int(quality[:, fold != number].mean(axis=1).argmax())
        gains[fold == number] = (quality[chosen] - quality[0])[fold == number]
    return gains


def _variations(weights: RankingWeights) -> Iterator[RankingWeights]:
    for name, factor in product(_NAMES, _FACTORS):
        yield replace(weights, **{name: _scaled(weights, name, factor)})
    for one, two in combinations(_NAMES, 2):
        for first, second in product(_FACTORS, repeat=2):
            yield replace(weights, **{one: _scaled(weights, one, first), two: _scaled(weights, two, second)})


def _scaled(weights: RankingWeights, name: str, factor: float) -> float:
    return float(min(1.0, getattr(weights, name) * factor))
