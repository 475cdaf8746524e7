"""The outcomes of a run's steps; DBOS keeps them as JSON, and a run that is taken up again reads it and repeats no step."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dbos import DBOS

from search_core.domain import ReportWritten, ResearchFailed, SearchResult, SubtaskState
from search_core.research.control import Command
from search_core.research.coverage import Reported
from search_core.research.planning import Plan
from search_core.research.storage_faults import DATABASE_FAULTS, WorkflowAbandoned
from search_core.storage.json_codec import JsonCodec

logger = logging.getLogger(__name__)


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
class PlanOutcome(StepOutcome):
    """The plan of the run."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsOutcome(StepOutcome):
    """New commands; none when nobody waits for any more."""

    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOutcome(StepOutcome):
    """What the search for one subtask found."""

    state: SubtaskState = SubtaskState.SEARCHING
    """DONE or FAILED; SEARCHING when the search was interrupted."""
    failure: str = ""
    """One Korean sentence when the search failed or found nothing."""
    ledger: tuple[str, ...] = ()
    """A Korean sentence for each search service that was asked."""
    results: tuple[SearchResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutcome(StepOutcome):
    """Whether a page was read; its text is kept as a finding."""

    read: bool = False
    failure: str = ""
    """A ``PageFailure`` when it was not."""
    shortened: bool = False
    """True when the page is longer than what is kept of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome(StepOutcome):
    """The report, and the failures on the way to it."""

    report: ReportWritten | None
    """None when nothing was written."""
    reported: Reported
    failures: tuple[ResearchFailed, ...] = ()


OutcomeT = TypeVar("OutcomeT", bound=StepOutcome)
_KINDS = (StepOutcome, BeginOutcome, PlanOutcome, CommandsOutcome, SearchOutcome, PageOutcome, WriteOutcome)
_CODECS: dict[type[StepOutcome], JsonCodec[Any]] = {kind: JsonCodec(kind) for kind in _KINDS}


def start_step(
    kind: type[OutcomeT], now: Callable[[], float], body: Callable[..., Awaitable[OutcomeT]], *args: Any
) -> asyncio.Task[OutcomeT]:
    """Start *body* as a step; its place among the steps is that of this call, whenever it gets its turn."""
    reserved = DBOS.reserve_step()
    codec = _CODECS[kind]

    async def encoded() -> Any:
        begun = now()
        try:
            outcome = await body(*args)
        except DATABASE_FAULTS as error:
            logger.warning("A step of research could not use the database: %s", type(error).__name__)
            raise WorkflowAbandoned from None  # an error would be recorded as what the step came to
        return codec.write(replace(outcome, begun=begun, ended=now()))

    async def run() -> OutcomeT:
        outcome: OutcomeT = codec.read(await reserved.run_async({"name": body.__name__}, encoded))[0]
        return outcome

    return asyncio.create_task(run())
