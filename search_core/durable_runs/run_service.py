"""The service of one kind of run, whose runs are followed, halted and deleted; all of it synchronous but ``follow``."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.errors import RunNotFoundError, RunStateError, RunsUnavailableError
from search_core.durable_runs.run_format import EventT, RequestT, RunT
from search_core.durable_runs.run_subscription import RunSubscription
from search_core.durable_runs.stored_run import workflows_to_halt
from search_core.errors import StorageError

if TYPE_CHECKING:
    from search_core.durable_runs.durable_runs import DurableRuns
    from search_core.durable_runs.engine import Engine
    from search_core.durable_runs.run_kind import RunKind
    from search_core.durable_runs.store import RunStore
    from search_core.durable_runs.stored_run import StoredRun

_MAX_SUBSCRIPTIONS = 128
StoreT = TypeVar("StoreT", bound="RunStore[Any, Any, Any]")
EntryT = TypeVar("EntryT", bound=Any)


class RunService(ABC, Generic[RequestT, RunT, EventT, StoreT]):
    """Works on runs of one kind, or starts and follows what other processes work on; safe to call from many threads.

    Nothing slow is imported and no database opened before ``open`` or the first call. Every method raises StorageError when the
    database cannot be used; those that name a run raise RunNotFoundError when *owner* has no such run. Of several processes any
    may start, follow and steer any run of the same database.
    """

    name: ClassVar[str]
    """Of the kind."""
    unavailable: ClassVar[type[RunsUnavailableError]]

    def __init__(self, runs: DurableRuns) -> None:
        self._runs = runs
        self._subscriptions: OrderedDict[str, RunSubscription[RunT, EventT]] = OrderedDict()
        self._lock = threading.Lock()
        runs.add(self._make_kind)

    @abstractmethod
    def _make_store(self) -> StoreT:
        """Return where the runs are stored."""

    @abstractmethod
    def _make_kind(self) -> RunKind[Any, StoreT]:
        """Return the kind of run, with its store and its callbacks."""

    @abstractmethod
    def _undeletable_error(self) -> RunStateError:
        """Return the error for deleting a run that goes on."""

    def open(self) -> None:
        """Get ready, work on runs that are waiting and take over those that a dead process has left; takes up to a second.

        Raises RunsUnavailableError when the runs of another service of this process are open, or when DBOS does not start.
        """
        _ = self._engine

    def _start(self, request: RequestT) -> RunT:
        stored: StoredRun[RequestT, RunT] = self._store.create(request)
        self._engine.start(self._kind, stored.id, stored.workflow_ids[-1])
        return stored.empty

    def get(self, run_id: str, owner: str) -> RunT:
        """Return a run so far; as it was saved when it has ended."""
        live = self._subscriptions.get(run_id)
        if live is not None and not live.settled and live.run.request.owner == owner:  # no need to read the transcript again
            live.refresh()
            if not live.settled:
                return live.run
        stored: StoredRun[RequestT, RunT] = self._store.load(run_id, owner)
        if stored.settled and stored.record is not None:
            return stored.record
        subscription = self._subscription(stored)
        subscription.refresh()
        return subscription.run

    def events(self, run_id: str, owner: str, after: int = 0) -> Iterator[tuple[int, EventT]]:
        """Return the events above number *after*, with their numbers, as they come, until the run ends."""
        return self._iterate(self._subscription(self._store.load(run_id, owner)), after)

    def _iterate(self, subscription: RunSubscription[RunT, EventT], after: int) -> Iterator[tuple[int, EventT]]:
        number = after
        while True:
            events, ended = subscription.after(number)
            for event in events:
                number += 1
                yield number, event
            if ended:
                return
            subscription.wait(subscription.poll_s)

    async def follow(self, run_id: str, owner: str, after: int = 0) -> AsyncGenerator[tuple[int, EventT]]:
        """Yield what ``events`` gives, on any loop."""
        subscription = await asyncio.to_thread(lambda: self._subscription(self._store.load(run_id, owner)))
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
                    async with asyncio.timeout(subscription.poll_s):
                        await notified.wait()
                except TimeoutError:
                    continue

    def finish(self, run_id: str, owner: str) -> None:
        """End a run with what there is. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.FINISH)

    def _halt(self, run_id: str, owner: str, command: CommandKind) -> None:
        stored: StoredRun[RequestT, RunT] = self._store.load(run_id, owner)
        if stored.status.ended:
            return
        try:
            halted = self._store.add_command(run_id, owner, command, workflows=workflows_to_halt)
        except StorageError:
            if command is not CommandKind.STOP or not self._stop_unsaved(stored):
                raise
            return
        if halted.begun < len(halted.workflow_ids):
            self._engine.start(self._kind, run_id, halted.workflow_ids[-1], at_once=True)
        self._engine.check_commands(self._kind, run_id)

    def _stop_unsaved(self, stored: StoredRun[RequestT, RunT]) -> bool:
        """Stop a run of this process though the database cannot be written; False when another process works on it."""
        if not self._engine.owns(stored.workflow_ids[-1]):
            return False
        subscription = self._subscription(stored)
        subscription.refresh()
        self._engine.stop_unsaved(self._kind, *subscription.stop_unsaved())
        return True

    def _with_unsaved_end(self, entry: EntryT) -> EntryT:
        """Return *entry* with the status of a run that has ended in this process and is not saved yet."""
        live = self._subscriptions.get(entry.id)
        if entry.status.ended or live is None or not live.run.status.ended:
            return entry
        changed: EntryT = replace(entry, status=live.run.status, ended_at=live.run.ended_at)
        return changed

    def delete(self, run_id: str, owner: str) -> None:
        """Delete a run and all it has found; raises RunStateError while it goes on."""
        stored: StoredRun[RequestT, RunT] = self._store.load(run_id, owner)
        if not stored.settled:
            raise self._undeletable_error()
        self._store.delete(run_id, owner)
        self._engine.delete_workflows(stored.workflow_ids)
        with self._lock:
            self._subscriptions.pop(run_id, None)

    def close(self) -> None:
        """Leave what is under way to the next process, and end, with all kinds of runs; a second time does nothing."""
        self._runs.close()

    @cached_property
    def _store(self) -> StoreT:
        return self._make_store()

    @property
    def _engine(self) -> Engine:
        try:
            return self._runs.engine
        except RunsUnavailableError as error:
            raise self.unavailable(str(error)) from None

    @property
    def _kind(self) -> RunKind[Any, StoreT]:
        return self._engine.kind(self.name)

    def _subscription(self, stored: StoredRun[RequestT, RunT]) -> RunSubscription[RunT, EventT]:
        engine = self._engine
        with self._lock:
            subscription = self._subscriptions.get(stored.id) or RunSubscription(engine, self._store, stored)
            self._subscriptions[stored.id] = subscription
            self._subscriptions.move_to_end(stored.id)
            while len(self._subscriptions) > _MAX_SUBSCRIPTIONS:
                self._subscriptions.popitem(last=False)
            return subscription

    def _notify(self, run_id: str) -> None:
        subscription = self._subscriptions.get(run_id)
        if subscription is not None:
            subscription.notify()

    def _save_end(self, run_id: str) -> None:
        """Read a run to its end, which saves it if necessary."""
        try:
            subscription = self._subscription(self._store.load(run_id))
        except RunNotFoundError:
            return  # deleted meanwhile
        subscription.notify()
        subscription.refresh()
        subscription.notify()
