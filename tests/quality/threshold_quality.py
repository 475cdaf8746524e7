"""Whether promised thresholds hold.

``promises_kept``: of simulated label sets, the share in which no promise at 80 % and 90 % confidence is broken, in the worst of
the worlds below; the true precision of each cut is that of two hundred thousand searches. ``promises_given``: how often a promise
is given for forty searches in worlds where one can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.search.ranking.evaluation import CUTS, PRECISION, ScoredLabels, suggest_threshold
from tests.quality.scope import Scope

TRUTH = 200_000
SIZES = ((11, 4), (15, 8), (40, 8))
"""Searches, and results of each."""


class World(NamedTuple):
    """A simulated world: how likely a result is relevant by its score and its search."""

    level: float
    """The share relevant where the score says nothing; the score of an even chance where it does."""
    slope: float
    """How steeply the chance rises with the score; 0 for a flat curve."""
    spread: float
    """Flat: how alike the results of a search are, 0 to 1. Else: standard deviation of searches in log odds."""


HARD = (World(0.79, 0, 0), World(0.79, 0, 0.3), World(0.79, 0, 0.7), World(0.79, 0, 1.0), World(0.3, 8, 1), World(0.3, 8, 3))
"""Flat curves just below what is promised, and searches of very different quality."""
GOOD = (World(0.3, 8, 0), World(0.3, 8, 1))


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name, over a thousand simulated label sets for each world and size (50 if quick)."""
    sets = 1000 if scope.everything else 50
    kept = min(1 - _broken(world, sets) for world in HARD)
    given = min(len(list(_promised(world, SIZES[-1], sets))) / sets for world in GOOD)
    return {"threshold/promises_kept": kept, "threshold/promises_given": given}


def simulate(world: World, searches: int, results: int, chance: np.random.Generator) -> ScoredLabels:
    """Return simulated labels of *searches* drawn from *world*."""
    number = np.repeat(np.arange(searches), results)
    score = chance.beta(2, 2, len(number))
    if world.slope:
        odds = world.slope * (score - world.level) + chance.normal(0, world.spread, searches)[number]
        relevant = chance.random(len(number)) < 1 / (1 + np.exp(-odds))
    else:
        relevant = chance.random(len(number)) < _levels(world, searches, chance)[number]
    everything = np.ones(len(number), dtype=np.bool_)
    return ScoredLabels(
        search=number,
        score=score,
        within=everything,
        judged=everything,
        relevant=relevant,
        searches=searches,
    )


def _levels(world: World, searches: int, chance: np.random.Generator) -> NDArray[np.float64]:
    if world.spread in (0, 1):
        return np.full(searches, world.level) if not world.spread else (chance.random(searches) < world.level).astype(float)
    strength = (1 - world.spread) / world.spread
    return chance.beta(world.level * strength, (1 - world.level) * strength, searches)


def _broken(world: World, sets: int) -> float:
    truth = _true_precision(world)
    promised = [cut for size in SIZES for cut in _promised(world, size, sets)]
    return sum(1 for cut in promised if truth[cut] < PRECISION - 1e-9) / (sets * len(SIZES))


def _promised(world: World, size: tuple[int, int], sets: int) -> Iterator[float]:
    chance = np.random.default_rng(11)
    for _ in range(sets):
        suggestion = suggest_threshold(simulate(world, *size, chance))
        if suggestion.threshold is not None:
            yield suggestion.threshold


def _true_precision(world: World) -> dict[float, float]:
    labels = simulate(world, TRUTH, 5, np.random.default_rng(5))
    shown = {float(cut): labels.shown(float(cut)) for cut in CUTS}
    return {cut: float(labels.relevant[which].mean()) if which.any() else 1.0 for cut, which in shown.items()}
