"""The work of one workflow on a run, from its beginning to the end of its stream: its steps, what it publishes, and its end.

A resumed workflow must take the same steps as before, in the same order. So the order may only depend on outcomes of steps,
which DBOS stores. Whoever changes the order of steps or their outcomes must change ``engine.VERSION``.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from dbos import DBOS, error

from search_core.domain.run import RunFailed, RunStatus
from search_core.runs.control import BeginOutcome, Command, CommandKind, CommandsOutcome, Control, StepOutcome
from search_core.runs.engine import DATABASE_FAULTS, STREAM, WorkflowAbandoned, current_engine, retry_storage
from search_core.runs.run_kind import EventT, RequestT, RunNotFoundError, RunsUnavailableError, RunT, StoredRun
from search_core.runtime import ASKED_BY
from search_core.storage.json_codec import JsonCodec

if TYPE_CHECKING:
    from search_core.runs.store import AnyService

logger = logging.getLogger(__name__)
T = TypeVar("T")
OutcomeT = TypeVar("OutcomeT", bound=StepOutcome)
StatusT = TypeVar("StatusT", bound=RunStatus)

MAX_ATTEMPTS = 4
"""How often a run is resumed after its process ended; then it is given up, as it may be what ends the processes."""


def start_step(
    outcome_type: type[OutcomeT], now: Callable[[], float], body: Callable[..., Awaitable[OutcomeT]], *args: object
) -> asyncio.Task[OutcomeT]:
    """Start *body* as a step; steps are numbered in the order of these calls."""
    reserved = DBOS.reserve_step()
    codec = JsonCodec(outcome_type)

    async def encoded() -> object:
        begun = now()
        try:
            outcome = await body(*args)
        except DATABASE_FAULTS as error:
            logger.warning("A step of a run could not use the database: %s", type(error).__name__)
            raise WorkflowAbandoned from None  # an error would be recorded as the step's result
        return codec.write(replace(outcome, begun=begun, ended=now()))

    async def run() -> OutcomeT:
        return codec.read(await reserved.run_async({"name": body.__name__}, encoded))[0]

    return asyncio.create_task(run())


class EventPublisher(Generic[RequestT, RunT, EventT]):
    """Publishes the events of one workflow in a fixed order, so that a replay writes none twice."""

    def __init__(self, service: AnyService, run: StoredRun[RequestT, RunT], workflow_id: str) -> None:
        self._service = service
        self._workflow_id = workflow_id
        self._waiting: list[EventT | RunFailed] = []
        self.run: RunT = run.empty
        """The run with all events so far applied."""

    def add(self, event: EventT | RunFailed) -> None:
        """Publish *event* with the next ``flush``."""
        self._waiting.append(event)
        self.run = self._service.kind.after(self.run, event)

    async def flush(self) -> None:
        """Write the waiting events into the stream as one value: each value costs one or two transactions."""
        events, self._waiting = self._waiting, []
        if not events:
            return
        await DBOS.write_stream_async(STREAM, [self._service.kind.encode(event) for event in events])
        if any(event.name == "status" for event in events):
            await retry_storage(self._service.store.set_status, self.run.id, self._workflow_id, self.run.status)
        self._service.notify(self.run.id)

    async def write_piece(self, piece: EventT) -> None:
        """Send a part of a step's result to the run's readers before the step ends; they get it again if the step is repeated."""
        await DBOS.write_stream_async(STREAM, [self._service.kind.encode(piece)])
        self._service.notify(self.run.id)

    async def save_and_publish(self, last: EventT) -> None:
        """Save the run as it is after *last*, then publish *last*, so that its readers find the run saved."""
        await self.flush()
        # Not a step: repeating it is safe, and necessary after the status was set again.
        await retry_storage(self._service.store.save_record, self._service.kind.after(self.run, last), self._workflow_id)
        self.add(last)
        await self.flush()

    async def close(self) -> None:
        """End the stream."""
        await DBOS.close_stream_async(STREAM)
        self._service.notify(self.run.id)


class RunSteps:
    """The steps of one workflow; DBOS stores them under their method names."""

    listens: ClassVar[type[CommandsOutcome]] = CommandsOutcome
    """What ``listen`` returns."""

    def __init__(self, service: AnyService, run: StoredRun[Any, Any], control: Control) -> None:
        self._store = service.store
        self._parts = service.parts
        self._loop = service.loop
        self._run_id = run.id
        self._request = run.request
        self._control = control
        self._found: set[str] | None = None
        """Keys of the findings; None until they were asked for."""
        self._unsaved: dict[str, object] = {}
        self._saving = asyncio.Lock()

    async def begin(self, workflow_id: str) -> BeginOutcome:
        """Record that the workflow begins; it continues unless the run was deleted, has ended or runs elsewhere."""
        if not await retry_storage(self._store.begin_workflow, self._run_id, workflow_id):
            return BeginOutcome(go_on=False)
        commands = await retry_storage(self._store.commands, [self._run_id])
        return BeginOutcome(go_on=True, commands=tuple(commands[self._run_id]))

    async def listen(self, after: int) -> CommandsOutcome:
        """Wait for commands numbered above *after*."""
        return CommandsOutcome(commands=tuple(await self._control.wait_after(after)))

    async def read_clock(self) -> StepOutcome:
        """Do nothing: the step's outcome records the time."""
        return StepOutcome()

    async def _find(self, key: str, codec: JsonCodec[T]) -> T | None:
        if self._found is None:
            keys: set[str] = await retry_storage(self._store.finding_keys, self._run_id)
            self._found = keys
        if key not in self._found:
            return None
        findings = await retry_storage(self._store.find, self._run_id, [key])
        return codec.read(findings[key])[0] if key in findings else None

    async def _save(self, key: str, codec: JsonCodec[T], value: T) -> None:
        """Save a finding; those that arrive during a save go together into the next transaction."""
        self._unsaved[key] = codec.write(value)
        async with self._saving:
            if key in self._unsaved:
                findings, self._unsaved = self._unsaved, {}
                try:
                    await retry_storage(self._store.save_findings, self._run_id, findings)
                except BaseException:
                    self._unsaved = findings | self._unsaved  # the steps that wait for them try again
                    raise
                if self._found is not None:
                    self._found.update(findings)


StepsT = TypeVar("StepsT", bound=RunSteps)


class RunWorkflow(ABC, Generic[RequestT, RunT, EventT, StatusT, StepsT]):
    """The work of one workflow on a run.

    Part of it runs many steps in parallel and obeys commands meanwhile. When a run is taken up again its steps may end in
    another order, so DBOS stores all that the next move depends on: the outcomes of steps, the order of their ends, and the
    commands, which are the outcome of a step, too.
    """

    steps_type: type[StepsT]
    """The class whose methods are the steps."""
    failed: StatusT
    """The status of a run that failed."""

    def __init__(self, service: AnyService, run: StoredRun[RequestT, RunT], workflow_id: str, control: Control) -> None:
        self._control = control
        self._steps = self.steps_type(service, run, control)
        self._parts = service.parts
        self._now = service.parts.now
        self._publisher: EventPublisher[RequestT, RunT, EventT] = EventPublisher(service, run, workflow_id)
        self._run = run
        self._begun = 0.0
        """Seconds since 1970."""
        self._service = service
        self._workflow_id = workflow_id
        self._heard: set[CommandKind] = set()
        self._last_command = 0
        """The number of the last command so far."""
        self._halted_by: CommandKind | None = None
        """The STOP or FINISH among the commands so far."""
        self._listening: asyncio.Task[CommandsOutcome] | None = None

    async def run_to_end(self) -> None:
        """Work on the run until it ends or waits for the user."""
        begin = await self._step(BeginOutcome, self._steps.begin, self._workflow_id)
        if not begin.go_on:
            return
        logger.info("A run (%s) begins, or goes on, in this process", self._service.kind.name)
        self._begun = begin.ended
        self._control.receive(begin.commands)
        for command in begin.commands:
            self._note_command(command)
        try:
            await self._work()
        except (error.DBOSException, *DATABASE_FAULTS):
            raise
        except Exception as failed:  # whatever failed, the run has to end and say so
            logger.exception("A run (%s) failed unexpectedly", self._service.kind.name)
            self._publisher.add(self._service.kind.failure(failed))
            await self._end(self.failed)
        await self._publisher.close()

    @abstractmethod
    async def _work(self) -> None:
        """Do the work of the run, and publish its end."""

    @abstractmethod
    def _last_event(self, status: StatusT, total_ms: float, at: datetime) -> EventT:
        """Return the last event of the run."""

    async def _end(self, status: StatusT) -> None:
        at = (await self._step(StepOutcome, self._steps.read_clock)).ended  # a replayed workflow gets the stored time
        last = self._last_event(status, (at - self._begun) * 1000, datetime.fromtimestamp(at, UTC))
        await self._publisher.save_and_publish(last)
        logger.info("A run (%s) has ended: %s after %.1f s", self._service.kind.name, status.value, at - self._begun)

    async def _step(self, outcome_type: type[OutcomeT], body: Callable[..., Awaitable[OutcomeT]], *args: object) -> OutcomeT:
        return await start_step(outcome_type, self._now, body, *args)

    async def _work_side_by_side(self) -> None:
        """Run steps in parallel until all are done or the user stops; publish what was left out."""
        try:
            self._begin()
            while self._listening is not None:
                await self._wait_for_next()
        finally:
            tasks = self._tasks()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self._leave_out()
        await self._publisher.flush()

    async def _wait_for_next(self) -> None:
        """Wait for the next step or command to end and handle it; commands are awaited while steps run."""
        if not self._under_way():
            self._control.close()
        await self._publisher.flush()
        done, _ = await DBOS.asyncio_wait([*self._tasks()], return_when=asyncio.FIRST_COMPLETED)
        await self._take(done)
        if self._listening is not None and self._listening in done:
            heard = self._listening.result()
            self._listening = None
            self._obey(heard)

    def _tasks(self) -> list[asyncio.Task[StepOutcome]]:
        return [*self._under_way(), *([self._listening] if self._listening is not None else [])]

    def _listen(self) -> None:
        self._control.open()
        self._listening = start_step(self.steps_type.listens, self._now, self._steps.listen, self._last_command)

    def _note_command(self, command: Command) -> None:
        self._heard.add(command.kind)
        self._last_command = command.number
        if command.kind is CommandKind.STOP or (command.kind is CommandKind.FINISH and self._halted_by is None):
            self._halted_by = command.kind

    @abstractmethod
    def _begin(self) -> None:
        """Listen for commands and start the first steps."""

    @abstractmethod
    def _under_way(self) -> list[asyncio.Task[StepOutcome]]:
        """Return the running steps, in the order in which their outcomes are handled."""

    @abstractmethod
    async def _take(self, done: Collection[Awaitable[StepOutcome]]) -> None:
        """Handle the outcomes of the steps that are *done*, and start the next."""

    def _obey(self, heard: CommandsOutcome) -> None:
        """Obey the commands in *heard*, and listen for more; none come once the control is closed."""
        for command in heard.commands:
            self._note_command(command)
        if heard.commands:
            self._listen()

    @abstractmethod
    def _leave_out(self) -> None:
        """Publish which parts of the work were left out because the user stopped the run."""


async def work_on_run(
    kind_name: str,
    run_id: str,
    workflow_id: str,
    workflow: type[RunWorkflow[RequestT, RunT, EventT, StatusT, StepsT]],
    control: Control,
) -> None:
    """Work on a run in its workflow; ends for a deleted run, and leaves a run without database for later."""
    try:
        engine = current_engine()
        service = engine.service(kind_name)
    except RunsUnavailableError:  # left to a process that has such runs
        raise WorkflowAbandoned from None
    with engine.deliver_to(service, run_id, control):
        try:
            run = await retry_storage(service.store.load, run_id)
            ASKED_BY.set(run.request.owner)
            await workflow(service, run, workflow_id, control).run_to_end()
        except RunNotFoundError:
            return
        except DATABASE_FAULTS as fault:
            logger.warning("A run (%s) waits for its database: %s", kind_name, type(fault).__name__)
            raise WorkflowAbandoned from None
