"""The work of one workflow on a run, from its beginning to the end of its stream.

A workflow that is taken up again must take the same steps as before, in the same order: what that depends on are outcomes of
steps, which DBOS stores. Changing the order of steps or their outcomes means changing ``engine.VERSION``.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from dbos import error

from search_core.durable_runs.control import Command, CommandKind, Control
from search_core.durable_runs.engine import current_engine
from search_core.durable_runs.errors import RunNotFoundError, RunsUnavailableError
from search_core.durable_runs.event_publisher import EventPublisher
from search_core.durable_runs.outcomes import BeginOutcome, StepOutcome, start_step
from search_core.durable_runs.run_format import EventT, RequestT, RunT
from search_core.durable_runs.run_kind import RunKind
from search_core.durable_runs.run_steps import RunSteps
from search_core.durable_runs.storage_faults import DATABASE_FAULTS, WorkflowAbandoned, retry_storage
from search_core.durable_runs.stored_run import StoredRun
from search_core.runtime import ASKED_BY

logger = logging.getLogger(__name__)
OutcomeT = TypeVar("OutcomeT", bound=StepOutcome)
ControlT = TypeVar("ControlT", bound=Control)

MAX_ATTEMPTS = 10
"""How often a run is taken up again; one that has ended so many processes is not given to another."""


class RunSegment(ABC, Generic[RequestT, RunT, EventT]):
    """The work of one workflow on a run."""

    def __init__(
        self, kind: RunKind[Any, Any], run: StoredRun[RequestT, RunT], workflow_id: str, control: Control, steps: RunSteps
    ) -> None:
        self._run = run
        self._control = control
        self._publisher: EventPublisher[RequestT, RunT, EventT] = EventPublisher(kind, run, workflow_id)
        self._begun = 0.0
        """Seconds since 1970."""
        self._commands: list[Command] = []
        self._kind_name = kind.name
        self._now = kind.now
        self._workflow_id = workflow_id
        self._common_steps = steps

    async def run_to_end(self) -> None:
        """Work on the run until it has ended, or waits for the user."""
        begin = await self._step(BeginOutcome, self._common_steps.begin, self._workflow_id)
        if not begin.go_on:
            return
        logger.info("A run (%s) begins, or goes on, in this process", self._kind_name)
        self._begun = begin.ended
        self._commands = list(begin.commands)
        self._control.receive(self._commands)
        try:
            await self._work()
        except (error.DBOSException, *DATABASE_FAULTS):
            raise
        except Exception as failed:  # whatever failed, the run has to end and say so
            logger.exception("A run (%s) failed unexpectedly", self._kind_name)
            await self._fail(failed)
        await self._publisher.close()

    @abstractmethod
    async def _work(self) -> None:
        """Do what the run is there for, and publish its end."""

    @abstractmethod
    async def _fail(self, failed: Exception) -> None:
        """Publish the end of the run, in which something unexpected has *failed*."""

    async def _step(self, kind: type[OutcomeT], body: Callable[..., Awaitable[OutcomeT]], *args: object) -> OutcomeT:
        return await start_step(kind, self._now, body, *args)

    async def _read_clock(self) -> float:
        """Return what time it is, in seconds since 1970; the same when the workflow is taken up again."""
        return (await self._step(StepOutcome, self._common_steps.read_clock)).ended

    def _has_command(self, kind: CommandKind) -> bool:
        return any(command.kind is kind for command in self._commands)

    def _halted_by(self) -> CommandKind | None:
        return next((kind for kind in (CommandKind.STOP, CommandKind.FINISH) if self._has_command(kind)), None)

    def _last_command(self) -> int:
        return self._commands[-1].number if self._commands else 0


async def work_on_run(
    kind_name: str,
    run_id: str,
    workflow_id: str,
    make_segment: Callable[[RunKind[Any, Any], StoredRun[Any, Any], str, ControlT], RunSegment[Any, Any, Any]],
    control: ControlT,
) -> None:
    """Work on a run in its workflow; a deleted run is over, and one without a database is left for later."""
    try:
        engine = current_engine()
        kind = engine.kind(kind_name)
    except RunsUnavailableError:  # for a process that has such runs
        raise WorkflowAbandoned from None
    engine.attach(kind, run_id, control)
    try:
        run = await retry_storage(kind.store.load, run_id)
        ASKED_BY.set(run.request.owner)
        await make_segment(kind, run, workflow_id, control).run_to_end()
    except RunNotFoundError:
        return
    except DATABASE_FAULTS as fault:
        logger.warning("A run (%s) waits for its database: %s", kind_name, type(fault).__name__)
        raise WorkflowAbandoned from None
    finally:
        engine.detach(run_id, control)
