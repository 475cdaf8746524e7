"""Which results to judge next, so that the threshold is known soon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from search_core.evaluation.labels import ScoredLabels

_BAND = 0.15
"""Results so far below the cut are judged too: they show whether it can go down."""


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
