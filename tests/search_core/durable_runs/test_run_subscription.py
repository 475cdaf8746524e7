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
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.engine import StreamRead
from search_core.durable_runs.run_subscription import RunSubscription
from search_core.durable_runs.stored_run import StoredRun, workflows_to_halt
from search_core.research.event_json import encode
from search_core.research.store import ResearchStore
from search_core.storage import Database
from tests.search_core.research.acting import PATIENCE_S, QUESTION

PLANNING = StatusChanged(status=ResearchStatus.PLANNING, message="나누고 있어요.")
PLANNED = StatusChanged(status=ResearchStatus.PLANNED, message="기다려요.")
SEARCHING = StatusChanged(status=ResearchStatus.SEARCHING, message="찾고 있어요.")
ENDED = ResearchEnded(status=ResearchStatus.COMPLETE, metrics=ResearchMetrics(), at=datetime(2026, 11, 21, tzinfo=UTC))


class Streams:
    """Plays the streams of workflows: events written together, and which workflows are over."""

    def __init__(self) -> None:
        self.told: dict[str, list[tuple[ResearchEvent, ...]]] = {}
        self.over: set[str] = set()

    def read_stream(self, workflow_id: str, offset: int) -> StreamRead:
        if workflow_id not in self.told:
            return StreamRead([], unknown=True)
        values = [[encode(event) for event in together] for together in self.told[workflow_id][offset:]]
        return StreamRead(values, over=workflow_id in self.over)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResearchStore]:
    database = Database(tmp_path / "maekrak.sqlite")
    yield ResearchStore(database)
    database.close()


@pytest.fixture
def run(store: ResearchStore) -> StoredRun:
    return store.create(ResearchRequest(question=QUESTION))


def test_events_are_counted_one_by_one(store: ResearchStore, run: StoredRun):
    """Those told together have numbers of their own, over all workflows."""
    streams = Streams()
    subscription = RunSubscription(streams, store, run)
    assert subscription.after(0) == ((), False)
    store.mark_begun(run.id, run.workflow_ids[0])
    streams.told[run.workflow_ids[0]] = [(PLANNING, SEARCHING), (ENDED,)]
    subscription.notify()
    assert subscription.after(0) == ((PLANNING, SEARCHING, ENDED), True)
    assert subscription.after(2) == ((ENDED,), True)
    assert subscription.after(3) == ((), True)
    assert subscription.run.status is ResearchStatus.COMPLETE


def test_a_second_workflow_goes_on_where_the_first_has_ended(store: ResearchStore, run: StoredRun):
    """A run that waits with its plan is not over, and what follows is told after it."""
    streams = Streams()
    subscription = RunSubscription(streams, store, run)
    store.mark_begun(run.id, run.workflow_ids[0])
    store.save_record(run.empty.after(PLANNED), run.workflow_ids[0])
    streams.told[run.workflow_ids[0]] = [(PLANNING, PLANNED)]
    streams.over.add(run.workflow_ids[0])
    assert subscription.after(0) == ((PLANNING, PLANNED), False)
    halted = store.add_command(run.id, "", CommandKind.STOP, workflows=workflows_to_halt)
    streams.told[halted.workflow_ids[1]] = [(ENDED,)]
    subscription.notify()
    assert subscription.after(2) == ((ENDED,), True)


def test_a_workflow_that_was_replaced_before_its_turn_is_forgotten(store: ResearchStore, run: StoredRun):
    """What is told instead begins the run."""
    streams = Streams()
    subscription = RunSubscription(streams, store, run)
    assert subscription.after(0) == ((), False)
    halted = store.add_command(run.id, "", CommandKind.STOP, workflows=workflows_to_halt)
    assert halted.workflow_ids != run.workflow_ids
    streams.told[halted.workflow_ids[0]] = [(ENDED,)]
    subscription.notify()
    assert subscription.after(0) == ((ENDED,), True)


def test_a_run_nobody_works_on_any_more_has_failed(store: ResearchStore, run: StoredRun):
    """Its stream is over before it has ended: that is told and kept, with what to do."""
    streams = Streams()
    subscription = RunSubscription(streams, store, run)
    store.mark_begun(run.id, run.workflow_ids[0])
    streams.told[run.workflow_ids[0]] = [(PLANNING,)]
    streams.over.add(run.workflow_ids[0])
    events, ended = subscription.after(0)
    assert ended
    assert [type(event) for event in events] == [StatusChanged, ResearchFailed, ResearchEnded]
    again = store.load(run.id)
    assert again.status is ResearchStatus.FAILED
    assert again.record == subscription.run
    assert again.record is not None
    assert again.record.failures[0].kind == "Interrupted"


def test_an_end_that_was_kept_but_not_told_is_told(store: ResearchStore, run: StoredRun):
    """Who follows hears of the end in any case."""
    streams = Streams()
    store.mark_begun(run.id, run.workflow_ids[0])
    store.save_record(run.empty.after(PLANNING).after(ENDED), run.workflow_ids[0])
    streams.told[run.workflow_ids[0]] = [(PLANNING,)]
    streams.over.add(run.workflow_ids[0])
    assert RunSubscription(streams, store, run).after(0) == ((PLANNING, ENDED), True)


def test_who_comes_after_a_run_was_given_up_hears_why(store: ResearchStore, run: StoredRun):
    """The failure that another process has kept, and could not write into the stream, is told before the end, and once."""
    streams = Streams()
    store.mark_begun(run.id, run.workflow_ids[0])
    streams.told[run.workflow_ids[0]] = [(PLANNING,)]
    streams.over.add(run.workflow_ids[0])
    first, _ = RunSubscription(streams, store, run).after(0)
    later, ended = RunSubscription(streams, store, run).after(0)
    assert ended
    assert later == first


def test_a_deleted_run_is_over(store: ResearchStore, run: StoredRun):
    """Who follows it is let go."""
    subscription = RunSubscription(Streams(), store, run)
    store.delete(run.id, "")
    assert subscription.after(0) == ((), True)


def test_a_notification_wakes_who_waits(store: ResearchStore, run: StoredRun):
    """Nobody waits for the next look when something is told here."""
    subscription = RunSubscription(Streams(), store, run)
    subscription.refresh()
    woken = threading.Event()

    def wait() -> None:
        subscription.wait(PATIENCE_S)
        woken.set()

    threading.Thread(target=wait, daemon=True).start()
    subscription.notify()
    assert woken.wait(PATIENCE_S)
