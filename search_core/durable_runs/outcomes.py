"""The outcomes of a run's steps, which DBOS stores as JSON: a run that is taken up again reads them and repeats no step."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dbos import DBOS

from search_core.durable_runs.control import Command
from search_core.durable_runs.storage_faults import DATABASE_FAULTS, WorkflowAbandoned
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
class CommandsOutcome(StepOutcome):
    """New commands; none once the control is closed."""

    commands: tuple[Command, ...] = ()


OutcomeT = TypeVar("OutcomeT", bound=StepOutcome)


_CODECS: dict[type[StepOutcome], JsonCodec[Any]] = {}


def start_step(
    kind: type[OutcomeT], now: Callable[[], float], body: Callable[..., Awaitable[OutcomeT]], *args: Any
) -> asyncio.Task[OutcomeT]:
    """Start *body* as a step, numbered in the order of these calls, whenever it begins."""
    reserved = DBOS.reserve_step()
    codec = _CODECS.setdefault(kind, JsonCodec(kind))

    async def encoded() -> Any:
        begun = now()
        try:
            outcome = await body(*args)
        except DATABASE_FAULTS as error:
            logger.warning("A step of a run could not use the database: %s", type(error).__name__)
            raise WorkflowAbandoned from None  # an error would be recorded as what the step came to
        return codec.write(replace(outcome, begun=begun, ended=now()))

    async def run() -> OutcomeT:
        outcome: OutcomeT = codec.read(await reserved.run_async({"name": body.__name__}, encoded))[0]
        return outcome

    return asyncio.create_task(run())
