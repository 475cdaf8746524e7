"""Weights that place labelled results better than today's, if there are any; a proposal, never applied unasked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from search_core.domain import RankingOptions, RankingWeights
from search_core.evaluation.comparison import Difference, paired_difference
from search_core.evaluation.labels import LabelledSearch
from search_core.evaluation.measures import measure_each

FEWEST_SEARCHES = 20
"""Searches with relevant and other results that are asked for: weights found from fewer are found by chance."""
_FOLDS = 5
_FACTORS = (0.0, 0.5, 2.0)
_NAMES = tuple(field.name for field in fields(RankingWeights))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightProposal:
    """Says which weights the labels speak for, and how sure that is."""

    weights: RankingWeights | None
    """The best on all searches; None where there are too few searches, or none is shown to be better than today's."""
    gain: Difference | None
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
    gain = paired_difference(_held_out(quality))
    best = candidates[int(quality.mean(axis=1).argmax())]
    better = gain.shown and (gain.figure.value or 0.0) > 0 and best != ranking.weights
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
