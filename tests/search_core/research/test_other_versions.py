"""Runs that were unfinished when Maekrak was upgraded: each ends, or goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.domain.research import ResearchEnded, ResearchFailed, ResearchRun, ResearchStatus, StatusChanged
from search_core.research import ResearchService
from search_core.research.store import ResearchStore
from search_core.storage import Database
from tests.search_core.research.acting import ADDRESSES, ASKED, REPORT, SUBTASKS, Actors, followed, open_research, until
from tests.search_core.research.workers import Worker, calls, kill_held, sql, wait_until

HELD = f"page {ADDRESSES[3]}"
"""Where a worker is killed: its plan, its searches and nine pages are done."""
Opens = Callable[..., AbstractContextManager[ResearchService]]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the folder of a process that was killed at HELD, and the id of its run."""
    folder = tmp_path_factory.mktemp("killed")
    return folder, kill_held(folder, HELD)


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return tmp_path / "maekrak.sqlite"


@pytest.fixture
def killed_run(killed: tuple[Path, str], tmp_path: Path) -> str:
    """Copy what the killed process has left, as if an earlier version had, and return the id of its run."""
    folder, run_id = killed
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    age(tmp_path / "maekrak.sqlite")
    return run_id


@pytest.fixture
def opens(address: Path, journal: Path) -> Opens:
    """Return a function that opens the service of a process of this version."""
    return lambda *, works=True: open_research(address, Actors(journal=journal).parts(), works=works)


def age(address: Path, version: str = "2") -> None:
    """Make all workflows those of another version."""
    sql(address, f"UPDATE workflow_status SET application_version = '{version}'")


def kinds(run: ResearchRun) -> list[str]:
    return [failure.kind for failure in run.failures]


def take_over(service: ResearchService) -> None:
    """Take over what dead processes and other versions have left, now."""
    service.open()
    service._engine._takeover.run()


def status(service: ResearchService, run_id: str) -> ResearchStatus:
    followed(service, run_id)
    return service.get(run_id, "").status


def test_a_run_that_another_version_had_begun_is_over(killed_run: str, journal: Path, opens: Opens):
    """Followers learn that it was interrupted; when it is resumed none of its calls is repeated."""
    with opens() as service:
        events = followed(service, killed_run)
        assert [type(event) for event in events[-2:]] == [ResearchFailed, ResearchEnded]
        run = service.get(killed_run, "")
        assert (run.status, kinds(run), len(run.plan)) == (ResearchStatus.FAILED, ["Interrupted"], len(SUBTASKS))
        assert [entry.status for entry in service.list("")] == [ResearchStatus.FAILED]
        done = calls(journal)[1]
        service.resume(killed_run, "")
        assert status(service, killed_run) is ResearchStatus.COMPLETE
        assert service.get(killed_run, "").report == REPORT
    began, ended = calls(journal)
    assert {name: began[name] for name in done} == dict.fromkeys(done, 1)
    assert len(done) == 1 + len(SUBTASKS) + len(ADDRESSES) - 1
    assert ended[HELD] == ended["write"] == 1


@pytest.mark.parametrize("state", ["PENDING", "ENQUEUED", "CANCELLED"])
def test_a_run_that_another_version_had_begun_ends_without_a_reader(killed_run: str, address: Path, opens: Opens, state: str):
    """It is listed as failed before it is opened, whatever state its version left it in, and can be deleted."""
    sql(address, f"UPDATE workflow_status SET status = '{state}'")
    with opens(works=False) as service:
        service.open()
        wait_until(lambda: [entry.status for entry in service.list("")] == [ResearchStatus.FAILED])
        assert kinds(service.get(killed_run, "")) == ["Interrupted"]
        assert [type(event) for event in followed(service, killed_run)[-2:]] == [ResearchFailed, ResearchEnded]
        service.delete(killed_run, "")
    assert sql(address, "SELECT count(*) FROM workflow_status") == [(0,)]


def test_a_deleted_run_leaves_no_workflow(killed_run: str, address: Path, opens: Opens):
    """The workflow that another version left of it is deleted, and no longer counts as a run at work."""
    assert killed_run
    sql(address, "DELETE FROM research_runs")
    with opens() as service:
        take_over(service)
        wait_until(lambda: sql(address, "SELECT count(*) FROM workflow_status") == [(0,)])


@pytest.mark.parametrize(
    ("version", "ends", "failures"), [("2", ResearchStatus.FAILED, ["Interrupted"]), ("4", ResearchStatus.COMPLETE, [])]
)
def test_a_dead_process_that_was_removed_too_early_has_left_its_runs(
    killed_run: str, address: Path, opens: Opens, version: str, ends: ResearchStatus, failures: list[str]
):
    """A process of another version takes over only what it can continue: the rest is taken over by ours."""
    age(address, version)
    sql(address, "DELETE FROM research_processes")
    with opens() as service:
        assert status(service, killed_run) is ends
        assert kinds(service.get(killed_run, "")) == failures


def test_the_runs_of_a_living_process_of_another_version_are_not_taken(address: Path, journal: Path, opens: Opens):
    """During a rolling upgrade both versions work; a run of the older one is over only when its process dies."""
    with Worker(address, journal, [HELD]) as worker:
        run_id = worker.start()
        worker.wait_held(HELD)
        age(address)
        with opens() as service:
            take_over(service)
            take_over(service)
            assert service.get(run_id, "").status in (ResearchStatus.SEARCHING, ResearchStatus.READING)
            assert sql(address, "SELECT status FROM workflow_status") == [("PENDING",)]
            worker.kill()
            assert status(service, run_id) is ResearchStatus.FAILED


def test_queued_runs_of_another_version_go_on_in_ours_or_are_stopped(address: Path, opens: Opens):
    """A process that only follows runs leaves them queued and may stop one; one that works begins the other in its own queue."""
    with opens(works=False) as service:
        run_id, stopped = service.start(ASKED).id, service.start(ASKED).id
        age(address)
        take_over(service)
        assert sql(address, "SELECT DISTINCT status, application_version FROM workflow_status") == [("ENQUEUED", "2")]
        assert service.get(run_id, "").status is ResearchStatus.QUEUED
        service.cancel(stopped, "")
        assert status(service, stopped) is ResearchStatus.STOPPED
    with opens() as service:
        assert status(service, run_id) is ResearchStatus.COMPLETE
        assert service.get(run_id, "").report == REPORT
        take_over(service)
        assert service.get(stopped, "").status is ResearchStatus.STOPPED


def test_only_a_queued_run_gets_another_workflow(address: Path):
    """A deleted run, one that has begun and one whose workflow was replaced before get none."""
    with closing(Database(address)) as database:
        store = ResearchStore(database)
        deleted, begun, renewed = runs = [store.create(ASKED) for _ in range(3)]
        store.delete(deleted.id, "")
        store.begin_workflow(begun.id, begun.workflow_ids[0])
        new_id = store.replace_workflow(renewed.id, renewed.workflow_ids[0])
        assert [store.replace_workflow(run.id, run.workflow_ids[0]) for run in runs] == [None, None, None]
        assert store.load(renewed.id).workflow_ids == (new_id,) != renewed.workflow_ids


@pytest.mark.parametrize("agreed", ["before the upgrade", "after a crash"])
def test_a_plan_of_another_version_can_be_agreed_to(address: Path, journal: Path, opens: Opens, agreed: str):
    """Agreeing gives the run a new workflow, also where the old one was never ended by a process that died."""
    with opens() as service:
        run_id = service.start(replace(ASKED, plan_first=True)).id
        until(service, run_id, StatusChanged, status=ResearchStatus.PLANNED)
    if agreed == "before the upgrade":
        with opens(works=False) as service:
            service.agree(run_id, "")
    age(address)
    if agreed == "after a crash":
        sql(address, "UPDATE workflow_status SET status = 'PENDING'")
        sql(address, "DELETE FROM streams WHERE offset > 1")  # what is left says that it plans, and the plan; not that it waits
    with opens() as service:
        if agreed == "after a crash":
            service.agree(run_id, "")
        assert isinstance(followed(service, run_id)[-1], ResearchEnded)
        assert (status(service, run_id), service.get(run_id, "").report) == (ResearchStatus.COMPLETE, REPORT)
    assert calls(journal)[0]["plan"] == 1
