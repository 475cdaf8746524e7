"""A run as this process follows it: read once from the streams of its workflows, for all readers."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Generic

from search_core.durable_runs.event_codec import decode
from search_core.durable_runs.run_format import FAILED, STOPPED, EventT, RunT
from search_core.runtime import LoopSignal

if TYPE_CHECKING:
    from search_core.durable_runs.engine import Engine
    from search_core.durable_runs.store import RunStore
    from search_core.durable_runs.stored_run import StoredRun

FRESH_S = 0.05
"""Seconds for which what was read counts as new, unless something was published in this process since."""
POLL_S = 0.1
"""Seconds between two looks at a run of another process."""
POLL_WAITING_S = 1.0
"""Seconds between two looks at a run that waits for the user."""


class RunSubscription(Generic[RunT, EventT]):
    """Holds the events of a run; safe to use from many threads and loops."""

    def __init__(self, engine: Engine, store: RunStore[Any, RunT, EventT], stored: StoredRun[Any, RunT]) -> None:
        self._engine = engine
        self._store = store
        self._format = store.format
        self._run_id = stored.id
        self._reading = threading.Lock()
        self._published = threading.Condition()
        self.news = LoopSignal()
        """Set whenever something is published in this process."""
        self._read_at = -FRESH_S
        self._notified = True
        self._workflow_ids = stored.workflow_ids
        self._current = 0
        self._offset = 0
        self.run: RunT = stored.empty
        """The run as the events so far make it."""
        self.events: tuple[EventT, ...] = ()
        self.ended = False

    @property
    def settled(self) -> bool:
        """Return whether nothing happens until the user says so, as far as was read."""
        return self.ended or self._waits_for_user

    @property
    def _waits_for_user(self) -> bool:
        return bool(self.run.status.waits_for_user)

    @property
    def poll_s(self) -> float:
        """Return how many seconds to wait before looking again."""
        return POLL_WAITING_S if self._waits_for_user else POLL_S

    def after(self, number: int) -> tuple[tuple[EventT, ...], bool]:
        """Return the events above *number*, which counts from 1, and whether there will be no more."""
        self.refresh()
        ended, events = self.ended, self.events  # in this order: what has ended grows no more
        return events[number:], ended

    def refresh(self) -> None:
        """Read what is new; raises StorageError when the database cannot be read."""
        with self._reading:
            if self.ended or (not self._notified and time.monotonic() - self._read_at < FRESH_S):
                return
            self._notified = False
            self._read_at = time.monotonic()
            while self._read_on():
                pass

    def _read_on(self) -> bool:
        """Read on in the current workflow; True when there is more to read at once."""
        stored = self._store.progress(self._run_id)  # asked first: DBOS waits for a database that is away, and so would we
        if stored is None:  # deleted meanwhile
            self.ended = True
            return False
        if not self._offset and stored.workflow_ids[: self._current + 1] != self._workflow_ids[: self._current + 1]:
            self._current = min(self._current, len(stored.workflow_ids) - 1)  # stopped before its turn came
        self._workflow_ids = stored.workflow_ids
        reading = self._engine.read_stream(self._workflow_ids[self._current], self._offset)
        self._offset += len(reading.values)
        self._add(*(decode(event) for together in reading.values for event in together))
        if self.ended:
            return False
        if reading.over and self._current + 1 < len(self._workflow_ids):
            self._current, self._offset = self._current + 1, 0
            return True
        if reading.unknown and stored.status.ended:
            self._replay_record()
        elif reading.over or reading.unknown:
            self._handle_end_of_stream()
        return False

    def _handle_end_of_stream(self) -> None:
        """Find out why the last stream has ended before the run: it was saved, waits for the user, or is lost."""
        stored = self._store.progress(self._run_id)
        if stored is not None and stored.workflow_ids == self._workflow_ids and stored.begun == len(stored.workflow_ids):
            if stored.status.ended:
                self._replay_record()
            elif not stored.status.waits_for_user:
                self._give_up()

    def _add(self, *events: EventT) -> None:
        for event in events:
            self.run = self.run.after(event)
            self.events = (*self.events, event)
            self.ended = self.ended or isinstance(event, self._format.end_event)

    def _replay_record(self) -> None:
        """Add the events of the saved run where its streams are gone, or the missing end of them."""
        record = self._store.load(self._run_id).record
        if record is not None:
            events = tuple(record.replay())
            missing = (failure for failure in record.failures if failure not in self.run.failures)
            self._add(*((*missing, events[-1]) if self.events else events))
        self.ended = True

    def _give_up(self) -> None:
        """End a run without a process that works on it, here and in the database."""
        self._add(self._format.given_up, self._format.end(FAILED, datetime.now(UTC)))
        self._store.save_record(self.run, self._workflow_ids[-1])

    def stop_unsaved(self) -> tuple[RunT, str]:
        """End a run for its readers while the database cannot be written; return it and the id of its workflow, to be saved."""
        with self._reading:
            if not self.ended:
                self._add(self._format.stopped_unsaved, self._format.end(STOPPED, datetime.now(UTC)))
            run, workflow_id = self.run, self._workflow_ids[-1]
        self.notify()
        return run, workflow_id

    def notify(self) -> None:
        """Wake those who wait: something was published in this process."""
        self._notified = True
        with self._published:
            self._published.notify_all()
        self.news.set()

    def wait(self, timeout_s: float) -> None:
        """Wait until something is published, or *timeout_s* seconds; not on a loop."""
        with self._published:
            if not self._notified:
                self._published.wait(timeout_s)
