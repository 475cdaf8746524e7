"""The service of one kind of run: started, followed, halted and deleted; synchronous except ``follow``."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic

from search_core.domain.run import RunFailed
from search_core.errors import MaekrakError
from search_core.runs.control import CommandKind
from search_core.runs.run_kind import (
    EntryT,
    EventT,
    PartsT,
    RequestT,
    RunKind,
    RunNotFoundError,
    RunStateError,
    RunsUnavailableError,
    RunT,
    workflows_to_go_on,
    workflows_to_halt,
)
from search_core.runtime import LoopSignal, Recent

if TYPE_CHECKING:
    from search_core.runs.engine import Engine, StreamRead
    from search_core.runs.run_kind import StoredRun
    from search_core.runs.store import AnyService, RunStore
    from search_core.runtime import LoopThread
    from search_core.storage.database import Database

logger = logging.getLogger(__name__)

FRESH_S = 0.05
"""Seconds for which events that were read count as current, unless this process publishes something."""
POLL_S = 0.1
"""Seconds between two looks at a run of another process."""
POLL_WAITING_S = 1.0
"""Seconds between two looks at a run that waits for the user."""


class RunSubscription(Generic[RequestT, RunT, EventT, EntryT]):
    """Holds the events of a run; thread-safe, for any number of loops."""

    def __init__(
        self, runs: DurableRuns, store: RunStore[RequestT, RunT, EventT, EntryT], stored: StoredRun[RequestT, RunT]
    ) -> None:
        self._runs = runs
        self._store = store
        self._kind = store.kind
        self._run_id = stored.id
        self._reading = threading.Lock()
        self.news = LoopSignal()
        """Set whenever something is published in this process."""
        self._read_at = -FRESH_S
        self._notified = True
        self._workflow_ids = stored.workflow_ids
        self._current = 0
        self._offset = 0
        self._empty: RunT = stored.empty
        self.run: RunT = stored.empty
        """The run with all events so far applied."""
        self.events: tuple[EventT | RunFailed, ...] = ()
        self.ended = False

    def after(self, number: int) -> tuple[tuple[EventT | RunFailed, ...], bool]:
        """Return the events above *number*, counted from 1, and whether they are the last."""
        self.refresh()
        ended, events = self.ended, self.events  # in this order: what has ended grows no more
        return events[number:], ended

    def is_of(self, stored: StoredRun[RequestT, RunT]) -> bool:
        """Return whether this subscription is still valid for *stored*: it has not ended, or the run was not resumed since."""
        return not self.ended or self._workflow_ids == stored.workflow_ids

    def refresh(self) -> None:
        """Read new events; raises StorageError if the database cannot be read."""
        with self._reading:
            if self.ended or (not self._notified and time.monotonic() - self._read_at < FRESH_S):
                return
            self._notified = False
            self._read_at = time.monotonic()
            while self._read_on():
                pass

    def _read_on(self) -> bool:
        """Read on in the current workflow; return whether more can be read at once."""
        stored = self._store.progress(self._run_id)  # asked first: DBOS waits for a database that is away, and so would we
        if stored is None:  # deleted meanwhile
            self.ended = True
            return False
        if not self._offset and stored.workflow_ids[: self._current + 1] != self._workflow_ids[: self._current + 1]:
            self._current = min(self._current, len(stored.workflow_ids) - 1)  # stopped before its turn came
        self._workflow_ids = stored.workflow_ids
        reading = self._runs.read_stream(self._workflow_ids[self._current], self._offset)
        self._offset += len(reading.values)
        self._add(*(self._kind.decode(event) for together in reading.values for event in together))
        if (reading.over or reading.unknown or self.ended) and self._current + 1 < len(self._workflow_ids):
            self._current, self._offset = self._current + 1, 0
            if self.ended:  # and was resumed: the next workflow tells of it from the beginning
                self.run, self.ended = self._empty, False
            return True
        if self.ended:
            return False
        if reading.unknown and stored.status.ended:
            self._add_end()
        elif reading.over or reading.unknown:
            self._handle_end_of_stream()
        return False

    def _handle_end_of_stream(self) -> None:
        """Handle a last stream that ended without the run's last event: the run was saved, waits for the user, or is lost."""
        stored = self._store.progress(self._run_id)
        if stored is not None and stored.workflow_ids == self._workflow_ids and stored.begun == len(stored.workflow_ids):
            if stored.status.ended:
                self._add_end()
            elif not stored.status.waits_for_user:
                self._give_up()

    def _add(self, *events: EventT | RunFailed) -> None:
        for event in events:
            self.run = self._kind.after(self.run, event)
            self.events = (*self.events, event)
            self.ended = self.ended or self.run.status.ended

    def _add_end(self) -> None:
        """Add the last event of the saved run, which its stream lacks."""
        record = self._store.load(self._run_id).record
        if record is not None:
            self._add(*(failure for failure in record.failures if failure not in self.run.failures))
            self._add(record.last_event)  # type: ignore[arg-type]  # of this kind
        self.ended = True

    def _give_up(self) -> None:
        """End a run that no process works on, both in this subscription and in the database."""
        self._add(*self._kind.giving_up(datetime.now(UTC)))
        self._store.save_record(self.run, self._workflow_ids[-1])

    def notify(self) -> None:
        """Wake waiting readers: this process has published something."""
        self._notified = True
        self.news.set()


_MAX_SUBSCRIPTIONS = 128


REST_AFTER_S = 60.0
"""Seconds without a running run after which the engine is closed, because its threads read the database all the time."""
REST_POLL_S = 2.0
"""Seconds between two looks for runs that other processes have started or left."""


class DurableRuns:
    """Opens the engine for the services of a process, and closes it while no run is under way; thread-safe.

    A process has one open engine at a time. Slow imports are left to the first running run, or to ``engine``.
    """

    def __init__(self, database: Database, loop: LoopThread, *, works: bool = True, rest_after_s: float = REST_AFTER_S) -> None:
        """Take the database of runs, and the loop for their parts.

        A process that does not work only starts and follows runs, for other processes to work on.
        """
        self.database = database
        self.loop = loop
        self._works = works
        self._rest_after_s = rest_after_s
        self._services: list[AnyService] = []
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._used_at = 0.0
        self._watcher: threading.Thread | None = None
        self._closed = threading.Event()

    def add(self, service: AnyService) -> None:
        """Register *service*, before the engine is opened."""
        self._services.append(service)

    def open(self) -> None:
        """Begin to work on runs under way; raises as ``engine`` does, and still looks for them afterwards."""
        with self._lock:
            self._watch()
        self._look()

    @property
    def engine(self) -> Engine:
        """Return the open engine; raises RunsUnavailableError if it cannot be opened or is closed, and StorageError."""
        with self._lock:
            self._watch()
            if self._engine is None:
                from search_core.runs.engine import Engine
                from search_core.runs.worker_registry import WorkerRegistry

                engine = Engine(self._services, self.database, WorkerRegistry(self.database), works=self._works)
                engine.open()
                self._engine = engine
            self._used_at = time.monotonic()
            return self._engine

    def read_stream(self, workflow_id: str, offset: int) -> StreamRead:
        """Return the values in a workflow's stream from *offset* on."""
        return self.engine.read_stream(workflow_id, offset)

    def close(self) -> None:
        """Leave unfinished work to the next process, and end; a second call does nothing."""
        self._closed.set()
        with self._lock:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def _watch(self) -> None:
        """Begin to look for work, unless begun."""
        if self._closed.is_set():
            raise RunsUnavailableError("Runs are closed.")
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._look_on_and_on, name="maekrak-runs", daemon=True)
            self._watcher.start()

    def _look_on_and_on(self) -> None:
        while not self._closed.wait(REST_POLL_S):
            try:
                self._look()
            except MaekrakError as error:  # the engine says so in the log, and whoever starts a run reads it
                logger.debug("Runs are not looked after: %s", error)

    def _look(self) -> None:
        """Open the engine if a run is running, and close it if none has been for a while."""
        if any(service.store.unended_runs() for service in self._services):
            _ = self.engine
            return
        with self._lock:
            if self._engine is not None and time.monotonic() - self._used_at > self._rest_after_s:
                self._engine.close()
                self._engine = None


class RunService(ABC, Generic[RequestT, RunT, EventT, EntryT, PartsT]):
    """Works on runs of one kind, or starts and follows what other processes work on; thread-safe.

    Nothing slow is imported and no database opened before ``open`` or the first call. Every method raises StorageError when the
    database cannot be used, and RunsUnavailableError when this process can neither work on runs nor follow them; those that name
    a run raise RunNotFoundError when *owner* has no such run. Any process may start, follow and steer any run of the same
    database.
    """

    kind: RunKind[RequestT, RunT, EventT]

    def __init__(self, parts: PartsT, runs: DurableRuns) -> None:
        self.parts = parts
        """The functions and limits of runs; their coroutines run on ``loop``."""
        self.loop = runs.loop
        self.queue = f"maekrak-{self.kind.name}"
        self.workflow_name = f"maekrak_{self.kind.name}"
        """The name under which DBOS stores the workflow; the same in every version."""
        self._runs = runs
        self._subscriptions: Recent[str, RunSubscription[RequestT, RunT, EventT, EntryT]] = Recent(_MAX_SUBSCRIPTIONS)
        self._lock = threading.Lock()
        runs.add(self)

    @property
    @abstractmethod
    def store(self) -> RunStore[RequestT, RunT, EventT, EntryT]:
        """Return the store of the runs."""

    @property
    @abstractmethod
    def workflow(self) -> Callable[[str, str], Awaitable[None]]:
        """Return the workflow of a run, given the run's id and its own."""

    @abstractmethod
    def _validate(self, request: RequestT) -> RequestT:
        """Return *request* in a valid form; raises InputError."""

    @abstractmethod
    def _check_resumable(self, run: StoredRun[RequestT, RunT]) -> None:
        """Raise RunStateError for a run that cannot be resumed."""

    def open(self) -> None:
        """Work on waiting runs and those of dead processes from now on; takes up to a second.

        Raises RunsUnavailableError when the runs of another service of this process are open, or when DBOS does not start.
        """
        self._runs.open()

    def start(self, request: RequestT) -> RunT:
        """Start a run and return at once; raises InputError for an invalid request."""
        valid = self._validate(request)
        stored = self.store.create(valid)
        self._engine.start(self, stored.id, stored.workflow_ids[-1])
        return stored.empty

    def resume(self, run_id: str, owner: str) -> RunT:
        """Continue a run that ended before it was complete, keeping its findings.

        Raises RunStateError for one that cannot go on.
        """
        return self._go_on(run_id, owner, self._check_resumable)

    def _go_on(self, run_id: str, owner: str, check: Callable[[StoredRun[RequestT, RunT]], object]) -> RunT:
        """Continue a run in a new workflow; an exception of *check* leaves it unchanged."""

        def workflows(run: StoredRun[RequestT, RunT]) -> tuple[str, ...]:
            check(run)
            return workflows_to_go_on(run)

        stored = self.store.add_command(run_id, owner, CommandKind.GO_ON, workflows=workflows)
        self._engine.start(self, run_id, stored.workflow_ids[-1])
        return stored.empty

    def get(self, run_id: str, owner: str) -> RunT:
        """Return a run so far, or as saved if it has ended."""
        stored = self.store.load(run_id, owner)
        if stored.status.settled and stored.record is not None:
            return stored.record
        subscription = self._subscription(stored)
        subscription.refresh()
        return subscription.run

    def events(self, run_id: str, owner: str, after: int = 0) -> Iterator[tuple[int, EventT | RunFailed]]:
        """Yield events above number *after* with their numbers, as they come, until the run ends."""
        self._subscription(self.store.load(run_id, owner))  # raises at once for an unknown run
        return self.loop.iterate(self.follow(run_id, owner, after))

    async def follow(self, run_id: str, owner: str, after: int = 0) -> AsyncGenerator[tuple[int, EventT | RunFailed]]:
        """Yield the same as ``events``, on any loop."""
        subscription = await asyncio.to_thread(lambda: self._subscription(self.store.load(run_id, owner)))
        number = after
        with subscription.news.listen() as notified:
            while True:
                notified.clear()
                events, ended = await asyncio.to_thread(subscription.after, number)
                for event in events:
                    number += 1
                    yield number, event
                if ended:
                    return
                try:
                    async with asyncio.timeout(POLL_WAITING_S if subscription.run.status.waits_for_user else POLL_S):
                        await notified.wait()
                except TimeoutError:
                    continue

    def cancel(self, run_id: str, owner: str) -> None:
        """Stop a run within half a second, keeping its findings; an ended one is left unchanged."""
        self._halt(run_id, owner, CommandKind.STOP)

    def finish(self, run_id: str, owner: str) -> None:
        """Start nothing more and end a run with its findings; an ended one is left unchanged."""
        self._halt(run_id, owner, CommandKind.FINISH)

    def _halt(self, run_id: str, owner: str, command: CommandKind) -> None:
        stored = self.store.load(run_id, owner)
        if stored.status.ended:
            return
        halted = self.store.add_command(run_id, owner, command, workflows=workflows_to_halt)
        if halted.begun < len(halted.workflow_ids):
            self._engine.start(self, run_id, halted.workflow_ids[-1], at_once=True)
        self._engine.check_commands()

    def list(self, owner: str) -> tuple[EntryT, ...]:
        """Return the runs of *owner*, newest first."""
        return self.store.entries(owner)

    def delete(self, run_id: str, owner: str) -> None:
        """Delete a run and its findings; raises RunStateError while it is running."""
        stored = self.store.load(run_id, owner)
        if not stored.status.settled:
            raise RunStateError("A run that goes on cannot be deleted.", korean=self.kind.undeletable)
        self.store.delete(run_id, owner)
        self._engine.delete_workflows(stored.workflow_ids)

    def close(self) -> None:
        """Leave running work to the next process, and end, with all kinds of runs; a second call does nothing."""
        self._runs.close()

    @property
    def _engine(self) -> Engine:
        return self._runs.engine

    def _subscription(self, stored: StoredRun[RequestT, RunT]) -> RunSubscription[RequestT, RunT, EventT, EntryT]:
        _ = self._engine
        with self._lock:
            subscription = self._subscriptions.get(stored.id)
            if subscription is None or not subscription.is_of(stored):
                subscription = RunSubscription(self._runs, self.store, stored)
            self._subscriptions.put(stored.id, subscription)
            return subscription

    def notify(self, run_id: str) -> None:
        """Wake the run's followers: this process has written an event."""
        subscription = self._subscriptions.get(run_id)
        if subscription is not None:
            subscription.notify()

    def save_end(self, run_id: str) -> None:
        """Read a run to its end after its last workflow was ended from outside; saves it if necessary."""
        try:
            subscription = self._subscription(self.store.load(run_id))
        except RunNotFoundError:
            return  # deleted meanwhile
        subscription.notify()
        subscription.refresh()
        subscription.notify()
