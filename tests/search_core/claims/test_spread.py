"""Checks of claims over several processes that share one PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.claims.service import ClaimsService
from search_core.domain import ClaimsStatus, ClaimState
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.claims.acting import CLAIMS, REQUEST, ClaimActors, claims_service, followed
from tests.search_core.claims.playing import PlayedClaims
from tests.search_core.research.workers import Worker

RUNS = 20


@pytest.fixture
def address(postgresql: PostgreSQLServer) -> str:
    return postgresql.new_database()


@pytest.fixture
def page(address: str) -> Iterator[ClaimsService]:
    """Return a service that starts and follows runs and works on none."""
    loop, database = LoopThread(), Database(address)
    service = claims_service(ClaimActors(), database, loop, works=False)
    yield service
    service.close()
    loop.close()
    database.close()


def test_two_workers_one_killed_twenty_runs(address: str, page: ClaimsService, postgresql: PostgreSQLServer, tmp_path: Path):
    """Of twenty runs over two workers, those of the one that is killed are ended by the other; no claim is lost."""
    first = Worker(address, tmp_path / "first", ["read 2"], play=PlayedClaims)
    with first, Worker(address, tmp_path / "second", play=PlayedClaims) as second:
        runs = [page.start(REQUEST) for _ in range(RUNS)]
        first.wait_held("read 2")
        first.kill()
        for run in runs:
            followed(page, run.id)
        second.kill()
    kept = [page.get(run.id, "") for run in runs]
    assert [run.status for run in kept] == [ClaimsStatus.COMPLETE] * RUNS
    assert {check.state for run in kept for check in run.checks} == {ClaimState.CHECKED}
    assert len(page.list("")) == RUNS
    kinds = postgresql.say("SELECT DISTINCT jsonb_typeof(record), jsonb_array_length(record->'checks') FROM claims_runs", address)
    assert kinds == [("object", len(CLAIMS))]


def test_a_run_of_another_process_is_stopped(address: str, page: ClaimsService, tmp_path: Path):
    """A page stops a run that a worker works on; one that works on none leaves it waiting until there is a worker."""
    run = page.start(REQUEST)
    assert page.get(run.id, "").status is ClaimsStatus.QUEUED
    with Worker(address, tmp_path / "journal", ["read 5"], play=PlayedClaims) as worker:
        worker.wait_held("read 5")
        page.stop(run.id, "")
        followed(page, run.id)
        kept = page.get(run.id, "")
    assert kept.status is ClaimsStatus.STOPPED
    assert kept.checks[4].state is ClaimState.LEFT_OUT
