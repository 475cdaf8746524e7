from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.claims.errors import ClaimsUnavailableError
from search_core.claims.event_json import decode
from search_core.claims.service import ClaimsService
from search_core.claims.store import ClaimsStore
from search_core.domain import ClaimsEnded, ClaimsRun, ClaimsStatus, ClaimState, ClaimUpdated
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.claims.acting import CLAIMS, REQUEST, ClaimActors, checked, claims_service, followed
from tests.search_core.claims.playing import PlayedClaims, wait_others_kept
from tests.search_core.research.workers import Worker, calls

POINTS = ("search 1", "read 1", "compare 2", "search 3", "read 4", "search 5", "read 6", "compare 6")
CHECKED = tuple(checked(claim, f"{claim.text} 메모리 반도체 전망") for claim in CLAIMS)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dying") / "maekrak.sqlite"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    path.touch()
    return path


@pytest.fixture
def restarted(address: Path, journal: Path) -> Iterator[ClaimsService]:
    """Return a service as the next life of a killed process has it; it opens with its first call."""
    loop, database = LoopThread(), Database(address)
    service = claims_service(ClaimActors(journal=journal), database, loop)
    yield service
    service.close()
    loop.close()
    database.close()


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_process_costs_nothing_that_was_checked(point: str, address: Path, journal: Path, restarted: ClaimsService):
    """After kill -9 and a restart the run completes: no claim is checked twice, no event is lost or told twice."""
    with Worker(address, journal, [point], play=PlayedClaims) as worker:
        run_id = worker.start()
        seen = [decode(value) for value in worker.followed_until_held(run_id, point)]
        worker.kill()
    done_before = calls(journal)[1]
    events = followed(restarted, run_id)
    run = restarted.get(run_id, "")
    began, ended = calls(journal)

    assert run.status is ClaimsStatus.COMPLETE
    assert run.checks == CHECKED
    assert len(done_before) == 5
    assert {name: began[name] for name in done_before} == dict.fromkeys(done_before, 1)
    assert set(ended.values()) == {1}
    assert max(began.values()) == 2
    assert events[: len(seen)] == seen
    _assert_told_once(events)
    folded = ClaimsRun.begin(run.id, run.request, run.created_at)
    for event in events:
        folded = folded.after(event)
    assert folded == run


def _assert_told_once(events: list[object]) -> None:
    checks = [event.check for event in events if isinstance(event, ClaimUpdated)]
    assert len(checks) == len({str(check) for check in checks})
    assert [check for check in checks if check.state is ClaimState.CHECKED] != []
    assert sum(check.state is ClaimState.CHECKED for check in checks) == len(CLAIMS)
    assert sum(isinstance(event, ClaimsEnded) for event in events) == 1


def test_a_process_that_closes_leaves_its_runs_to_the_next(address: Path, journal: Path, restarted: ClaimsService):
    """Closing does not wait for what is under way; the next process goes on with it, without checking anything twice."""
    actors = ClaimActors(journal=journal, holds={"read 4"})
    loop, database = LoopThread(), Database(address)
    service = claims_service(actors, database, loop)
    run_id = service.start(REQUEST).id
    actors.wait_held("read 4")
    wait_others_kept(service, run_id, journal)
    service.close()
    service.close()
    loop.close()
    actors.wait_idle()
    with pytest.raises(ClaimsUnavailableError):
        service.events(run_id, "")
    before = calls(journal)[1]
    followed(restarted, run_id)
    assert restarted.get(run_id, "").checks == CHECKED
    assert {name: calls(journal)[1][name] for name in before} == dict.fromkeys(before, 1)
    database.close()


def test_a_run_that_never_came_into_the_queue_is_put_there(address: Path, restarted: ClaimsService):
    """Between keeping a run and starting it a process may die; the next one that looks starts it."""
    run = ClaimsStore(Database(address)).create(REQUEST)
    followed(restarted, run.id)
    assert restarted.get(run.id, "").status is ClaimsStatus.COMPLETE
