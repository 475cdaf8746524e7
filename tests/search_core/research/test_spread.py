from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.domain import ResearchEvent, ResearchRequest, ResearchStatus, SourceRead, SourcesComplete
from search_core.errors import StorageError
from search_core.research import ResearchService
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.research.acting import ADDRESSES, QUESTION, REPORT, Actors, followed, until
from tests.search_core.research.workers import Worker

RUNS = 20


@pytest.fixture
def address(postgresql: PostgreSQLServer) -> str:
    return postgresql.new_database()


@pytest.fixture
def page(address: str) -> Iterator[ResearchService]:
    """Return a desk that starts and follows runs and works on none."""
    loop = LoopThread()
    database = Database(address)
    desk = ResearchService(Actors().parts(), database, loop, works=False)
    yield desk
    desk.close()
    loop.close()
    database.close()


def test_two_workers_one_killed_twenty_reports(address: str, page: ResearchService, postgresql: PostgreSQLServer, tmp_path: Path):
    """Of twenty runs over two workers, those of the one that is killed are ended by the other; every report is whole."""
    with Worker(address, tmp_path / "first", ["write 2"]) as first, Worker(address, tmp_path / "second") as second:
        runs = [page.start(ResearchRequest(question=QUESTION)) for _ in range(RUNS)]
        first.wait_held("write 2")
        first.kill()
        for run in runs:
            followed(page, run.id)
        second.kill()
    kept = [page.get(run.id, "") for run in runs]
    assert [run.status for run in kept] == [ResearchStatus.COMPLETE] * RUNS
    assert [run.report for run in kept] == [REPORT] * RUNS
    assert len(page.list("")) == RUNS
    kinds = postgresql.say(
        "SELECT DISTINCT jsonb_typeof(record), jsonb_array_length(record->'sources') FROM research_runs", address
    )
    assert kinds == [("object", 10)]


def test_a_database_that_is_away_for_a_moment_costs_no_run(tmp_path: Path):
    """PostgreSQL is killed while a run reads, and started again: the run completes, and nothing it had done is done twice."""
    held = f"page {ADDRESSES[3]}"
    actors = Actors(holds={held})
    loop = LoopThread()
    with (
        PostgreSQLServer() as server,
        closing(loop),
        closing(Database(server.new_database())) as database,
        closing(ResearchService(actors.parts(), database, loop)) as desk,
    ):
        run = desk.start(ResearchRequest(question=QUESTION))
        actors.wait_held(held)
        until(desk, run.id, SourcesComplete)
        server.kill()
        actors.release(held)
        actors.wait_idle()
        _wait_unreadable(desk, run.id)
        server.start()
        events = _patiently_followed(desk, run.id)
        kept = desk.get(run.id, "")
    assert kept.status is ResearchStatus.COMPLETE
    assert kept.report == REPORT
    assert set(actors.began.values()) == {1}
    assert len([event for event in events if isinstance(event, SourceRead)]) == 20


def _wait_unreadable(desk: ResearchService, run_id: str) -> None:
    """Return when a run cannot be read; what was read just now is not read again at once."""
    pause = threading.Event()
    for _ in range(600):
        try:
            desk.get(run_id, "")
        except StorageError:
            return
        pause.wait(0.02)
    raise AssertionError("a database that is gone is read")


def _patiently_followed(desk: ResearchService, run_id: str) -> list[ResearchEvent]:
    """Return what a run tells; a database that was away is left alone for some seconds after it is back."""
    pause = threading.Event()
    for _ in range(600):
        try:
            return followed(desk, run_id)
        except StorageError:
            pause.wait(0.1)
    raise AssertionError("the database stays away")


def test_a_run_of_another_process_is_steered(address: str, page: ResearchService, tmp_path: Path):
    """A page stops a run that a worker works on; a page that works on none leaves it waiting until there is a worker."""
    run = page.start(ResearchRequest(question=QUESTION))
    assert page.get(run.id, "").status is ResearchStatus.QUEUED
    with Worker(address, tmp_path / "journal", ["write 1"]) as worker:
        worker.wait_held("write 1")
        page.cancel(run.id, "")
        followed(page, run.id)
        kept = page.get(run.id, "")
    assert kept.status is ResearchStatus.STOPPED
    assert kept.report.startswith("문장 1이에요 [1].")
