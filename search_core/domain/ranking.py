"""What a user can turn in the sidebar."""

from __future__ import annotations

from dataclasses import dataclass, field

DEFAULT_THRESHOLD = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingWeights:
    """Weighs the parts of a relevance score.

    The first four are averaged: only their proportions matter. The last two scale that average: a weight of 0.2 moves it by a
    tenth up or down at most.
    """

    semantic_video: float = 0.2
    semantic_question: float = 0.3
    lexical: float = 0.3
    entity: float = 0.1
    recency: float = 0.2
    agreement: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Says how scored results are ordered, which are shown and how many."""

    threshold: float = DEFAULT_THRESHOLD
    """Results scored below are hidden, counted and can be opened; in [0, 1]."""
    entity_first: bool = True
    max_results: int = 10
    """How many results above the threshold are shown; the rest are counted as hidden."""
    weights: RankingWeights = field(default_factory=RankingWeights)
