"""From measured parts to a score: the one calculation that lists, explanations, exports and replays share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from search_core.domain.ranking import RankingWeights
from search_core.domain.result import ScoreParts

AVERAGED = ("semantic_question", "semantic_video", "lexical", "entity")
"""Parts on what a text says; their weighted average is the base of a score."""
SCALING = ("agreement", "recency")
"""Parts that say nothing on the subject of a text; they only scale the base."""
_MIDDLE = 0.5
"""Recency and agreement above the middle lift a score, below it they lower it."""
_DECIMALS = 9
"""More than readers need; so many, that a score of 0.35 is not a hair under a threshold of 0.35."""


class WeighedPart(NamedTuple):
    """A measured part and what it does to the score."""

    name: str
    """The field of ScoreParts."""
    value: float
    share: float
    """Of an averaged part its share in the average; of a scaling one its weight."""
    amount: float
    """What an averaged part adds to the average, or a scaling one to the factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCalculation:
    """How one score comes about; parts that were not measured are not in it."""

    averaged: tuple[WeighedPart, ...]
    """Their amounts add up to ``average``; none where all weights are 0."""
    average: float
    scaling: tuple[WeighedPart, ...]
    factor: float
    """1 and the amounts of the scaling parts."""
    score: float
    """``average`` times ``factor``, in [0, 1]."""


def calculate_score(parts: ScoreParts, weights: RankingWeights) -> ScoreCalculation:
    """Return how *parts* make a score by *weights*.

    What a text says (question, video, words, entities) is averaged by weight, over the parts that were measured. When it was
    written and who placed it high say nothing on its subject, so they only scale that average: an unrelated page stays one.
    """
    weights = weights.shared_for(parts)
    content = _measured(parts, weights, AVERAGED)
    total = sum(weight for _, _, weight in content)
    averaged = tuple(
        WeighedPart(name, value, weight / total, value * weight / total) for name, value, weight in content if total > 0
    )
    scaling = tuple(
        WeighedPart(name, value, weight, (value - _MIDDLE) * weight) for name, value, weight in _measured(parts, weights, SCALING)
    )
    average = sum(part.amount for part in averaged)
    factor = 1.0 + sum(part.amount for part in scaling)
    score = round(min(1.0, max(0.0, average * factor)), _DECIMALS)
    return ScoreCalculation(averaged=averaged, average=average, scaling=scaling, factor=factor, score=score)


def _measured(parts: ScoreParts, weights: RankingWeights, names: tuple[str, ...]) -> list[tuple[str, float, float]]:
    """Return name, value and weight of those parts of *names* that were measured."""
    values = ((name, getattr(parts, name), getattr(weights, name)) for name in names)
    return [(name, value, weight) for name, value, weight in values if value is not None]
