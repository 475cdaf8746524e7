"""What a user can turn in the sidebar."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from search_core.domain.result import ScoreParts

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

    def shared_for(self, parts: ScoreParts) -> RankingWeights:
        """Return the weights as they hold for a result of these *parts*.

        Meaning and words share what both have together as the scorer trusts them; words have all of it where no meaning was seen.
        """
        if parts.meaning_share is None:
            return self
        meaning = 0.0 if parts.semantic_question is None else self.semantic_question * parts.meaning_share
        words = self.lexical * (1.0 - parts.meaning_share)
        if meaning + words <= 0:
            return self
        both = self.semantic_question + self.lexical
        share = meaning / (meaning + words)
        return replace(self, semantic_question=both * share, lexical=both * (1.0 - share))


class HiddenReason(StrEnum):
    """Names what keeps a result from being shown."""

    BELOW_THRESHOLD = "below_threshold"
    OVER_COUNT = "over_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Says how scored results are ordered, which are shown and how many."""

    threshold: float = DEFAULT_THRESHOLD
    """Results scored below are hidden, counted and can be opened; in [0, 1]."""
    entity_first: bool = True
    """Among the results shown, those that name an entity of the video come first; which are shown it does not decide."""
    max_results: int = 10
    """How many results above the threshold are shown; the rest are counted as hidden."""
    weights: RankingWeights = field(default_factory=RankingWeights)

    def passes(self, score: float | None) -> bool:
        """Return whether *score* reaches the threshold; an unscored result cannot be held against it."""
        return score is None or score >= self.threshold

    def reason_hidden(self, score: float | None) -> HiddenReason:
        """Return why a result of that *score* is hidden, if it is."""
        return HiddenReason.OVER_COUNT if self.passes(score) else HiddenReason.BELOW_THRESHOLD
