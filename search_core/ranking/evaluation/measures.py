"""How good an order of results is: the measures of trec_eval, by ir-measures, each with how much of it was judged.

Intervals are over searches: labels of one search are alike, so searches are drawn anew and not results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import ir_measures
import numpy as np
from ir_measures import Judged, P, nDCG
from numpy.typing import NDArray

from search_core.domain import Label, RankingOptions
from search_core.ranking import arrange
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels

FEWEST_SEARCHES = 5
"""Below that, drawing searches anew says nothing, and no interval is given."""
CONFIDENCE = 0.9
_DRAWS = 2000
DEPTH = 10
_RANKED = {"ndcg": nDCG @ DEPTH, "precision": P @ DEPTH, "judged": Judged @ DEPTH}
GAINS = {Label.RELEVANT: 1, Label.NOT_RELEVANT: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with the interval in which it lies with 90 % confidence; no interval where searches are too few."""

    value: float | None
    """None where there is nothing to count."""
    low: float | None = None
    high: float | None = None
    searches: int = 0

    @property
    def differs(self) -> bool:
        """Return whether the interval of a difference leaves 0 out: else no difference is shown."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def mean_over_searches(values: NDArray[np.float64]) -> Figure:
    """Return the mean of *values*, one for each search, with its interval."""
    return share_over_searches(values, np.ones(len(values)))


def share_over_searches(part: NDArray[np.float64], whole: NDArray[np.float64]) -> Figure:
    """Return what share *part* has of *whole*, each counted by search, and the middle 90 % of it over searches drawn anew."""
    searches = int((whole > 0).sum())
    if not searches:
        return Figure(value=None)
    value = float(part.sum() / whole.sum())
    if searches < FEWEST_SEARCHES:
        return Figure(value=value, searches=searches)
    draws = draw_searches(len(whole))
    drawn = draws @ whole
    low, high = np.quantile((draws @ part)[drawn > 0] / drawn[drawn > 0], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Figure(value=value, low=float(low), high=float(high), searches=searches)


@lru_cache(maxsize=4)
def draw_searches(searches: int) -> NDArray[np.float64]:
    """Return how often each search is drawn, a row for each draw; the same for the same number, so that figures stand still."""
    chance = np.random.default_rng(searches)
    return chance.multinomial(searches, np.full(searches, 1 / searches), size=_DRAWS).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMeasures:
    """The measures of one search, each in [0, 1]; unjudged results count as not relevant, and `judged` says how many are not."""

    search: str
    ndcg: float
    """nDCG@10."""
    precision: float
    """P@10."""
    judged: float
    """Judged@10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a set of labelled searches says of settings."""

    each: tuple[SearchMeasures, ...]
    """Searches with a relevant result: of others no order is better than another."""
    ndcg: Figure
    precision: Figure
    judged: Figure
    shown_relevant: Figure
    """Share of the judged results shown that are relevant."""
    shown_judged: Figure
    """Share of the results shown that are judged."""
    found: Figure
    """Share of the relevant results that are shown, of those that were found at all."""
    answerless: int
    """Searches of which nothing that was judged is relevant."""
    answerless_empty: int
    """Of these, those that show nothing."""


def measure(searches: Sequence[LabelledSearch], ranking: RankingOptions) -> Measures:
    """Return how *searches* do when their results are placed by *ranking*."""
    each = measure_each(searches, ranking)
    labels = ScoredLabels.of(searches, ranking)
    shown = labels.shown(ranking.threshold)
    known, hits = shown & labels.judged, shown & labels.relevant
    answerless, empty = count_answerless(searches, labels, ranking)
    return Measures(
        each=each,
        ndcg=mean_over_searches(np.array([one.ndcg for one in each])),
        precision=mean_over_searches(np.array([one.precision for one in each])),
        judged=mean_over_searches(np.array([one.judged for one in each])),
        shown_relevant=share_over_searches(labels.per_search(hits), labels.per_search(known)),
        shown_judged=share_over_searches(labels.per_search(known), labels.per_search(shown)),
        found=share_over_searches(labels.per_search(hits), labels.per_search(labels.relevant)),
        answerless=answerless,
        answerless_empty=empty,
    )


def count_answerless(searches: Sequence[LabelledSearch], labels: ScoredLabels, ranking: RankingOptions) -> tuple[int, int]:
    """Return of how many *searches* nothing that was judged is relevant, and how many of these show nothing."""
    shown = labels.per_search(labels.shown(ranking.threshold))
    answerless = [number for number, search in enumerate(searches) if search.answerless]
    return len(answerless), sum(1 for number in answerless if not shown[number])


def measure_each(searches: Sequence[LabelledSearch], ranking: RankingOptions) -> tuple[SearchMeasures, ...]:
    """Return the measures of each search that has a relevant result, of the order in which the page places all that was found."""
    wanted = [search for search in searches if any(map(search.relevance, search.results))]
    judged = {search.id: _judgements(search) for search in wanted}
    runs = {search.id: _places(search, ranking) for search in wanted}
    values: dict[str, dict[str, float]] = {search.id: {} for search in wanted}
    names = {measure: name for name, measure in _RANKED.items()}
    for found in ir_measures.iter_calc(list(_RANKED.values()), judged, runs) if wanted else ():
        values[found.query_id][names[found.measure]] = float(found.value)
    return tuple(SearchMeasures(search=search.id, **values[search.id]) for search in wanted)


def _judgements(search: LabelledSearch) -> dict[str, int]:
    return {address: GAINS[label] for address, label in search.labels.items() if label in GAINS}


def _places(search: LabelledSearch, ranking: RankingOptions) -> dict[str, float]:
    """Return a number for each result that falls with its position; equal scores would be ordered by address."""
    shown, hidden = arrange(search.results, ranking)
    return {result.url: float(-place) for place, result in enumerate((*shown, *hidden))}
