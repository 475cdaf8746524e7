"""Runs that were unfinished when Maekrak was upgraded: each ends, or goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from search_core.domain import ResearchEnded, ResearchFailed, ResearchRequest, ResearchRun, ResearchStatus, StatusChanged
from search_core.durable_runs.takeover import Takeover
from search_core.research import ResearchService
from search_core.research.store import ResearchStore
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.research.acting import ADDRESSES, QUESTION, REPORT, SUBTASKS, Actors, followed, until
from tests.search_core.research.workers import Worker, calls, wait_until

HELD = f"page {ADDRESSES[3]}"
"""Where a worker is killed: its plan, its searches and nine pages are done."""
ASKED = ResearchRequest(question=QUESTION)
Desks = Callable[..., AbstractContextManager[ResearchService]]


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return tmp_path / "maekrak.sqlite"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    path.touch()
    return path


@pytest.fixture
def desks(address: Path, journal: Path) -> Desks:
    """Return what opens a desk as a process of our version has it."""

    @contextmanager
    def desk(*, works: bool = True) -> Iterator[ResearchService]:
        loop = LoopThread()
        database = Database(address)
        desk = ResearchService(Actors(journal=journal).parts(), database, loop, works=works)
        try:
            desk.open()
            yield desk
        finally:
            desk.close()
            loop.close()
            database.close()

    return desk


def say(address: Path, statement: str) -> list[tuple[object, ...]]:
    engine = create_engine(f"sqlite:///{address}")
    with engine.begin() as connection:
        told = connection.execute(text(statement))
        rows = [tuple(row) for row in told] if told.returns_rows else []
    engine.dispose()
    return rows


def age(address: Path) -> None:
    """Make all workflows that there are those of the version before."""
    say(address, "UPDATE workflow_status SET application_version = '2'")


def killed(address: Path, journal: Path) -> str:
    """Return a run of which the process was killed at HELD."""
    with Worker(address, journal, [HELD]) as worker:
        run_id = worker.start()
        worker.followed_until_held(run_id, HELD)
        worker.kill()
    return run_id


def kinds(run: ResearchRun) -> list[str]:
    return [failure.kind for failure in run.failures]


def test_a_run_that_another_version_had_begun_is_over(address: Path, journal: Path, desks: Desks):
    """Who follows it hears that it was interrupted; what it found is kept for *resume*, which asks for none of it again."""
    run_id = killed(address, journal)
    age(address)
    with desks() as desk:
        events = followed(desk, run_id)
        assert [type(event) for event in events[-2:]] == [ResearchFailed, ResearchEnded]
        run = desk.get(run_id, "")
        assert run.status is ResearchStatus.FAILED
        assert kinds(run) == ["Interrupted"]
        assert len(run.plan) == len(SUBTASKS)
        assert [entry.status for entry in desk.list("")] == [ResearchStatus.FAILED]
        done = calls(journal)[1]
        again = desk.resume(run_id, "")
        followed(desk, again.id)
        assert desk.get(again.id, "").status is ResearchStatus.COMPLETE
        assert desk.get(again.id, "").report == REPORT
    began, ended = calls(journal)
    assert {name: began[name] for name in done} == dict.fromkeys(done, 1)
    assert len(done) == 1 + len(SUBTASKS) + len(ADDRESSES) - 1
    assert ended[HELD] == ended["write"] == 1


@pytest.mark.parametrize("state", ["PENDING", "ENQUEUED", "CANCELLED"])
def test_a_run_that_another_version_had_begun_ends_without_a_reader(address: Path, journal: Path, desks: Desks, state: str):
    """The list of runs shows it as failed though nobody has looked at it; another process then tells why.

    So it does when the run was put back into the queue of its version, and when who took it over died before settling it.
    """
    run_id = killed(address, journal)
    age(address)
    say(address, f"UPDATE workflow_status SET status = '{state}'")
    with desks(works=False) as desk:
        wait_until(lambda: [entry.status for entry in desk.list("")] == [ResearchStatus.FAILED])
        assert kinds(desk.get(run_id, "")) == ["Interrupted"]
    with desks() as desk:
        events = followed(desk, run_id)
        assert [type(event) for event in events[-2:]] == [ResearchFailed, ResearchEnded]
        desk.delete(run_id, "")
    assert say(address, "SELECT count(*) FROM workflow_status") == [(0,)]


def test_nothing_stays_of_a_deleted_run(address: Path, journal: Path, desks: Desks):
    """What another version was doing for it goes, so that it counts among the runs at work no more."""
    killed(address, journal)
    age(address)
    say(address, "DELETE FROM research_runs")
    with desks():
        wait_until(lambda: say(address, "SELECT count(*) FROM workflow_status") == [(0,)])


@pytest.mark.parametrize("version", ["1", "2", "3"])
def test_a_dead_process_that_was_forgotten_has_left_its_runs_all_the_same(
    address: Path, journal: Path, desks: Desks, version: str
):
    """A process of another version takes over only what it can go on with, and forgets the dead: we look after the rest."""
    run_id = killed(address, journal)
    say(address, f"UPDATE workflow_status SET application_version = '{version}'")
    say(address, "DELETE FROM research_processes")
    with desks() as desk:
        followed(desk, run_id)
        run = desk.get(run_id, "")
    expected = (ResearchStatus.COMPLETE, []) if version == "3" else (ResearchStatus.FAILED, ["Interrupted"])
    assert (run.status, kinds(run)) == expected


def test_what_a_living_process_of_another_version_works_on_is_left_to_it(address: Path, journal: Path, desks: Desks):
    """During a rolling upgrade both versions work; only when the older one dies its run is over."""
    with Worker(address, journal, [HELD]) as worker:
        run_id = worker.start()
        worker.followed_until_held(run_id, HELD)
        age(address)
        with desks() as desk:
            look(desk)
            look(desk)
            assert desk.get(run_id, "").status is ResearchStatus.READING
            assert say(address, "SELECT status FROM workflow_status") == [("PENDING",)]
            worker.kill()
            followed(desk, run_id)
            assert kinds(desk.get(run_id, "")) == ["Interrupted"]


def look(desk: ResearchService) -> None:
    """Let *desk* look after what others have left, now."""
    takeover: Takeover = desk._engine._takeover
    takeover.run()


def test_a_run_in_the_queue_of_another_version_goes_on_in_ours(address: Path, desks: Desks):
    """It had not begun, so nothing of it depends on the version; what stood in the old queue is gone."""
    with desks(works=False) as desk:
        run_id = desk.start(ASKED).id
    age(address)
    with desks() as desk:
        followed(desk, run_id)
        assert desk.get(run_id, "").status is ResearchStatus.COMPLETE
        assert desk.get(run_id, "").report == REPORT
    assert say(address, "SELECT count(*), min(application_version) FROM workflow_status") == [(1, "3")]


def test_a_run_in_the_queue_of_another_version_waits_for_one_that_works(address: Path, desks: Desks):
    """A process that works on no run leaves it where workers of the other version find it."""
    with desks(works=False) as desk:
        run_id = desk.start(ASKED).id
    age(address)
    with desks(works=False) as desk:
        look(desk)
        assert say(address, "SELECT status, application_version FROM workflow_status") == [("ENQUEUED", "2")]
        assert desk.get(run_id, "").status is ResearchStatus.QUEUED


@pytest.mark.parametrize("works", [False, True])
def test_a_run_in_the_queue_of_another_version_can_be_stopped(address: Path, desks: Desks, works: bool):
    """Stopping it does not wait for a version that may never come back; nor is it begun again by one that looks after it."""
    with desks(works=False) as desk:
        run_id = desk.start(ASKED).id
    age(address)
    with desks(works=False) as desk:
        desk.cancel(run_id, "")
        followed(desk, run_id)
        assert desk.get(run_id, "").status is ResearchStatus.STOPPED
    with desks(works=works) as desk:
        look(desk)
        assert [entry.status for entry in desk.list("")] == [ResearchStatus.STOPPED]


def test_a_deleted_run_is_not_put_into_the_queue(address: Path):
    """Neither is one that has begun, or that goes on with another workflow by now."""
    database = Database(address)
    store = ResearchStore(database)
    deleted, begun, renewed = (store.create(ASKED) for _ in range(3))
    store.delete(deleted.id, "")
    store.mark_begun(begun.id, begun.workflow_ids[0])
    new_id = store.replace_workflow(renewed.id, renewed.workflow_ids[0])
    assert [store.replace_workflow(run.id, run.workflow_ids[0]) for run in (deleted, begun, renewed)] == [None, None, None]
    assert new_id is not None
    assert store.load(renewed.id).workflow_ids == (new_id,)
    assert store.load(begun.id).workflow_ids == begun.workflow_ids
    database.close()


@pytest.mark.parametrize("agreed_before", [False, True])
def test_a_plan_of_another_version_can_be_agreed_to(address: Path, journal: Path, desks: Desks, agreed_before: bool):
    """A run that waits with its plan needs nothing: agreeing gives it a new workflow, be it before the upgrade or after."""
    with desks() as desk:
        run_id = desk.start(ResearchRequest(question=QUESTION, plan_first=True)).id
        until(desk, run_id, StatusChanged, status=ResearchStatus.PLANNED)
    if agreed_before:
        with desks(works=False) as desk:
            desk.agree(run_id, "")
    age(address)
    with desks() as desk:
        if not agreed_before:
            look(desk)
            assert desk.get(run_id, "").status is ResearchStatus.PLANNED
            desk.agree(run_id, "")
        followed(desk, run_id)
        assert desk.get(run_id, "").status is ResearchStatus.COMPLETE
        assert desk.get(run_id, "").report == REPORT
    assert calls(journal)[0]["plan"] == 1


def test_a_plan_that_was_kept_by_one_who_died_before_its_workflow_was_over_can_be_agreed_to(address: Path, desks: Desks):
    """Readers of the run come past the workflow that nobody ends any more to the one that goes on."""
    with desks() as desk:
        run_id = desk.start(ResearchRequest(question=QUESTION, plan_first=True)).id
        until(desk, run_id, StatusChanged, status=ResearchStatus.PLANNED)
    age(address)
    say(address, "UPDATE workflow_status SET status = 'PENDING'")
    say(address, "DELETE FROM streams WHERE offset > 1")  # told before: that it plans, and the plan; after: that the plan waits
    with desks() as desk:
        desk.agree(run_id, "")
        assert isinstance(followed(desk, run_id)[-1], ResearchEnded)
        assert desk.get(run_id, "").status is ResearchStatus.COMPLETE
