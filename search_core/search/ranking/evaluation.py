"""Measures an order of results by people's labels, and recommends a threshold above which most results are relevant.

Thresholds are tested from the strictest down until one fails (Angelopoulos et al., Learn then Test, 2021, "fixed sequence"), each
by an exact binomial test (Clopper and Pearson, 1934). As results of one search are alike, it counts labels for less than their
number (Kish's design effect; Korn and Graubard, 1998).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from search_core.domain.report import Label, SearchReport, StoredSearch, result_key
from search_core.domain.result import RankingOptions, SearchResult
from search_core.search.ranking.filter import arrange

DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSearch:
    """Holds one search's scored results and their labels."""

    results: tuple[SearchResult, ...]
    """In any order; each has an address of its own."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """By the address of the result."""

    @classmethod
    def of(cls, stored: StoredSearch) -> LabelledSearch:
        """Return the labels of a stored search."""
        results = (*stored.report.results, *stored.report.hidden)
        keys = ((result.url, result_key(result.url)) for result in results)
        labels = {address: stored.labels[key] for address, key in keys if key in stored.labels}
        return cls(results=results, labels=labels)

    def relevance(self, result: SearchResult) -> bool | None:
        """Return whether *result* is relevant; None if it is unlabelled or the label is unsure."""
        label = self.labels.get(result.url)
        return None if label is None or label is Label.UNSURE else label is Label.RELEVANT


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredLabels:
    """Holds the results of many searches that can be shown, as arrays, and their searches' numbers."""

    search: NDArray[np.intp]
    """The number of the search, from 0."""
    score: NDArray[np.float64]
    within: NDArray[np.bool_]
    """Whether the result is among the first ones, as many as a page shows at most."""
    judged: NDArray[np.bool_]
    """Whether the result is labelled relevant or not relevant; False without a label or if the label is unsure."""
    relevant: NDArray[np.bool_]
    searches: int
    """Number of searches, including those without results."""

    @classmethod
    def of(cls, searches: Sequence[LabelledSearch], most: int) -> ScoredLabels:
        """Return the scored results of *searches*; ``within`` marks the results that a page without a threshold shows.

        These are at most *most* of the web and of the library each.
        """
        everything = RankingOptions(threshold=0.0, max_results=most)
        rows = [
            (number, result.relevance_score, within, search.relevance(result))
            for number, search in enumerate(searches)
            for within, results in zip((True, False), arrange(search.results, everything), strict=True)
            for result in results
            if result.relevance_score is not None
        ]
        return cls(
            search=np.array([number for number, *_ in rows], dtype=np.intp),
            score=np.array([score for _, score, *_ in rows], dtype=np.float64),
            within=np.array([within for *_, within, _ in rows], dtype=np.bool_),
            judged=np.array([relevant is not None for *_, relevant in rows], dtype=np.bool_),
            relevant=np.array([bool(relevant) for *_, relevant in rows], dtype=np.bool_),
            searches=len(searches),
        )

    def shown(self, threshold: float) -> NDArray[np.bool_]:
        """Return which results a page with *threshold* shows."""
        return self.within & (self.score >= threshold)

    def per_search(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the number of *which* results in each search."""
        return np.bincount(self.search[which], minlength=self.searches).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What labelled searches say about an order and a threshold.

    The first three are means over searches with a relevant result, as order does not matter in others. None without data.
    """

    ndcg: float | None
    """nDCG@10; unlabelled results count as not relevant."""
    precision: float | None
    """P@10; unlabelled results count as not relevant."""
    judged: float | None
    """Share of the first ten results that are judged."""
    shown_relevant: float | None
    """Share of the judged results shown that are relevant."""
    found: float | None
    """Share of the found relevant results that are shown."""


def measure(searches: Sequence[LabelledSearch], ranking: RankingOptions) -> Measures:
    """Return the measures of *searches* arranged by *ranking*."""
    arranged = ((search, *arrange(search.results, ranking)) for search in searches)
    known = ([search.relevance(result) for result in (*shown, *hidden)] for search, shown, hidden in arranged)
    orders = [order for order in known if True in order]
    labels = ScoredLabels.of(searches, ranking.max_results)
    passing = labels.shown(ranking.threshold)
    hits, judged = labels.per_search(passing & labels.relevant), labels.per_search(passing & labels.judged)
    return Measures(
        ndcg=_mean([_ndcg([label is True for label in order]) for order in orders]),
        precision=_mean([order[:DEPTH].count(True) / DEPTH for order in orders]),
        judged=_mean([1 - order[:DEPTH].count(None) / len(order[:DEPTH]) for order in orders]),
        shown_relevant=_share(hits, judged),
        found=_share(hits, labels.per_search(labels.relevant)),
    )


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> float | None:
    """Return the share of *part* in *whole*, both given as counts by search."""
    return float(part.sum() / whole.sum()) if whole.any() else None


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _ndcg(relevant: Sequence[bool]) -> float:
    """Return the nDCG of the first ten results (Järvelin and Kekäläinen, 2002)."""
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    best = discounts[: sum(relevant)].sum()
    return float(discounts[: len(relevant)][np.array(relevant[:DEPTH], dtype=np.bool_)].sum() / best)


CUTS: NDArray[np.float64] = np.round(np.arange(100, -1, -1) / 100, 2)
"""The thresholds that the sidebar knows, strictest first."""
PRECISION, CONFIDENCE = 0.8, 0.9
"""A recommended threshold promises that 80 % of the shown results are relevant, with 90 % confidence."""
FEWEST_SEARCHES = math.ceil(math.log(1 - CONFIDENCE) / math.log(PRECISION) - 1e-9)
"""Fewest labelled searches for a promise: even if all results of all searches are relevant, fewer could be chance."""
LEAST_LIKENESS = 0.3
"""Least assumed correlation of the labels within one search, as an estimate from few searches may be too low.

Simulated: with the estimate alone, up to 25 of 100 promises from nine searches of very different quality break; 10 are allowed.
"""
_STARTS = (0.0, 0.5)
_WHOLE = 1e-9
"""Tolerance for rounding errors before a quotient is rounded to a whole number."""
_Count: TypeAlias = tuple[float, NDArray[np.float64], NDArray[np.float64]]
"""A threshold, and for each search how many shown results are judged and how many of these are relevant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A recommended threshold, and the number of labels and searches that it rests on."""

    threshold: float | None
    """None if the labels support no promise."""
    labels: int
    """Number of labelled results that the threshold shows; of all labelled results if there is no threshold."""
    searches: int
    """Number of searches with these labels."""
    missing_searches: int = 0
    """Number of searches that still have to be labelled; 0 if there are enough."""

    @property
    def korean(self) -> str:
        """Return this as a sentence."""
        if self.threshold is not None:
            return (
                f"추천 기준 {self.threshold * 100:.0f}점: 보이는 결과의 {PRECISION:.0%} 이상이 관련 있어요. "
                f"({CONFIDENCE:.0%} 확신, 검색 {self.searches}건의 평가 {self.labels}개로)"
            )
        if self.missing_searches:
            return f"추천 기준을 계산하려면 검색 {self.missing_searches}건을 더 평가해 주세요."
        return f"평가 {self.labels}개로는 보이는 결과의 {PRECISION:.0%} 이상이 관련 있다고 약속할 기준이 없어요."


def suggest_for(report: SearchReport, stored: Sequence[StoredSearch]) -> Suggestion:
    """Return the threshold recommended by labels in those *stored* searches that were scored like *report*."""
    scored = report.scorer, report.scale
    alike = [LabelledSearch.of(search) for search in stored if (search.report.scorer, search.report.scale) == scored]
    return suggest_threshold(ScoredLabels.of(alike, report.options.ranking.max_results))


def suggest_threshold(labels: ScoredLabels) -> Suggestion:
    """Return the lowest threshold that keeps the promise, or that there is none.

    Two series of tests share the allowed chance of being wrong. The first begins at the strictest threshold that could pass if
    all its results were relevant, the second at the strictest that could pass if 10 % were irrelevant, half of what the promise
    allows. The first finds the few best results; one bad result among them does not stop the second.
    """
    shown = [(float(cut), labels.shown(float(cut)) & labels.judged) for cut in CUTS]
    counts = [(cut, labels.per_search(judged), labels.per_search(judged & labels.relevant)) for cut, judged in shown]
    certain = [(cut, judged) for share_wrong in _STARTS for cut, judged, _ in _walk(counts, share_wrong)]
    unsure = (None, labels.per_search(labels.judged))
    threshold, judged = min(certain, key=lambda count: count[0], default=unsure)
    searches = int((judged > 0).sum())
    return Suggestion(
        threshold=threshold,
        labels=int(judged.sum()),
        searches=searches,
        missing_searches=max(0, FEWEST_SEARCHES - searches),
    )


def _walk(counts: Sequence[_Count], share_wrong: float) -> Iterator[_Count]:
    """Yield the thresholds that pass the test, from the first that could pass with *share_wrong*, up to the first that fails."""
    started = False
    for cut, judged, relevant in counts:
        hoped = judged * (1 - share_wrong * (1 - PRECISION))
        started = started or _is_certain(judged, hoped)
        if started:
            if not _is_certain(judged, relevant):
                return
            yield cut, judged, relevant


def chance_of(judged: NDArray[np.float64], relevant: NDArray[np.float64], precision: float) -> float:
    """Return the probability of at least this many relevant results if their true share is *precision*, from counts by search.

    The more alike the labels of a search, the less each counts; relevant ones are rounded down, irrelevant ones up.
    """
    labels, hits = judged.sum(), relevant.sum()
    if hits <= 0:
        return 1.0
    worth = 1 + _likeness(judged, relevant) * (float((judged**2).sum() / labels) - 1)
    right, wrong = math.floor(hits / worth + _WHOLE), math.ceil((labels - hits) / worth - _WHOLE)
    return sum(_binomial(right + wrong, count, precision) for count in range(right, right + wrong + 1))


def _binomial(trials: int, hits: int, share: float) -> float:
    """Return the probability of exactly *hits* in *trials*; by logarithms, as factorials of many trials exceed floats."""
    ways = math.lgamma(trials + 1) - math.lgamma(hits + 1) - math.lgamma(trials - hits + 1)
    return math.exp(ways + hits * math.log(share) + (trials - hits) * math.log1p(-share))


def _is_certain(judged: NDArray[np.float64], relevant: NDArray[np.float64]) -> bool:
    """Return whether a threshold with these counts passes the test, so that its promise can be given."""
    enough = (judged > 0).sum() >= FEWEST_SEARCHES
    return bool(enough and chance_of(judged, relevant, PRECISION) <= (1 - CONFIDENCE) / len(_STARTS))


def _likeness(judged: NDArray[np.float64], relevant: NDArray[np.float64]) -> float:
    """Return the intra-class correlation of labels within a search, by analysis of variance; at least `LEAST_LIKENESS`."""
    judged, relevant = judged[judged > 0], relevant[judged > 0]
    searches, labels = len(judged), judged.sum()
    if searches < 2 or labels <= searches:
        return 1.0
    mean = relevant.sum() / labels
    between = (judged * (relevant / judged - mean) ** 2).sum() / (searches - 1)
    inside = (relevant * (1 - relevant / judged)).sum() / (labels - searches)
    size = (labels - (judged**2).sum() / labels) / (searches - 1)
    spread = between + (size - 1) * inside
    return max(LEAST_LIKENESS, float((between - inside) / spread) if spread > 0 else 0.0)
