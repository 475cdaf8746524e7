"""How good an order of results is, and what a threshold shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search_core.domain.result import RankingOptions
from search_core.ranking import arrange
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels

DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a set of labelled searches says of an order and of a threshold.

    The first three are means over the searches with a relevant result: of others no order is better than another. None where
    there is nothing to count.
    """

    ndcg: float | None
    """nDCG@10; unjudged results count as not relevant, here and in the next."""
    precision: float | None
    """P@10."""
    judged: float | None
    """Share of the first ten results that are judged."""
    shown_relevant: float | None
    """Share of the judged results shown that are relevant."""
    found: float | None
    """Share of the relevant results that are shown, of those that were found at all."""


def measure(searches: Sequence[LabelledSearch], ranking: RankingOptions) -> Measures:
    """Return how *searches* do when their results are placed by *ranking*."""
    orders = [order for search in searches if True in (order := _known_in_order(search, ranking))]
    labels = ScoredLabels.of(searches, ranking.max_results)
    shown = labels.shown(ranking.threshold)
    hits, judged = labels.per_search(shown & labels.relevant), labels.per_search(shown & labels.judged)
    return Measures(
        ndcg=_mean([_ndcg([known is True for known in order]) for order in orders]),
        precision=_mean([order[:DEPTH].count(True) / DEPTH for order in orders]),
        judged=_mean([1 - order[:DEPTH].count(None) / len(order[:DEPTH]) for order in orders]),
        shown_relevant=_share(hits, judged),
        found=_share(hits, labels.per_search(labels.relevant)),
    )


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> float | None:
    """Return what share *part* has of *whole*, each counted by search."""
    return float(part.sum() / whole.sum()) if whole.any() else None


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _known_in_order(search: LabelledSearch, ranking: RankingOptions) -> list[bool | None]:
    """Return whether each result is relevant, where that is known, in the order in which the page places all that was found."""
    shown, hidden = arrange(search.results, ranking)
    return [search.relevance(result) for result in (*shown, *hidden)]


def _ndcg(relevant: Sequence[bool]) -> float:
    """Return the discounted gain of the first ten, as a share of the best there can be (Järvelin and Kekäläinen, 2002)."""
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    best = discounts[: sum(relevant)].sum()
    return float(discounts[: len(relevant)][np.array(relevant[:DEPTH], dtype=np.bool_)].sum() / best)
