"""Runs of research over several processes that share one PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search_core.domain.research import ResearchStatus, SourceRead, SourcesComplete
from search_core.errors import StorageError
from search_core.research.service import ResearchService
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.research.acting import ADDRESSES, ASKED, REPORT, Actors, followed, open_research, until
from tests.search_core.research.workers import Worker, wait_until

RUNS = 4


@pytest.fixture
def address(postgresql: PostgreSQLServer) -> str:
    return postgresql.new_database()


@pytest.fixture
def page(address: str) -> Iterator[ResearchService]:
    """Yield a service that starts and follows runs and works on none."""
    with open_research(address, Actors().parts(), works=False) as service:
        yield service


def test_the_runs_of_a_killed_worker_are_completed_by_another(
    address: str, page: ResearchService, postgresql: PostgreSQLServer, tmp_path: Path
):
    """Of four runs those that a worker had begun when it was killed are completed by another; every report is whole."""
    with Worker(address, tmp_path / "first", ["write 1"]) as first:
        runs = [page.start(ASKED) for _ in range(RUNS)]
        first.wait_held("write 1")  # alone, so that it has one for certain
    with Worker(address, tmp_path / "second") as second:
        for run in runs:
            followed(page, run.id)
        second.kill()
    stored = [page.get(run.id, "") for run in runs]
    assert {(run.status, run.report) for run in stored} == {(ResearchStatus.COMPLETE, REPORT)}
    assert len(page.list("")) == RUNS
    kinds = "SELECT DISTINCT jsonb_typeof(record), jsonb_array_length(record->'sources') FROM research_runs"
    assert postgresql.say(kinds, address) == [("object", 10)]


def test_a_database_that_is_away_for_a_moment_costs_no_run(tmp_path: Path):
    """PostgreSQL is killed while a run reads, and started again: the run completes without repeating a call."""
    held = f"page {ADDRESSES[3]}"
    actors = Actors(holds={held})
    with PostgreSQLServer() as server, open_research(server.new_database(), actors.parts()) as service:
        run_id = service.start(ASKED).id
        actors.wait_held(held)
        until(service, run_id, SourcesComplete)
        server.kill()
        actors.release(held)
        actors.wait_idle()
        wait_until(lambda: _is_away(lambda: service.get(run_id, "")))
        server.start()
        wait_until(lambda: not _is_away(lambda: followed(service, run_id)))
        stored, events = service.get(run_id, ""), followed(service, run_id)
    assert (stored.status, stored.report) == (ResearchStatus.COMPLETE, REPORT)
    assert set(actors.began.values()) == {1}
    assert len([event for event in events if isinstance(event, SourceRead)]) == 20


def _is_away(read: Callable[[], object]) -> bool:
    """Return whether the database cannot be read; it is cooling down for some seconds after it is back."""
    try:
        read()
    except StorageError:
        return True
    return False
