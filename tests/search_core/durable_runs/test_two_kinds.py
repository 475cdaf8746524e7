"""Two kinds of runs on one engine and one database: neither takes the other's runs, commands or leavings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from search_core.claims.service import ClaimsService
from search_core.domain import ClaimsStatus, ResearchRequest, ResearchStatus
from search_core.durable_runs.durable_runs import DurableRuns
from search_core.durable_runs.errors import RunsUnavailableError
from search_core.research import ResearchService
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.claims.acting import REQUEST, ClaimActors
from tests.search_core.claims.acting import followed as claims_followed
from tests.search_core.claims.playing import PlayedClaims, wait_others_kept
from tests.search_core.research.acting import QUESTION, REPORT, Actors, followed
from tests.search_core.research.workers import Worker, wait_until

HELD = "read 4"


@dataclass
class Both:
    """The services of one process."""

    runs: DurableRuns
    research: ResearchService
    claims: ClaimsService
    actors: Actors
    claim_actors: ClaimActors


@pytest.fixture
def address(tmp_path: Path) -> Path:
    return tmp_path / "maekrak.sqlite"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    path.touch()
    return path


@pytest.fixture
def process(address: Path) -> Callable[[], AbstractContextManager[Both]]:
    """Return what opens both services as one process has them."""

    @contextmanager
    def opened() -> Iterator[Both]:
        loop, database = LoopThread(), Database(address)
        runs, actors, claim_actors = DurableRuns(database, loop), Actors(), ClaimActors()
        research = ResearchService(actors.parts(), database, loop, runs=runs)
        claims = ClaimsService(claim_actors.claims_parts(), runs)
        try:
            yield Both(runs, research, claims, actors, claim_actors)
        finally:
            runs.close()
            loop.close()
            database.close()

    return opened


def say(address: Path, statement: str) -> list[tuple[object, ...]]:
    engine = create_engine(f"sqlite:///{address}")
    with engine.begin() as connection:
        told = connection.execute(text(statement))
        rows = [tuple(row) for row in told] if told.returns_rows else []
    engine.dispose()
    return rows


def test_both_kinds_go_on_side_by_side(process: Callable[[], AbstractContextManager[Both]]):
    """While a check is held and stopped, research completes; each service lists its own runs alone."""
    with process() as both:
        both.claim_actors.holds = {"search 1"}
        claims_id = both.claims.start(REQUEST).id
        both.claim_actors.wait_held("search 1")
        research_id = both.research.start(ResearchRequest(question=QUESTION)).id
        followed(both.research, research_id)
        assert both.research.get(research_id, "").report == REPORT
        both.claims.stop(claims_id, "")
        claims_followed(both.claims, claims_id)
        assert both.claims.get(claims_id, "").status is ClaimsStatus.STOPPED
        assert [entry.id for entry in both.claims.list("")] == [claims_id]
        assert [entry.id for entry in both.research.list("")] == [research_id]


def test_the_runs_of_a_dead_process_go_on_in_one_that_knows_both(
    process: Callable[[], AbstractContextManager[Both]], address: Path, journal: Path
):
    """A process that checked claims is killed; one that also researches takes its run over."""
    with Worker(address, journal, [HELD], play=PlayedClaims) as worker:
        run_id = worker.start()
        worker.followed_until_held(run_id, HELD)
        worker.kill()
    with process() as both:
        claims_followed(both.claims, run_id)
        assert both.claims.get(run_id, "").status is ClaimsStatus.COMPLETE
        assert dict(both.claim_actors.began) == {"check 4": 1}


@pytest.mark.parametrize("state", ["PENDING", "ENQUEUED"])
def test_a_check_that_another_version_had_begun_is_over(
    process: Callable[[], AbstractContextManager[Both]], address: Path, journal: Path, state: str
):
    """It ends as interrupted, and what it had checked is not checked again by the run that continues it."""
    with Worker(address, journal, [HELD], play=PlayedClaims) as worker:
        run_id = worker.start()
        worker.followed_until_held(run_id, HELD)
        worker.kill()
    say(address, f"UPDATE workflow_status SET application_version = '2', status = '{state}'")
    with process() as both:
        claims_followed(both.claims, run_id)
        run = both.claims.get(run_id, "")
        assert (run.status, [failure.kind for failure in run.failures]) == (ClaimsStatus.FAILED, ["Interrupted"])
        again = both.claims.resume(run_id, "").id
        claims_followed(both.claims, again)
        assert both.claims.get(again, "").status is ClaimsStatus.COMPLETE
        assert dict(both.claim_actors.began) == {"check 4": 1}


def test_a_process_leaves_workflows_of_kinds_it_does_not_know(address: Path, journal: Path):
    """One that only researches neither ends nor deletes what another version has left of a check of claims."""
    with Worker(address, journal, [HELD], play=PlayedClaims) as worker:
        run_id = worker.start()
        worker.followed_until_held(run_id, HELD)
        worker.kill()
    say(address, "UPDATE workflow_status SET application_version = '2'")
    loop, database = LoopThread(), Database(address)
    service = ResearchService(Actors().parts(), database, loop)
    service.open()
    wait_until(lambda: say(address, "SELECT count(*) FROM research_processes") == [(1,)])
    research_id = service.start(ResearchRequest(question=QUESTION)).id
    followed(service, research_id)
    assert service.get(research_id, "").status is ResearchStatus.COMPLETE
    service.close()
    loop.close()
    database.close()
    assert say(address, "SELECT status FROM workflow_status WHERE name = 'maekrak_claims'") == [("PENDING",)]
    assert say(address, f"SELECT status FROM claims_runs WHERE id = '{run_id}'") == [("checking",)]


def test_runs_that_are_closed_stay_closed(process: Callable[[], AbstractContextManager[Both]]):
    """Closing one service closes all of the process; a second time does nothing."""
    with process() as both:
        both.claims.open()
        both.research.close()
        both.claims.close()
        with pytest.raises(RunsUnavailableError):
            _ = both.runs.engine


def test_what_waits_when_a_process_closes_is_checked_by_the_next(
    process: Callable[[], AbstractContextManager[Both]], journal: Path
):
    """Two lives of one process: what the first had checked is kept, what it held is checked by the second."""
    with process() as both:
        both.claim_actors.journal = journal
        both.claim_actors.holds = {HELD}
        run_id = both.claims.start(REQUEST).id
        both.claim_actors.wait_held(HELD)
        wait_others_kept(both.claims, run_id, journal)
    with process() as both:
        claims_followed(both.claims, run_id)
        assert dict(both.claim_actors.began) == {"check 4": 1}
