"""Writes events to their store in the background; while the store fails, they stay in memory and are shown from there."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar, Protocol

from search_core.domain import SearchEvent
from search_core.errors import StorageError
from search_core.health.metrics import Metrics
from search_core.health.report import StoreState

logger = logging.getLogger(__name__)

REMEMBERED = 1_000
"""Events of this process kept in memory, whatever becomes of the store; so many may wait for it, older ones are lost."""
BATCH = 200
PAUSE_S = 5.0
"""Seconds for which a store that failed is not asked."""
FLUSH_S = 1.0
"""A reader waits no longer than this for events on their way."""
CLOSE_S = 2.0


class EventStore(Protocol):
    """Keeps search events; safe to use from any thread, every call ends within a second or so."""

    label: ClassVar[str]
    """What the page calls it, Korean."""

    def append(self, events: Sequence[SearchEvent]) -> None:
        """Keep *events*; when this returns they outlive the process. Raises StorageError."""
        ...

    def recent(self, since: datetime, limit: int) -> list[SearchEvent]:
        """Return at most *limit* events not older than *since*, newest first. Raises StorageError."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


class EventRecorder:
    """Takes events from any thread and writes them in batches from one thread of its own.

    While the store fails, events wait in memory and are tried again after a pause; what no longer fits is lost and counted.
    """

    def __init__(
        self,
        store: EventStore,
        *,
        counts: Metrics | None = None,
        remembered: int = REMEMBERED,
        pause_s: float = PAUSE_S,
        flush_s: float = FLUSH_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Write to *store*. *remembered* bounds what is held in memory, *clock* measures the pause in seconds."""
        self._store = store
        self._counts = counts
        self._pause_s = pause_s
        self._flush_s = flush_s
        self._clock = clock
        self._changed = threading.Condition()
        self._remembered: deque[SearchEvent] = deque(maxlen=remembered)
        self._waiting: deque[SearchEvent] = deque()
        self._in_hand: tuple[SearchEvent, ...] = ()
        """The batch that is being written."""
        self._lost = 0
        self._retry_at = 0.0
        self._problem: StorageError | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    def record(self, event: SearchEvent) -> None:
        """Take *event* and return at once; never raises. After ``close`` it is only remembered, and counted as lost."""
        if self._counts is not None:
            self._counts.count(event)
        with self._changed:
            self._remembered.append(event)
            if self._closing:
                self._lose(1)
                return
            self._waiting.append(event)
            self._drop_surplus()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="maekrak-events", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def remembered(self) -> tuple[SearchEvent, ...]:
        """Return the last events of this process, newest first; sends no request."""
        with self._changed:
            return tuple(reversed(self._remembered))

    def recent(self, since: datetime, limit: int) -> tuple[tuple[SearchEvent, ...], StoreState]:
        """Return at most *limit* events not older than *since*, newest first, and how the store is doing.

        Events the store has not taken yet are among them. Where the store cannot be read, they are those this process remembers.
        """
        with self._changed:
            # until everything is written, or a failing store is paused again
            self._changed.wait_for(self._is_settled, self._flush_s)
            unwritten = (*self._in_hand, *self._waiting)
            state = self._state()
        try:
            stored = self._store.recent(since, limit)
        except StorageError as error:
            korean = f"{error.korean} 이 앱이 켜진 뒤의 최근 기록만 보여 드려요."
            return _newest(self.remembered(), since, limit), replace(state, working=False, korean=korean)
        once = dict.fromkeys((*stored, *unwritten))  # a store that answered too late may have taken an event twice
        return _newest(once, since, limit), state

    def close(self) -> None:
        """Write what waits, for a short while at most, and close the store."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(CLOSE_S)
        with self._changed:
            left = len(self._waiting) + len(self._in_hand)
            self._waiting.clear()
            self._lose(left)
        if left:
            logger.warning("%d search events were not kept: the event store did not take them", left)
        self._store.close()

    def _state(self) -> StoreState:
        problem = self._problem
        korean = "" if problem is None else f"{problem.korean} 그때까지의 기록은 이 앱의 메모리에 있어요."
        return StoreState(label=self._store.label, working=problem is None, korean=korean, lost=self._lost)

    def _is_settled(self) -> bool:
        return not self._in_hand and (not self._waiting or self._pause() > 0)

    def _pause(self) -> float:
        """Return for how many seconds a failing store is not tried yet; 0 while closing."""
        return 0.0 if self._problem is None or self._closing else max(self._retry_at - self._clock(), 0.0)

    def _run(self) -> None:
        while batch := self._next_batch():
            problem = self._write(batch)
            with self._changed:
                self._in_hand = ()
                if problem is not None:
                    self._waiting.extendleft(reversed(batch))
                    self._drop_surplus()
                self._note(problem)
                self._changed.notify_all()
                if problem is not None and self._closing:
                    return

    def _next_batch(self) -> tuple[SearchEvent, ...]:
        """Wait for events and the end of the pause; empty when closing and all is written."""
        with self._changed:
            while True:
                pause = self._pause()
                if self._waiting and not pause:
                    self._in_hand = tuple(self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting))))
                    return self._in_hand
                if self._closing:
                    return ()
                self._changed.wait(pause if self._waiting else None)

    def _write(self, batch: Sequence[SearchEvent]) -> StorageError | None:
        """Return the error of a store that fails; events it can never take are lost and do not hold up the others."""
        try:
            self._store.append(batch)
        except StorageError as error:
            return error
        except Exception as error:  # noqa: BLE001 - the thread must not end
            logger.warning("Search events were not kept: %s", type(error).__name__)  # the text of the error may hold the query
            with self._changed:
                self._lose(len(batch))
        return None

    def _note(self, problem: StorageError | None) -> None:
        if problem is not None and self._problem is None:
            logger.warning("The event store does not work, events wait in memory: %s", problem)
        elif problem is None and self._problem is not None:
            logger.info("The event store works again")
        self._problem = problem
        self._retry_at = self._clock() + self._pause_s

    def _drop_surplus(self) -> None:
        most = self._remembered.maxlen or REMEMBERED
        surplus = max(len(self._waiting) - most, 0)
        for _ in range(surplus):
            self._waiting.popleft()
        self._lose(surplus)

    def _lose(self, events: int) -> None:
        self._lost += events
        if events and self._counts is not None:
            self._counts.lost(events)


def _newest(events: Iterable[SearchEvent], since: datetime, limit: int) -> tuple[SearchEvent, ...]:
    recent = (event for event in events if event.timestamp >= since)
    return tuple(sorted(recent, key=lambda event: event.timestamp, reverse=True)[:limit])
