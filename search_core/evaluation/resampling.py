"""Intervals of figures over searches: labels of one search are alike, so searches are drawn anew and not results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FEWEST_SEARCHES = 5
"""Below that, drawing searches anew says nothing, and no interval is given."""
CONFIDENCE = 0.9
_DRAWS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with the interval in which it lies with 90 % confidence; no interval where searches are too few."""

    value: float | None
    """None where there is nothing to count."""
    low: float | None = None
    high: float | None = None
    searches: int = 0


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
