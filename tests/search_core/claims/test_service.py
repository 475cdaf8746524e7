from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.claims.errors import ClaimsNotFoundError, ClaimsRequestError, ClaimsStateError, ClaimsUnavailableError
from search_core.claims.request_rules import MAX_CLAIM_CHARS, MAX_CLAIMS
from search_core.claims.service import ClaimsService
from search_core.domain import (
    Claim,
    ClaimsBudget,
    ClaimsEnded,
    ClaimsFailed,
    ClaimsMetrics,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
    ClaimUpdated,
    Stance,
)
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.claims.acting import CLAIMS, POINTS, REQUEST, ClaimActors, checked, claims_service, followed
from tests.search_core.research.workers import wait_until

MINE = replace(REQUEST, owner="minsu")


@pytest.fixture(scope="module")
def actors() -> ClaimActors:
    return ClaimActors()


@pytest.fixture(scope="module")
def opened(actors: ClaimActors, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClaimsService]:
    loop, database = LoopThread(), Database(tmp_path_factory.mktemp("claims") / "maekrak.sqlite")
    service = claims_service(actors, database, loop)
    yield service
    service.close()
    loop.close()
    database.close()


@pytest.fixture
def service(opened: ClaimsService, actors: ClaimActors) -> ClaimsService:
    actors.reset()
    return opened


def states(run: ClaimsRun) -> list[ClaimState]:
    return [check.state for check in run.checks]


def folded(run: ClaimsRun, events: list[object]) -> ClaimsRun:
    again = ClaimsRun.begin(run.id, run.request, run.created_at)
    for event in events:
        again = again.after(event)
    return again


def test_every_claim_is_checked_once(service: ClaimsService, actors: ClaimActors):
    """The run tells how far each claim is, ends complete with what each came to, and its events make the run that is kept."""
    started = service.start(REQUEST)
    assert (started.status, states(started)) == (ClaimsStatus.QUEUED, [ClaimState.WAITING] * 6)
    events = followed(service, started.id)
    run = service.get(started.id, "")
    assert run.status is ClaimsStatus.COMPLETE
    assert run.checks == tuple(checked(claim, f"{claim.text} 메모리 반도체 전망") for claim in CLAIMS)
    assert {point: count for point, count in actors.began.items() if count != 1} == {}
    assert isinstance(events[0], ClaimsStatusChanged)
    assert isinstance(events[-1], ClaimsEnded)
    assert folded(run, events) == run
    assert run.metrics == ClaimsMetrics(
        search_duration_ms=1800.0,
        reading_duration_ms=1200.0,
        comparison_duration_ms=60.0,
        total_ms=run.metrics.total_ms,
        searches=12,
        pages=6,
    )
    assert run.coverage == (
        "주장 6개 중 6개를 웹과 견주었어요.",
        "검색 요청 12번, 본문까지 읽은 페이지 6쪽.",
        "놀이 검색이 결과를 찾았어요. (주장 6개)",
    )


def test_no_event_is_told_twice(service: ClaimsService):
    """Each claim is told of in the order searching, reading, checked, and nothing is repeated."""
    told = [event.check for event in followed(service, service.start(REQUEST).id) if isinstance(event, ClaimUpdated)]
    for claim in CLAIMS:
        mine = [check for check in told if check.claim == claim]
        order = [ClaimState.SEARCHING, ClaimState.READING, ClaimState.CHECKED]
        assert sorted({check.state for check in mine}, key=order.index) == [s for s in order if s in {c.state for c in mine}]
        assert [order.index(check.state) for check in mine] == sorted(order.index(check.state) for check in mine)
        assert len(mine) == len({str(check) for check in mine})
        assert mine[-1].state is ClaimState.CHECKED


def test_only_so_many_claims_are_checked_at_once(service: ClaimsService, actors: ClaimActors):
    """While three are held no fourth begins: search services are not flooded."""
    actors.holds = {"search 1", "search 2", "search 3"}
    run = service.start(REQUEST)
    actors.wait_held("search 1", "search 2", "search 3")
    assert sum(actors.began.values()) == 3
    actors.release("search 2")
    actors.wait(lambda: actors.began["check 6"] == 1)
    actors.release("search 1", "search 3")
    followed(service, run.id)
    assert service.get(run.id, "").status is ClaimsStatus.COMPLETE


def test_pages_are_read_while_the_next_claims_are_searched_for(service: ClaimsService, actors: ClaimActors):
    """A claim whose pages are read leaves its turn to the next one; the run says of both how far they are."""
    actors.holds = {"read 1", "read 2", "read 3", "search 4", "search 5", "search 6"}
    run_id = service.start(REQUEST).id
    actors.wait_held(*actors.holds)
    wait_until(lambda: states(service.get(run_id, "")) == [ClaimState.READING] * 3 + [ClaimState.SEARCHING] * 3)
    actors.release(*actors.holds)
    followed(service, run_id)
    assert states(service.get(run_id, "")) == [ClaimState.CHECKED] * 6


def test_readers_come_at_any_event(service: ClaimsService):
    """Who knows the first events gets the others, each once."""
    run = service.start(REQUEST)
    events = followed(service, run.id)
    for after in (0, 1, 5, len(events) - 1, len(events)):
        assert followed(service, run.id, after=after) == events[after:]


@pytest.mark.parametrize("point", POINTS)
def test_stopping_keeps_what_there_is(service: ClaimsService, actors: ClaimActors, point: str):
    """Wherever a run is stopped, checks under way end at once, those that ended stand and the rest is left out."""
    actors.holds = {point}
    run_id = service.start(REQUEST).id
    actors.wait_held(point)
    service.stop(run_id, "")
    events = followed(service, run_id)
    run = service.get(run_id, "")
    actors.wait_idle()
    assert run.status is ClaimsStatus.STOPPED
    number = int(point.split()[1])
    assert run.checks[number - 1].state is ClaimState.LEFT_OUT
    assert set(states(run)) <= {ClaimState.CHECKED, ClaimState.LEFT_OUT}
    assert folded(run, events) == run
    left = states(run).count(ClaimState.LEFT_OUT)
    assert f"주장 {left}개는 남겨 두었어요. 이어서 확인할 수 있어요." in run.coverage


def test_finishing_lets_what_is_under_way_end(service: ClaimsService, actors: ClaimActors):
    """No further claim is begun; the three that were being checked are, and the run says that it was finished early."""
    actors.holds = {"search 1", "search 2", "search 3"}
    run_id = service.start(REQUEST).id
    actors.wait_held("search 1", "search 2", "search 3")
    service.finish(run_id, "")
    service.finish(run_id, "")
    _wait_heard(service, run_id)
    actors.release("search 1", "search 2", "search 3")
    followed(service, run_id)
    run = service.get(run_id, "")
    assert run.status is ClaimsStatus.FINISHED_EARLY
    assert states(run) == [ClaimState.CHECKED] * 3 + [ClaimState.LEFT_OUT] * 3


def _wait_heard(service: ClaimsService, run_id: str) -> None:
    """Return when the process that works on a run has heard its commands."""
    engine = service._engine
    wait_until(lambda: engine._controls[run_id][1].finish.is_set())


def test_a_stop_after_finishing_ends_what_is_under_way(service: ClaimsService, actors: ClaimActors):
    """Who cannot wait for the checks under way stops the run after all."""
    actors.holds = {"search 1", "search 2", "search 3"}
    run_id = service.start(REQUEST).id
    actors.wait_held("search 1", "search 2", "search 3")
    service.finish(run_id, "")
    service.stop(run_id, "")
    followed(service, run_id)
    assert service.get(run_id, "").status is ClaimsStatus.STOPPED
    assert states(service.get(run_id, "")) == [ClaimState.LEFT_OUT] * 6


def test_a_run_that_goes_on_checks_only_the_rest(service: ClaimsService, actors: ClaimActors):
    """What the stopped run has checked stands in the one that continues it, and nobody is asked for it again."""
    actors.holds = {"search 4", "search 5", "search 6"}
    run_id = service.start(MINE).id
    actors.wait_held("search 4", "search 5", "search 6")
    service.stop(run_id, "minsu")
    followed(service, run_id, "minsu")
    actors.wait_idle()
    actors.reset()
    again = service.resume(run_id, "minsu")
    followed(service, again.id, "minsu")
    run = service.get(again.id, "minsu")
    assert run.status is ClaimsStatus.COMPLETE
    assert states(run) == [ClaimState.CHECKED] * 6
    assert sorted(actors.began) == ["check 4", "check 5", "check 6"]
    assert run.metrics.searches == 6
    assert [entry.continues for entry in service.list("minsu")][:2] == [run_id, ""]
    with pytest.raises(ClaimsStateError):
        service.resume(again.id, "minsu")


def test_a_claim_that_nobody_answered_for_is_asked_again(service: ClaimsService, actors: ClaimActors):
    """It fails alone, the run says why, and a run that continues it asks for that claim only."""
    actors.fails = {"nobody 2": ValueError()}
    run_id = service.start(REQUEST).id
    followed(service, run_id)
    run = service.get(run_id, "")
    assert run.status is ClaimsStatus.COMPLETE
    assert states(run) == [ClaimState.CHECKED, ClaimState.FAILED, *[ClaimState.CHECKED] * 4]
    assert "주장 1개는 확인하지 못했어요. 웹 검색을 쓸 수 없었어요." in run.coverage
    actors.reset()
    again = service.resume(run_id, "")
    followed(service, again.id)
    assert states(service.get(again.id, "")) == [ClaimState.CHECKED] * 6
    assert dict(actors.began) == {"check 2": 1}


def test_a_run_for_which_nobody_answered_has_failed(service: ClaimsService, actors: ClaimActors):
    """Could not ask is not found none: the run fails, by its type."""
    actors.fails = {f"nobody {number}": ValueError() for number in range(1, 7)}
    run_id = service.start(REQUEST).id
    events = followed(service, run_id)
    assert service.get(run_id, "").status is ClaimsStatus.FAILED
    assert [event.kind for event in events if isinstance(event, ClaimsFailed)] == ["Search failed"]


def test_a_check_that_breaks_costs_its_claim_only(service: ClaimsService, actors: ClaimActors):
    """What nobody expected is in the claim, without its text, and the others are checked."""
    actors.fails = {"read 3": ZeroDivisionError("비밀")}
    run_id = service.start(REQUEST).id
    followed(service, run_id)
    run = service.get(run_id, "")
    assert states(run) == [ClaimState.CHECKED] * 2 + [ClaimState.FAILED] + [ClaimState.CHECKED] * 3
    assert run.checks[2].failure.startswith("예상하지 못한 문제가 생겨서")
    assert "비밀" not in str(run)


def test_runs_belong_to_their_owners(service: ClaimsService):
    """Somebody else's run is no different from one that never was."""
    run_id = service.start(MINE).id
    followed(service, run_id, "minsu")
    for owner in ("", "jisu"):
        for call in (service.get, service.stop, service.finish, service.resume, service.delete):
            with pytest.raises(ClaimsNotFoundError):
                call(run_id, owner)
        with pytest.raises(ClaimsNotFoundError):
            service.events(run_id, owner)
        assert run_id not in [entry.id for entry in service.list(owner)]
    entry = service.list("minsu")[0]
    assert (entry.id, entry.title, entry.claims, entry.status) == (run_id, "메모리 반도체 전망", 6, ClaimsStatus.COMPLETE)
    assert service.list("minsu", entry.video_key)[0] == entry
    assert service.list("minsu", "another") == ()


def test_a_run_that_goes_on_cannot_be_deleted(service: ClaimsService, actors: ClaimActors):
    """One that has ended can, and is gone with all it has found."""
    actors.holds = {"search 1"}
    run_id = service.start(REQUEST).id
    actors.wait_held("search 1")
    with pytest.raises(ClaimsStateError):
        service.delete(run_id, "")
    with pytest.raises(ClaimsStateError):
        service.resume(run_id, "")
    service.stop(run_id, "")
    followed(service, run_id)
    service.delete(run_id, "")
    with pytest.raises(ClaimsNotFoundError):
        service.get(run_id, "")


@pytest.mark.parametrize(
    ("claims", "korean"),
    [
        ((), "하나 이상"),
        (tuple(Claim(number=n, text="가격이 올랐다.") for n in range(1, MAX_CLAIMS + 2)), f"{MAX_CLAIMS}개까지"),
        ((Claim(number=7, text=" \u200b "),), "7번 주장이 비어"),
        ((Claim(number=7, text="가" * (MAX_CLAIM_CHARS + 1)),), "7번 주장이 너무 길어요"),
        ((Claim(number=1, text="가"), Claim(number=1, text="나")), "번호가 같은"),
    ],
)
def test_claims_that_cannot_be_checked_are_refused(service: ClaimsService, claims: tuple[Claim, ...], korean: str):
    """Neither a budget nor a run is there for them, and the user reads what to change."""
    for refused in (lambda: service.start(replace(REQUEST, claims=claims)), lambda: service.budget(claims)):
        with pytest.raises(ClaimsRequestError) as told:
            refused()
        assert korean in told.value.korean


def test_a_budget_is_told_before(service: ClaimsService, actors: ClaimActors):
    """Nobody is asked for it."""
    assert service.budget(CLAIMS) == ClaimsBudget(claims=6, searches=12, paid=0, pages=6, least_searches=6)
    assert not actors.began


def test_one_engine_of_a_process_is_open(service: ClaimsService, tmp_path: Path):
    """A second service says so, in the words of checks of claims."""
    service.open()
    loop, database = LoopThread(), Database(tmp_path / "other.sqlite")
    second = claims_service(ClaimActors(), database, loop)
    with pytest.raises(ClaimsUnavailableError, match="Another service"):
        second.start(REQUEST)
    second.close()
    loop.close()
    database.close()


def test_a_run_that_waits_can_be_stopped(actors: ClaimActors, tmp_path: Path, service: ClaimsService):
    """Nobody works on it yet: it ends at once, with everything left out."""
    service.open()
    actors.holds = {"search 1"}
    running = [service.start(REQUEST).id for _ in range(3)]
    actors.wait_held("search 1")
    waiting = service.start(REQUEST).id
    service.stop(waiting, "")
    followed(service, waiting)
    assert service.get(waiting, "").status is ClaimsStatus.STOPPED
    assert states(service.get(waiting, "")) == [ClaimState.LEFT_OUT] * 6
    for run_id in running:
        service.stop(run_id, "")
        followed(service, run_id)


def test_the_verdicts_of_a_run_are_read_again_as_they_were(service: ClaimsService):
    """A run that has ended comes from the database with its verdicts, sources and moments."""
    run_id = service.start(REQUEST).id
    followed(service, run_id)
    kept = service._store.load(run_id).record
    assert kept == service.get(run_id, "")
    assert [check.verdict for check in kept.checks] == [Stance.AGREE, Stance.CONTRADICTS] * 3
    assert folded(kept, list(kept.replay())) == kept
