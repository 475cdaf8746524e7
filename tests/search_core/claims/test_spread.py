"""Checks of claims over several processes that share one PostgreSQL."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from search_core.domain import ClaimsStatus, ClaimState
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.claims.acting import CLAIMS, REQUEST, ClaimActors, claims_service
from tests.search_core.claims.playing import PlayedClaims
from tests.search_core.research.acting import followed
from tests.search_core.research.workers import Worker


def test_a_run_of_another_process_is_stopped(postgresql: PostgreSQLServer, tmp_path: Path):
    """Runs wait in the queue until there is a worker; a page that works on none stops one there and follows the other."""
    address = postgresql.new_database()
    with (
        closing(LoopThread()) as loop,
        closing(Database(address)) as database,
        closing(claims_service(ClaimActors(), database, loop, works=False)) as page,
    ):
        stopped, whole = page.start(REQUEST).id, page.start(replace(REQUEST, claims=CLAIMS[:1])).id
        assert page.get(stopped, "").status is ClaimsStatus.QUEUED
        with Worker(address, tmp_path / "journal", ["read 2"], play=PlayedClaims) as worker:
            worker.wait_held("read 2")
            page.stop(stopped, "")
            for run_id in (stopped, whole):
                followed(page, run_id)
        assert (page.get(stopped, "").status, page.get(whole, "").status) == (ClaimsStatus.STOPPED, ClaimsStatus.COMPLETE)
        assert page.get(stopped, "").checks[1].state is ClaimState.LEFT_OUT
    assert postgresql.say("SELECT DISTINCT jsonb_typeof(record) FROM claims_runs", address) == [("object",)]
