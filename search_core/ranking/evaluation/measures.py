"""How good an order of results is, each measure with the interval in which it lies.

Intervals are over searches: labels of one search are alike, so searches are drawn anew and not results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search_core.domain import RankingOptions
from search_core.ranking import arrange
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels

FEWEST_SEARCHES = 5
"""Below that, drawing searches anew says nothing, and no interval is given."""
CONFIDENCE = 0.9
DEPTH = 10
_DRAWS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with the interval in which it lies with 90 % confidence; no interval where searches are too few."""

    value: float | None
    """None where there is nothing to count."""
    low: float | None = None
    high: float | None = None
    searches: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a set of labelled searches says of an order and of a threshold.

    The first three are means over the searches with a relevant result: of others no order is better than another.
    """

    ndcg: Figure
    """nDCG@10; unjudged results count as not relevant, here and in the next."""
    precision: Figure
    """P@10."""
    judged: Figure
    """Share of the first ten results that are judged."""
    shown_relevant: Figure
    """Share of the judged results shown that are relevant."""
    found: Figure
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
        shown_relevant=share_over_searches(hits, judged),
        found=share_over_searches(hits, labels.per_search(labels.relevant)),
    )


def share_over_searches(part: NDArray[np.float64], whole: NDArray[np.float64]) -> Figure:
    """Return what share *part* has of *whole*, each counted by search, and the middle 90 % of it over searches drawn anew."""
    searches = int((whole > 0).sum())
    if not searches:
        return Figure(value=None)
    value = float(part.sum() / whole.sum())
    if searches < FEWEST_SEARCHES:
        return Figure(value=value, searches=searches)
    draws = _draw_searches(len(whole))
    drawn = draws @ whole
    low, high = np.quantile((draws @ part)[drawn > 0] / drawn[drawn > 0], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Figure(value=value, low=float(low), high=float(high), searches=searches)


def _mean(values: Sequence[float]) -> Figure:
    return share_over_searches(np.array(values, dtype=np.float64), np.ones(len(values)))


def _draw_searches(searches: int) -> NDArray[np.float64]:
    """Return how often each search is drawn, a row for each draw; the same for the same number, so that figures stand still."""
    chance = np.random.default_rng(searches)
    return chance.multinomial(searches, np.full(searches, 1 / searches), size=_DRAWS).astype(np.float64)


def _known_in_order(search: LabelledSearch, ranking: RankingOptions) -> list[bool | None]:
    """Return whether each result is relevant, where that is known, in the order in which the page places all that was found."""
    shown, hidden = arrange(search.results, ranking)
    return [search.relevance(result) for result in (*shown, *hidden)]


def _ndcg(relevant: Sequence[bool]) -> float:
    """Return the discounted gain of the first ten, as a share of the best there can be (Järvelin and Kekäläinen, 2002)."""
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    best = discounts[: sum(relevant)].sum()
    return float(discounts[: len(relevant)][np.array(relevant[:DEPTH], dtype=np.bool_)].sum() / best)
