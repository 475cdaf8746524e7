"""Ranked lists made one: reciprocal-rank fusion.

G. V. Cormack, C. L. A. Clarke, S. Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009: a hit scores the sum of 1 / (k + place) over the lists that hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

K = 60
"""The constant of the paper: large enough that one list alone cannot dictate the order."""


def fuse(places: Iterable[Sequence[int]]) -> list[float]:
    """Return the fused score of each hit, the best of the search being 1; a hit is given by its 1-based places, one a list."""
    scores = [sum(1 / (K + place) for place in seen) for seen in places]
    best = max(scores, default=0.0)
    return [score / best if best else 0.0 for score in scores]
