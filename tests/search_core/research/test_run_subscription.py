from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.domain import (
    ResearchEnded,
    ResearchEvent,
    ResearchFailed,
    ResearchMetrics,
    ResearchRequest,
    ResearchStatus,
    StatusChanged,
)
from search_core.research.control import CommandKind
from search_core.research.engine import Reading
from search_core.research.event_json import encode
from search_core.research.kept_run import KeptRun
from search_core.research.run_subscription import RunSubscription
from search_core.research.steering import legs_to_halt
from search_core.research.store import ResearchStore
from search_core.storage import Database
from tests.search_core.research.acting import PATIENCE_S, QUESTION

PLANNING = StatusChanged(status=ResearchStatus.PLANNING, message="나누고 있어요.")
PLANNED = StatusChanged(status=ResearchStatus.PLANNED, message="기다려요.")
SEARCHING = StatusChanged(status=ResearchStatus.SEARCHING, message="찾고 있어요.")
ENDED = ResearchEnded(status=ResearchStatus.COMPLETE, metrics=ResearchMetrics(), at=datetime(2026, 11, 21, tzinfo=UTC))


class Streams:
    """Plays the streams of legs: events told together, and which legs are over."""

    def __init__(self) -> None:
        self.told: dict[str, list[tuple[ResearchEvent, ...]]] = {}
        self.over: set[str] = set()

    def read(self, leg: str, offset: int) -> Reading:
        if leg not in self.told:
            return Reading([], unknown=True)
        values = [[encode(event) for event in together] for together in self.told[leg][offset:]]
        return Reading(values, over=leg in self.over)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResearchStore]:
    database = Database(tmp_path / "maekrak.sqlite")
    yield ResearchStore(database)
    database.close()


@pytest.fixture
def run(store: ResearchStore) -> KeptRun:
    return store.create(ResearchRequest(question=QUESTION))


def test_events_are_counted_one_by_one(store: ResearchStore, run: KeptRun):
    """Those told together have numbers of their own, over all legs."""
    streams = Streams()
    feed = RunSubscription(streams, store, run)
    assert feed.after(0) == ((), False)
    store.begin(run.id, run.legs[0])
    streams.told[run.legs[0]] = [(PLANNING, SEARCHING), (ENDED,)]
    feed.ping()
    assert feed.after(0) == ((PLANNING, SEARCHING, ENDED), True)
    assert feed.after(2) == ((ENDED,), True)
    assert feed.after(3) == ((), True)
    assert feed.run.status is ResearchStatus.COMPLETE


def test_a_second_leg_goes_on_where_the_first_has_ended(store: ResearchStore, run: KeptRun):
    """A run that waits with its plan is not over, and what follows is told after it."""
    streams = Streams()
    feed = RunSubscription(streams, store, run)
    store.begin(run.id, run.legs[0])
    store.settle(run.empty().after(PLANNED), run.legs[0])
    streams.told[run.legs[0]] = [(PLANNING, PLANNED)]
    streams.over.add(run.legs[0])
    assert feed.after(0) == ((PLANNING, PLANNED), False)
    halted = store.wish(run.id, "", CommandKind.STOP, {}, legs=legs_to_halt)
    streams.told[halted.legs[1]] = [(ENDED,)]
    feed.ping()
    assert feed.after(2) == ((ENDED,), True)


def test_a_leg_that_was_replaced_before_its_turn_is_forgotten(store: ResearchStore, run: KeptRun):
    """What is told instead begins the run."""
    streams = Streams()
    feed = RunSubscription(streams, store, run)
    assert feed.after(0) == ((), False)
    halted = store.wish(run.id, "", CommandKind.STOP, {}, legs=legs_to_halt)
    assert halted.legs != run.legs
    streams.told[halted.legs[0]] = [(ENDED,)]
    feed.ping()
    assert feed.after(0) == ((ENDED,), True)


def test_a_run_nobody_works_on_any_more_has_failed(store: ResearchStore, run: KeptRun):
    """Its stream is over before it has ended: that is told and kept, with what to do."""
    streams = Streams()
    feed = RunSubscription(streams, store, run)
    store.begin(run.id, run.legs[0])
    streams.told[run.legs[0]] = [(PLANNING,)]
    streams.over.add(run.legs[0])
    events, ended = feed.after(0)
    assert ended
    assert [type(event) for event in events] == [StatusChanged, ResearchFailed, ResearchEnded]
    again = store.load(run.id)
    assert again.status is ResearchStatus.FAILED
    assert again.record == feed.run
    assert again.record is not None
    assert again.record.failures[0].kind == "Interrupted"


def test_an_end_that_was_kept_but_not_told_is_told(store: ResearchStore, run: KeptRun):
    """Who follows hears of the end in any case."""
    streams = Streams()
    store.begin(run.id, run.legs[0])
    store.settle(run.empty().after(PLANNING).after(ENDED), run.legs[0])
    streams.told[run.legs[0]] = [(PLANNING,)]
    streams.over.add(run.legs[0])
    assert RunSubscription(streams, store, run).after(0) == ((PLANNING, ENDED), True)


def test_who_comes_after_a_run_was_given_up_hears_why(store: ResearchStore, run: KeptRun):
    """The failure that another process has kept, and could not write into the stream, is told before the end, and once."""
    streams = Streams()
    store.begin(run.id, run.legs[0])
    streams.told[run.legs[0]] = [(PLANNING,)]
    streams.over.add(run.legs[0])
    first, _ = RunSubscription(streams, store, run).after(0)
    later, ended = RunSubscription(streams, store, run).after(0)
    assert ended
    assert later == first


def test_a_deleted_run_is_over(store: ResearchStore, run: KeptRun):
    """Who follows it is let go."""
    feed = RunSubscription(Streams(), store, run)
    store.delete(run.id, "")
    assert feed.after(0) == ((), True)


def test_a_ping_wakes_who_waits(store: ResearchStore, run: KeptRun):
    """Nobody waits for the next look when something is told here."""
    feed = RunSubscription(Streams(), store, run)
    feed.refresh()
    woken = threading.Event()

    def wait() -> None:
        feed.wait(PATIENCE_S)
        woken.set()

    threading.Thread(target=wait, daemon=True).start()
    feed.ping()
    assert woken.wait(PATIENCE_S)
