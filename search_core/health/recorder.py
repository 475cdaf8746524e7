"""Writes events to their store in the background."""

from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from search_core.domain.reply import SearchEvent
from search_core.errors import StorageError
from search_core.health.metrics import Metrics
from search_core.health.report import StoreState

if TYPE_CHECKING:
    from search_core.storage.event_log import RedisEventLog, SqliteEventLog

logger = logging.getLogger(__name__)

REMEMBERED = 1_000
"""Events of this process kept in memory. As many may wait for the store; beyond that the oldest are not stored."""
BATCH = 200
FLUSH_S = 1.0
"""Longest time that a reader waits for queued events to be stored."""
CLOSE_S = 2.0


class EventRecorder:
    """Takes events from any thread and writes them in batches from its own; what a failing store refuses is lost."""

    def __init__(
        self,
        store: SqliteEventLog | RedisEventLog,
        *,
        counts: Metrics | None = None,
        remembered: int = REMEMBERED,
        flush_s: float = FLUSH_S,
    ) -> None:
        """Write to *store*, and keep at most *remembered* events in memory."""
        self._store = store
        self._counts = counts
        self._flush_s = flush_s
        self._changed = threading.Condition()
        self._remembered: deque[SearchEvent] = deque(maxlen=remembered)
        self._waiting: deque[SearchEvent] = deque(maxlen=remembered)
        self._in_hand: tuple[SearchEvent, ...] = ()
        """The batch that is being written."""
        self._problem: StorageError | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    def record(self, event: SearchEvent) -> None:
        """Queue *event* and return at once; never raises. After ``close`` it is only kept in memory."""
        if self._counts is not None:
            self._counts.count(event)
        with self._changed:
            self._remembered.append(event)
            if self._closing:
                return
            self._waiting.append(event)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="maekrak-events", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def remembered(self) -> tuple[SearchEvent, ...]:
        """Return the latest events of this process, newest first; sends no request."""
        with self._changed:
            return tuple(reversed(self._remembered))

    def recent(self, since: datetime, limit: int) -> tuple[tuple[SearchEvent, ...], StoreState]:
        """Return at most *limit* events not older than *since*, newest first, and the state of the store.

        If the store cannot be read, they are the events that this process remembers.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._in_hand, self._flush_s)
            state = self._state()
        try:
            return tuple(self._store.recent(since, limit)), state
        except StorageError as error:
            korean = f"{error.korean} 이 앱이 켜진 뒤의 최근 기록만 보여 드려요."
            newest_first = sorted(self.remembered(), key=lambda event: event.timestamp, reverse=True)
            recent = tuple(event for event in newest_first if event.timestamp >= since)[:limit]
            return recent, replace(state, working=False, korean=korean)

    def close(self) -> None:
        """Write waiting events, with a short time limit, and close the store."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(CLOSE_S)
        with self._changed:
            left = len(self._in_hand) + len(self._waiting)
        if left:
            logger.warning("%d search events were not kept: the event store did not take them in time", left)
        self._store.close()

    def _state(self) -> StoreState:
        problem = self._problem
        korean = "" if problem is None else f"{problem.korean} 그동안의 기록은 남지 않았어요."
        return StoreState(label=self._store.label, working=problem is None, korean=korean)

    def _run(self) -> None:
        while batch := self._next_batch():
            problem = None
            try:
                self._store.append(batch)
            except StorageError as error:
                problem = error
            except Exception as error:  # noqa: BLE001 - the thread must not end
                logger.warning("Search events were not kept: %s", type(error).__name__)  # its text may hold the query
                problem = StorageError("An event cannot be written.", korean="저장소에 쓸 수 없는 기록이 있었어요.")
            with self._changed:
                self._in_hand = ()
                self._note(problem)
                self._changed.notify_all()

    def _next_batch(self) -> tuple[SearchEvent, ...]:
        """Return the next events to write, waiting for some; empty when closing and all are written."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            self._in_hand = tuple(self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting))))
            return self._in_hand

    def _note(self, problem: StorageError | None) -> None:
        if problem is not None and self._problem is None:
            logger.warning("The event store does not work, events of this time are not kept: %s", problem)
        elif problem is None and self._problem is not None:
            logger.info("The event store works again")
        self._problem = problem
