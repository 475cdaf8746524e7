"""Whether promised thresholds hold, and whether choosing what to judge next saves labels.

Figures. ``promises_kept``: of simulated label sets, the share in which no promise at 80 % and 90 % confidence is broken, in the
worst of the worlds below; the true precision of each cut is that of two hundred thousand searches. ``promises_given``: how often
a promise is given for forty searches in worlds where one can be. ``labels_saved``: which share of the labels that random order
takes to an interval the chosen order does without, over questions of recorded news searches, where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.domain import SearchResult
from search_core.embedding import KiwiEmbedder
from search_core.ranking import RelevanceFilter
from search_core.ranking.evaluation.labels import ScoredLabels
from search_core.ranking.evaluation.measures import Figure, share_over_searches
from search_core.ranking.evaluation.threshold import CUTS, Promise, choose_next, suggest_threshold
from tests.quality.scope import ALL, Scope
from tests.quality.sets import loaders

PRECISION, CONFIDENCE = 0.8, 0.9
TRUTH = 200_000
SIZES = ((11, 4), (15, 8), (40, 8))
"""Searches, and results of each."""
THRESHOLD = 0.35
BATCH = 5
NOW = datetime(2026, 11, 20, tzinfo=UTC)


class World(NamedTuple):
    """How likely a result is relevant: by its score, by its search, or by neither."""

    level: float
    """The share relevant where the score says nothing; the score of an even chance where it does."""
    slope: float
    """How steeply the chance rises with the score; 0 for a flat curve."""
    spread: float
    """Flat: how alike the results of a search are, 0 to 1. Else: standard deviation of searches in log odds."""


HARD = (World(0.79, 0, 0), World(0.79, 0, 0.3), World(0.79, 0, 0.7), World(0.79, 0, 1.0), World(0.3, 8, 1), World(0.3, 8, 3))
"""Flat curves just below what is promised, and searches of very different quality."""
GOOD = (World(0.3, 8, 0), World(0.3, 8, 1))


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return each figure by name, over so many simulated label sets for each world and number of searches."""
    sets = 1000 if scope.everything else 50
    kept = min(1 - _broken(world, sets) for world in HARD)
    given = min(_given(world, sets) for world in GOOD)
    figures = {"lab/promises_kept": kept, "lab/promises_given": given}
    if scope.reads_development:
        figures["lab/labels_saved"] = 1 - _labels_needed(_recorded())
    return figures


def simulate(world: World, searches: int, results: int, chance: np.random.Generator) -> ScoredLabels:
    """Return labels of *searches* drawn from *world*, all of them judged."""
    number = np.repeat(np.arange(searches), results)
    score = chance.beta(2, 2, len(number))
    if world.slope:
        odds = world.slope * (score - world.level) + chance.normal(0, world.spread, searches)[number]
        relevant = chance.random(len(number)) < 1 / (1 + np.exp(-odds))
    else:
        relevant = chance.random(len(number)) < _levels(world, searches, chance)[number]
    return _all_judged(number, score, relevant)


def _all_judged(search: NDArray[np.intp], score: NDArray[np.float64], relevant: NDArray[np.bool_]) -> ScoredLabels:
    """Return labels of which every one is known."""
    everything = np.ones(len(search), dtype=np.bool_)
    return ScoredLabels(
        search=search,
        score=score,
        within=everything,
        labelled=everything,
        judged=everything,
        relevant=relevant,
        addresses=(),
        searches=int(search.max()) + 1,
    )


def _levels(world: World, searches: int, chance: np.random.Generator) -> NDArray[np.float64]:
    if world.spread in (0, 1):
        return np.full(searches, world.level) if not world.spread else (chance.random(searches) < world.level).astype(float)
    strength = (1 - world.spread) / world.spread
    return chance.beta(world.level * strength, (1 - world.level) * strength, searches)


def _broken(world: World, sets: int) -> float:
    truth = _true_precision(world)
    promises = [promise for size in SIZES for promise in _promises(world, size, sets)]
    return sum(1 for promise in promises if truth[promise.threshold] < PRECISION - 1e-9) / (sets * len(SIZES))


def _given(world: World, sets: int) -> float:
    return len(list(_promises(world, SIZES[-1], sets))) / sets


def _promises(world: World, size: tuple[int, int], sets: int) -> Iterator[Promise]:
    chance = np.random.default_rng(11)
    for _ in range(sets):
        suggestion = suggest_threshold(simulate(world, *size, chance), PRECISION, CONFIDENCE)
        if isinstance(suggestion, Promise):
            yield suggestion


def _true_precision(world: World) -> dict[float, float]:
    labels = simulate(world, TRUTH, 5, np.random.default_rng(5))
    shown = {float(cut): labels.shown(float(cut)) for cut in CUTS}
    return {cut: float(labels.relevant[which].mean()) if which.any() else 1.0 for cut, which in shown.items()}


def _labels_needed(gold: ScoredLabels) -> float:
    """Return the share of labels that the chosen order needs to reach the interval of random order."""
    shares = []
    for repetition in range(10):
        chance = np.random.default_rng(repetition)
        order = chance.permutation(len(gold.score))
        for labels in (60, 120):
            wanted = _width(_with_labels(gold, order[:labels]))
            shares.append(_needed(gold, wanted, chance) / labels)
    return float(np.mean(shares))


def _needed(gold: ScoredLabels, wanted: float, chance: np.random.Generator) -> int:
    """Return how many labels the chosen order takes until the interval is no wider than *wanted*."""
    chosen: list[int] = []
    while len(chosen) < len(gold.score):
        labels = _with_labels(gold, np.array(chosen, dtype=np.intp))
        if chosen and _width(labels) <= wanted:
            break
        more = choose_next(labels, THRESHOLD, BATCH)
        if not more:
            break
        chosen += more
    return len(chosen)


def _with_labels(gold: ScoredLabels, places: NDArray[np.intp]) -> ScoredLabels:
    judged = np.zeros(len(gold.score), dtype=np.bool_)
    judged[places] = True
    return replace(gold, labelled=judged, judged=judged, relevant=gold.relevant & judged)


def _width(labels: ScoredLabels) -> float:
    shown = labels.shown(THRESHOLD)
    figure: Figure = share_over_searches(labels.per_search(shown & labels.relevant), labels.per_search(shown & labels.judged))
    return 1.0 if figure.low is None or figure.high is None else figure.high - figure.low


def _recorded() -> ScoredLabels:
    relevance = RelevanceFilter(KiwiEmbedder(), now=lambda: NOW)
    rows = [row for row in loaders().realtimeqa("dev") if row["results"]][:60]
    search, score, relevant = [], [], []
    for number, row in enumerate(rows):
        hits = [
            SearchResult(title=hit["title"] or "", url=str(place), snippet=(hit["text"] or "")[:400], source="")
            for place, hit in enumerate(row["results"])
        ]
        for hit, result in zip(row["results"], relevance.score(hits, row["question"]).results, strict=True):
            search.append(number)
            score.append(result.relevance_score or 0.0)
            relevant.append(bool(hit["has_answer"]))
    return _all_judged(np.array(search), np.array(score), np.array(relevant))
