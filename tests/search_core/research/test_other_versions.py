"""Runs that were unfinished when Maekrak was upgraded: each ends and can be resumed, or is left to its process."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from search_core.domain.research import ResearchEnded, ResearchRun, ResearchStatus
from search_core.domain.run import RunFailed
from search_core.research.service import ResearchService
from tests.search_core.research.acting import ADDRESSES, ASKED, REPORT, SUBTASKS, Actors, followed, open_research
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
        assert [type(event) for event in events[-2:]] == [RunFailed, ResearchEnded]
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
        assert [type(event) for event in followed(service, killed_run)[-2:]] == [RunFailed, ResearchEnded]
        service.delete(killed_run, "")
    assert sql(address, "SELECT count(*) FROM workflow_status") == [(0,)]


def test_the_runs_of_a_living_process_of_another_version_are_not_taken(address: Path, journal: Path, opens: Opens):
    """While both versions work, a run of the older one is over only when its process dies."""
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


def test_a_queued_run_of_another_version_ends_and_can_be_resumed(address: Path, opens: Opens):
    """What a dead process of it had put into its queue would wait for ever."""
    with opens(works=False) as service:
        run_id = service.start(ASKED).id
        age(address)
        take_over(service)
        assert service.get(run_id, "").status is ResearchStatus.QUEUED
    with opens() as service:
        assert status(service, run_id) is ResearchStatus.FAILED
        service.resume(run_id, "")
        assert status(service, run_id) is ResearchStatus.COMPLETE
        assert service.get(run_id, "").report == REPORT
