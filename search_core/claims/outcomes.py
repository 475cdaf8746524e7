"""The outcomes of the steps of a check of claims, as DBOS stores them."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_core.domain import ClaimCheck, ClaimsMetrics, JudgingCost
from search_core.durable_runs.control import Command
from search_core.durable_runs.outcomes import StepOutcome
from search_core.storage.json_codec import JsonCodec


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome(StepOutcome):
    """What the check of one claim came to, and what it took."""

    check: ClaimCheck | None = None
    """None when the check was interrupted."""
    search_ms: float = 0.0
    reading_ms: float = 0.0
    comparison_ms: float = 0.0
    searches: int = 0
    pages: int = 0
    judging: JudgingCost = field(default_factory=JudgingCost)

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


FINDING = JsonCodec(ClaimCheck)
"""Reads and writes the stored checks of a run, which runs that continue it reuse."""


def finding_key(text: str) -> str:
    """Return the key of the check of a claim by its wording."""
    return f"claim:{text}"
