"""One run as everybody in this process follows it: read from the streams of its legs once, whoever asks."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from search_core.domain import ResearchEnded, ResearchEvent, ResearchFailed, ResearchMetrics, ResearchStatus
from search_core.research.event_json import decode
from search_core.research.replay import replay_events

if TYPE_CHECKING:
    from search_core.research.engine import Engine
    from search_core.research.kept_run import KeptRun
    from search_core.research.store import ResearchStore

FRESH_S = 0.05
"""What was read so short a time ago is not read again, unless something was told in this process since."""
LOOK_S = 0.1
"""How often a run of another process is looked at."""
LOOK_AT_PLAN_S = 1.0
"""How often a run that waits for the user is."""
_GIVEN_UP = ResearchFailed(
    kind="Interrupted",
    description="The run was interrupted again and again and is not taken up any more.",
    korean="조사가 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 찾은 자료에서 다시 시작해요.",
)


class RunSubscription:
    """Holds what a run has told; safe to use from many threads and loops."""

    def __init__(self, engine: Engine, store: ResearchStore, kept: KeptRun) -> None:
        self._engine = engine
        self._store = store
        self._run_id = kept.id
        self._reading = threading.Lock()
        self._told = threading.Condition()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._read_at = -FRESH_S
        self._news = True
        self._legs = kept.legs
        self._leg = 0
        self._offset = 0
        self.run = kept.empty()
        """What the events so far make."""
        self.events: tuple[ResearchEvent, ...] = ()
        self.ended = False

    @property
    def settled(self) -> bool:
        """Tell whether nothing is told until the user says so, as far as was read."""
        return self.ended or self.run.status is ResearchStatus.PLANNED

    @property
    def look_s(self) -> float:
        """Return how long to wait, in seconds, before looking again."""
        return LOOK_AT_PLAN_S if self.run.status is ResearchStatus.PLANNED else LOOK_S

    def after(self, number: int) -> tuple[tuple[ResearchEvent, ...], bool]:
        """Return the events above *number*, which counts from 1, and whether there will be no more."""
        self.refresh()
        ended, events = self.ended, self.events  # in this order: what has ended grows no more
        return events[number:], ended

    def refresh(self) -> None:
        """Read what is new; raises StorageError when the database cannot be read."""
        with self._reading:
            if self.ended or (not self._news and time.monotonic() - self._read_at < FRESH_S):
                return
            self._news = False
            self._read_at = time.monotonic()
            while self._read_on():
                pass

    def _read_on(self) -> bool:
        """Read on in the current leg; True when there is more to read at once."""
        state = self._store.state(self._run_id)  # asked first: DBOS waits for a database that is away, and so would we
        if state is None:  # deleted meanwhile
            self.ended = True
            return False
        if not self._offset and state.legs[: self._leg + 1] != self._legs[: self._leg + 1]:
            self._leg = min(self._leg, len(state.legs) - 1)  # stopped before its turn came
        self._legs = state.legs
        reading = self._engine.read(self._legs[self._leg], self._offset)
        self._offset += len(reading.values)
        self._add(*(decode(event) for told_together in reading.values for event in told_together))
        if self.ended:
            return False
        if reading.over and self._leg + 1 < len(self._legs):
            self._leg, self._offset = self._leg + 1, 0
            return True
        if reading.unknown and state.status.ended:
            self._recount()
        elif reading.over:
            self._over()
        return False

    def _over(self) -> None:
        """Look whether a run of which the last stream has ended before the run waits for the user, or is lost."""
        state = self._store.state(self._run_id)
        if state is not None and state.legs == self._legs and state.begun == len(state.legs):
            if state.status.ended:
                self._recount()
            elif state.status is not ResearchStatus.PLANNED:
                self._give_up()

    def _add(self, *events: ResearchEvent) -> None:
        for event in events:
            self.run = self.run.after(event)
            self.events = (*self.events, event)
            self.ended = self.ended or isinstance(event, ResearchEnded)

    def _recount(self) -> None:
        """Tell what was kept of a run of which the streams are gone, or the end where that is missing."""
        record = self._store.load(self._run_id).record
        if record is not None:
            events = tuple(replay_events(record))
            untold = (failure for failure in record.failures if failure not in self.run.failures)
            self._add(*((*untold, events[-1]) if self.events else events))
        self.ended = True

    def _give_up(self) -> None:
        """End a run that nobody works on any more, here and in the database."""
        at = datetime.now(UTC)
        ended = ResearchEnded(status=ResearchStatus.FAILED, metrics=ResearchMetrics(), at=at)
        self._add(_GIVEN_UP, ended)
        self._store.settle(self.run, self._legs[-1])

    def ping(self) -> None:
        """Wake those who wait: something was told in this process."""
        self._news = True
        with self._told:
            self._told.notify_all()
            for loop, event in self._waiting:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(event.set)

    def wait(self, timeout_s: float) -> None:
        """Wait until something is told, or *timeout_s* seconds; not on a loop."""
        with self._told:
            if not self._news:
                self._told.wait(timeout_s)

    @contextmanager
    def news(self) -> Iterator[asyncio.Event]:
        """Lend what is set on the running loop when something is told."""
        waiting = (asyncio.get_running_loop(), asyncio.Event())
        with self._told:
            self._waiting.add(waiting)
        try:
            yield waiting[1]
        finally:
            with self._told:
                self._waiting.discard(waiting)
