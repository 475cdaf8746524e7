"""The outcomes of a run's steps, which DBOS stores as JSON: a run that is taken up again reads them and repeats no step."""

from __future__ import annotations

from dataclasses import dataclass

from search_core.durable_runs.control import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """What is known of every step; ``start_step`` fills in the times, in seconds since 1970."""

    interrupted: bool = False
    """True when the user no longer wanted what was under way."""
    begun: float = 0.0
    ended: float = 0.0

    @property
    def duration_ms(self) -> float:
        """Return how long the step took."""
        return (self.ended - self.begun) * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginOutcome(StepOutcome):
    """Whether a workflow is to go on, and the commands that were given before it began."""

    go_on: bool
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsOutcome(StepOutcome):
    """New commands; none once the control is closed."""

    commands: tuple[Command, ...] = ()
