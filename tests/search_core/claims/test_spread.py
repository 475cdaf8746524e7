"""Checks of claims over several processes that share one PostgreSQL."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from search_core.domain import ClaimsStatus, ClaimState
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.claims.acting import CLAIMS, REQUEST, ClaimActors, claims_service, followed
from tests.search_core.claims.playing import PlayedClaims
from tests.search_core.research.workers import Worker

RUNS = 6


def test_runs_of_other_processes_are_followed_stopped_and_taken_over(postgresql: PostgreSQLServer, tmp_path: Path):
    """A page that works on no run stops one of a worker; when that worker is killed another completes its runs."""
    address = postgresql.new_database()
    first = Worker(address, tmp_path / "first", ["read 2"], play=PlayedClaims)
    with (
        closing(LoopThread()) as loop,
        closing(Database(address)) as database,
        closing(claims_service(ClaimActors(), database, loop, works=False)) as page,
        first,
    ):
        stopped, *runs = [page.start(REQUEST) for _ in range(RUNS)]
        first.wait_held("read 2")
        page.stop(stopped.id, "")
        followed(page, stopped.id)
        with Worker(address, tmp_path / "second", play=PlayedClaims):
            first.kill()
            for run in runs:
                followed(page, run.id)
        assert page.get(stopped.id, "").status is ClaimsStatus.STOPPED
        assert page.get(stopped.id, "").checks[1].state is ClaimState.LEFT_OUT
        stored = [page.get(run.id, "") for run in runs]
        assert {run.status for run in stored} == {ClaimsStatus.COMPLETE}
        assert {check.state for run in stored for check in run.checks} == {ClaimState.CHECKED}
        assert len(page.list("")) == RUNS
    kinds = postgresql.say("SELECT DISTINCT jsonb_typeof(record), jsonb_array_length(record->'checks') FROM claims_runs", address)
    assert kinds == [("object", len(CLAIMS))]
