from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.domain.research import (
    ResearchEnded,
    ResearchEvent,
    ResearchMetrics,
    ResearchStatus,
    StatusChanged,
)
from search_core.domain.run import RunFailed
from search_core.research.parts import RESEARCH
from search_core.research.store import ResearchStore
from search_core.runs.control import CommandKind
from search_core.runs.engine import StreamRead
from search_core.runs.run_kind import StoredRun, workflows_to_go_on, workflows_to_halt
from search_core.runs.run_service import RunSubscription
from search_core.storage.database import Database
from tests.search_core.research.acting import ASKED

PLANNING = StatusChanged(status=ResearchStatus.PLANNING, message="나누고 있어요.")
PLANNED = StatusChanged(status=ResearchStatus.PLANNED, message="기다려요.")
SEARCHING = StatusChanged(status=ResearchStatus.SEARCHING, message="찾고 있어요.")
ENDED = ResearchEnded(status=ResearchStatus.COMPLETE, metrics=ResearchMetrics(), at=datetime(2026, 11, 21, tzinfo=UTC))


class Streams:
    """Plays the streams of workflows: events written together, and which workflows are over."""

    def __init__(self) -> None:
        self.written: dict[str, list[tuple[ResearchEvent, ...]]] = {}
        self.over: set[str] = set()

    def read_stream(self, workflow_id: str, offset: int) -> StreamRead:
        if workflow_id not in self.written:
            return StreamRead([], unknown=True)
        values = [[RESEARCH.encode(event) for event in together] for together in self.written[workflow_id][offset:]]
        return StreamRead(values, over=workflow_id in self.over)


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[ResearchStore]:
    database = Database(folder / "maekrak.sqlite")
    yield ResearchStore(database)
    database.close()


@pytest.fixture
def streams() -> Streams:
    return Streams()


@pytest.fixture
def run(store: ResearchStore) -> StoredRun:
    return store.create(ASKED)


def begin(store: ResearchStore, run: StoredRun, streams: Streams, *written: tuple[ResearchEvent, ...], over: bool = True) -> None:
    """Begin the first workflow of a run, which has *written* and is *over*."""
    store.begin_workflow(run.id, run.workflow_ids[0])
    streams.written[run.workflow_ids[0]] = list(written)
    if over:
        streams.over.add(run.workflow_ids[0])


def test_events_are_counted_one_by_one(store: ResearchStore, run: StoredRun, streams: Streams):
    """Events written together have numbers of their own; reading continues above any number, to the end."""
    subscription = RunSubscription(streams, store, run)
    assert subscription.after(0) == ((), False)
    begin(store, run, streams, (PLANNING, SEARCHING), (ENDED,), over=False)
    subscription.notify()
    assert subscription.after(0) == ((PLANNING, SEARCHING, ENDED), True)
    assert subscription.after(2) == ((ENDED,), True)
    assert subscription.after(3) == ((), True)
    assert subscription.run.status is ResearchStatus.COMPLETE


def test_a_second_workflow_goes_on_where_the_first_has_ended(store: ResearchStore, run: StoredRun, streams: Streams):
    """A run that waits with its plan is not over, the next workflow's events follow; one replaced unbegun is not read."""
    subscription = RunSubscription(streams, store, run)
    begin(store, run, streams, (PLANNING, PLANNED))
    store.save_record(run.empty.after(PLANNED), run.workflow_ids[0])
    assert subscription.after(0) == ((PLANNING, PLANNED), False)
    halted = store.add_command(run.id, "", CommandKind.STOP, workflows=workflows_to_halt)
    streams.written[halted.workflow_ids[1]] = [(ENDED,)]
    subscription.notify()
    assert subscription.after(2) == ((ENDED,), True)
    queued = store.create(ASKED)
    halted = store.add_command(queued.id, "", CommandKind.STOP, workflows=workflows_to_halt)
    assert halted.workflow_ids != queued.workflow_ids
    streams.written[halted.workflow_ids[0]] = [(ENDED,)]
    assert RunSubscription(streams, store, queued).after(0) == ((ENDED,), True)


def test_a_resumed_run_is_told_from_its_beginning_after_its_end(store: ResearchStore, run: StoredRun, streams: Streams):
    """Its new events have the next numbers; until they come it waits for its turn, and a subscription of before is of no use."""
    begin(store, run, streams, (PLANNING, ENDED))
    store.save_record(run.empty.after(PLANNING).after(ENDED), run.workflow_ids[0])
    before = RunSubscription(streams, store, run)
    assert before.after(0) == ((PLANNING, ENDED), True)
    assert before.is_of(store.load(run.id))
    resumed = store.add_command(run.id, "", CommandKind.GO_ON, workflows=workflows_to_go_on)
    assert not before.is_of(resumed)
    subscription = RunSubscription(streams, store, resumed)
    assert subscription.after(0) == ((PLANNING, ENDED), False)
    assert subscription.run == run.empty
    streams.written[resumed.workflow_ids[1]] = [(SEARCHING, ENDED)]
    subscription.notify()
    assert subscription.after(2) == ((SEARCHING, ENDED), True)
    assert subscription.run.status is ResearchStatus.COMPLETE


def test_a_run_whose_stream_is_over_before_its_end_has_failed(store: ResearchStore, run: StoredRun, streams: Streams):
    """The failure is published and stored; a process that follows the run later reads the same events."""
    subscription = RunSubscription(streams, store, run)
    begin(store, run, streams, (PLANNING,))
    events, ended = subscription.after(0)
    assert ended
    assert [type(event) for event in events] == [StatusChanged, RunFailed, ResearchEnded]
    again = store.load(run.id)
    assert (again.status, again.record) == (ResearchStatus.FAILED, subscription.run)
    assert again.record is not None
    assert again.record.failures[0].kind == "Interrupted"
    assert RunSubscription(streams, store, run).after(0) == (events, True)


def test_an_end_that_was_stored_but_not_published_is_published(store: ResearchStore, run: StoredRun, streams: Streams):
    """Followers receive the end of a run whose stream lacks it, and that of one that was deleted, without an event."""
    begin(store, run, streams, (PLANNING,))
    store.save_record(run.empty.after(PLANNING).after(ENDED), run.workflow_ids[0])
    assert RunSubscription(streams, store, run).after(0) == ((PLANNING, ENDED), True)
    deleted = store.create(ASKED)
    subscription = RunSubscription(streams, store, deleted)
    store.delete(deleted.id, "")
    assert subscription.after(0) == ((), True)


def test_a_failure_of_an_earlier_version_is_read(store: ResearchStore):
    """Runs that were under way when Maekrak was upgraded have failures under their former name."""
    failure = RunFailed(kind="Search failed", description="Nobody answered.", korean="아무도 답하지 않았어요.")
    encoded = store.kind.encode(failure)
    assert [store.kind.decode(encoded | {"type": name}) for name in ("RunFailed", "ResearchFailed")] == [failure] * 2
