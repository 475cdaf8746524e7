"""The threshold that keeps a promise: how much of what is shown is relevant, how sure that is, and what to judge next for it.

Cuts are tested from the strictest down, in a fixed order, and testing ends at the first that fails, so that looking at many cuts
spends no more than the one chance of being wrong that is allowed (Angelopoulos et al., Learn then Test, 2021, "fixed sequence").
Each test is an exact binomial one (Clopper and Pearson, 1934) on fewer labels than there are: results of one search are alike,
and the more alike they are, the less each says (Kish's design effect).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from search_core.ranking.evaluation.labels import ScoredLabels
from search_core.ranking.evaluation.measures import Figure, share_over_searches

CUTS: NDArray[np.float64] = np.round(np.arange(100, -1, -1) / 100, 2)
"""The thresholds that the sidebar knows, strictest first."""
LEAST_LIKENESS = 0.3
"""Correlation of the labels of one search that is taken for granted: few searches cannot show how different they are.

Simulated: with the estimate alone, up to 25 of 100 promises from nine searches of very different quality break, where 10 may.
"""
_STARTS = (0.0, 0.5)
MOST_LABELS_ASKED = 1000
"""No more labels than that are asked for: then the quality, not the number of labels, stands in the way."""
_Count: TypeAlias = tuple[float, NDArray[np.float64], NDArray[np.float64]]
"""A cut, and for each search how many shown results are judged and how many of these are relevant."""
_BAND = 0.15
"""Results so far below the cut are judged too: they show whether it can go down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """Says that at a threshold at least a share of what is shown is relevant, and from how much that is known."""

    threshold: float
    precision_at_least: float
    confidence: float
    labels: int
    """Labels of results that the threshold shows."""
    searches: int
    """Searches those labels are of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPromise:
    """Says why no threshold can be promised, and what is missing for one."""

    precision_at_least: float
    confidence: float
    labels: int
    searches: int
    missing_searches: int
    """Searches to be labelled beyond those there are; 0 where their number is enough."""
    missing_labels: int | None
    """Labels missing beyond those there are if results stay as good as they are; None where they are not good enough."""


def suggest_threshold(labels: ScoredLabels, precision: float = 0.8, confidence: float = 0.9) -> Promise | NoPromise:
    """Return the lowest threshold of which *precision* can be promised with *confidence*, or what is missing for one.

    Two walks share the chance of being wrong: one begins at the strictest cut whose labels would suffice if all were right, one
    where they would if half as many were wrong as may be. The first finds the few best results, the second is not stopped by one
    bad result among them.
    """
    counts = [(float(cut), *_counts(labels, float(cut))) for cut in CUTS]
    best: Promise | None = None
    for share_wrong in _STARTS:
        for cut, judged, _ in _walk(counts, precision, confidence, share_wrong):
            if best is None or cut < best.threshold:
                best = Promise(
                    threshold=cut,
                    precision_at_least=precision,
                    confidence=confidence,
                    labels=int(judged.sum()),
                    searches=int((judged > 0).sum()),
                )
    return best or _missing(labels, counts, precision, confidence)


def _walk(counts: Sequence[_Count], precision: float, confidence: float, share_wrong: float) -> Iterator[_Count]:
    """Yield the cuts that are certain, from the first that could be on to the first that is not."""
    started = False
    for cut, judged, relevant in counts:
        hoped = judged * (1 - share_wrong * (1 - precision))
        started = started or _is_certain(judged, hoped, precision, confidence)
        if started:
            if not _is_certain(judged, relevant, precision, confidence):
                return
            yield cut, judged, relevant


def describe_suggestion(suggestion: Promise | NoPromise) -> str:
    """Return *suggestion* as a Korean sentence."""
    precision, confidence = f"{suggestion.precision_at_least:.0%}", f"{suggestion.confidence:.0%}"
    if isinstance(suggestion, Promise):
        return (
            f"추천 기준 {suggestion.threshold:.2f}: 보이는 결과의 {precision} 이상이 관련 있어요. "
            f"({confidence} 확신, 검색 {suggestion.searches}건의 판정 {suggestion.labels}개로)"
        )
    if suggestion.missing_searches:
        return f"{precision}를 {confidence} 확신으로 약속하려면 판정한 검색이 {suggestion.missing_searches}건 더 있어야 해요."
    if suggestion.missing_labels is None:
        return f"어느 기준에서도 보이는 결과의 {precision} 이상이 관련 있다고 약속할 수 없어요."
    return f"{precision}를 {confidence} 확신으로 약속하려면 지금 같은 판정이 {suggestion.missing_labels}개쯤 더 있어야 해요."


def fewest_searches(precision: float, confidence: float) -> int:
    """Return how many searches a promise needs even if each showed nothing but relevant results.

    Were every search wholly good or wholly bad, so many good ones in a row would still come about by chance often enough.
    """
    return math.ceil(math.log(1 - confidence) / math.log(precision) - 1e-9)


def lower_bound(judged: NDArray[np.float64], relevant: NDArray[np.float64], confidence: float) -> float:
    """Return the share of relevant results that is exceeded with *confidence*, from counts for each search."""
    labels, hits = judged.sum(), relevant.sum()
    if hits <= 0:
        return 0.0
    worth = 1 + _likeness(judged, relevant) * (float((judged**2).sum() / labels) - 1)
    labels, hits = labels / worth, hits / worth
    return float(betaincinv(hits, labels - hits + 1, 1 - confidence))


def _is_certain(judged: NDArray[np.float64], relevant: NDArray[np.float64], precision: float, confidence: float) -> bool:
    """Return whether these counts bear the promise in one walk; how few searches may be is the same event in every walk."""
    enough = (judged > 0).sum() >= fewest_searches(precision, confidence)
    each = 1 - (1 - confidence) / len(_STARTS)
    return bool(enough and lower_bound(judged, relevant, each) >= precision)


def _likeness(judged: NDArray[np.float64], relevant: NDArray[np.float64]) -> float:
    """Return the correlation of labels of one search, by analysis of variance; at least `LEAST_LIKENESS`."""
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


def _counts(labels: ScoredLabels, cut: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    shown = labels.shown(cut) & labels.judged
    return labels.per_search(shown), labels.per_search(shown & labels.relevant)


def _missing(labels: ScoredLabels, counts: Sequence[_Count], precision: float, confidence: float) -> NoPromise:
    """Return what would have to be labelled, were further searches like the best cut of those there are."""
    searches = int((labels.per_search(labels.judged) > 0).sum())
    most: int | None = None
    for _, judged, relevant in counts:
        needed = _more_of_the_same(judged, relevant, precision, confidence)
        if needed is not None and (most is None or needed < most):
            most = needed
    return NoPromise(
        precision_at_least=precision,
        confidence=confidence,
        labels=int(labels.judged.sum()),
        searches=searches,
        missing_searches=max(0, fewest_searches(precision, confidence) - searches),
        missing_labels=most,
    )


def _more_of_the_same(
    judged: NDArray[np.float64], relevant: NDArray[np.float64], precision: float, confidence: float
) -> int | None:
    """Return how many more labels like these make the cut certain, or None where no reasonable number does."""
    labels = int(judged.sum())
    if not labels or relevant.sum() / labels <= precision:
        return None
    most = MOST_LABELS_ASKED // labels + 1

    def suffices(times: int) -> bool:
        return _is_certain(np.tile(judged, times), np.tile(relevant, times), precision, confidence)

    times = bisect_left(range(most + 1), True, lo=2, key=suffices)
    return labels * (times - 1) if times <= most else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """What a threshold shows."""

    threshold: float
    shown: int
    judged: int
    """How many of the results shown are judged."""
    relevant: int
    """How many of these are relevant."""
    precision: Figure
    """Share of the relevant among the judged results shown."""
    recall: Figure
    """Share of the relevant results found that are shown."""


def threshold_curve(labels: ScoredLabels) -> tuple[CurvePoint, ...]:
    """Return a point for each threshold that the sidebar knows, lowest first."""
    found = labels.per_search(labels.relevant)
    points = []
    for cut in map(float, CUTS[::-1]):
        shown = labels.shown(cut)
        judged, relevant = labels.per_search(shown & labels.judged), labels.per_search(shown & labels.relevant)
        points.append(
            CurvePoint(
                threshold=cut,
                shown=int(shown.sum()),
                judged=int(judged.sum()),
                relevant=int(relevant.sum()),
                precision=share_over_searches(relevant, judged),
                recall=share_over_searches(relevant, found),
            )
        )
    return tuple(points)


def choose_next(labels: ScoredLabels, threshold: float, count: int = 5) -> tuple[int, ...]:
    """Return the positions in *labels* of up to *count* results whose labels would say most about a cut at *threshold*.

    Only what is shown there, or would be a little further down, can change what is promised of it. Among those, searches with the
    fewest labels come first, for results of one search are alike, and within a search the results nearest to the cut.
    """
    open_ = labels.within & ~labels.labelled & (labels.score >= threshold - _BAND)
    had = np.bincount(labels.search[labels.judged & (labels.score >= threshold - _BAND)], minlength=labels.searches)
    chosen: list[int] = []
    waiting = [int(place) for place in np.flatnonzero(open_)]
    while waiting and len(chosen) < count:
        best = min(waiting, key=lambda place: _order(labels, place, threshold, had))
        waiting.remove(best)
        chosen.append(best)
        had[labels.search[best]] += 1
    return tuple(chosen)


def _order(labels: ScoredLabels, place: int, threshold: float, had: NDArray[np.intp]) -> tuple[bool, int, float]:
    score = float(labels.score[place])
    return score < threshold, int(had[labels.search[place]]), abs(score - threshold)
