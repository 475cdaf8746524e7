"""The outcomes of the steps of a check of claims, as DBOS stores them."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_core.domain import ClaimCheck, ClaimsMetrics, JudgingCost
from search_core.durable_runs.control import Command
from search_core.durable_runs.outcomes import StepOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome(StepOutcome):
    """What the check of one claim came to, and what it took."""

    check: ClaimCheck | None = None
    """In one of the states in which it ends; None when it was interrupted."""
    search_ms: float = 0.0
    reading_ms: float = 0.0
    comparison_ms: float = 0.0
    searches: int = 0
    """Requests to search services that were sent."""
    pages: int = 0
    """Pages that were read."""
    judging: JudgingCost = field(default_factory=JudgingCost)
    """What a language model took to judge what was open."""

    def added_to(self, metrics: ClaimsMetrics) -> ClaimsMetrics:
        """Return *metrics* with what this check took."""
        return ClaimsMetrics(
            search_duration_ms=metrics.search_duration_ms + self.search_ms,
            reading_duration_ms=metrics.reading_duration_ms + self.reading_ms,
            comparison_duration_ms=metrics.comparison_duration_ms + self.comparison_ms,
            total_ms=metrics.total_ms,
            searches=metrics.searches + self.searches,
            pages=metrics.pages + self.pages,
            judging=metrics.judging + self.judging,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsOutcome(StepOutcome):
    """New commands and the progress of checks under way; neither once the control is closed."""

    commands: tuple[Command, ...] = ()
    progress: tuple[ClaimCheck, ...] = ()
