from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.checking.claims.service import MAX_CLAIM_CHARS, MAX_CLAIMS, ClaimsService, top_claims
from search_core.domain.claim import (
    Claim,
    ClaimsBudget,
    ClaimsEnded,
    ClaimsMetrics,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
    ClaimUpdated,
    Settlement,
)
from search_core.domain.stance import JudgingCost
from search_core.domain.video import video_key
from search_core.errors import InputError
from search_core.runs.run_kind import RunNotFoundError, RunStateError
from tests.search_core.checking.claims.acting import CLAIMS, COMPLETE_CHECKS, REQUEST, ClaimActors, open_claims
from tests.search_core.research.acting import ended, folded, followed
from tests.search_core.research.workers import wait_until

MINE = replace(REQUEST, owner="minsu")
FIRST_THREE = ("search 1", "search 2", "search 3")
CHECKED, FAILED, LEFT_OUT = ClaimState.CHECKED, ClaimState.FAILED, ClaimState.LEFT_OUT


@pytest.fixture(scope="module")
def actors() -> ClaimActors:
    return ClaimActors()


@pytest.fixture(scope="module")
def module_service(actors: ClaimActors, folder: Path) -> Iterator[ClaimsService]:
    with open_claims(folder / "maekrak.sqlite", actors) as service:
        yield service


@pytest.fixture
def service(module_service: ClaimsService, actors: ClaimActors) -> ClaimsService:
    actors.reset()
    return module_service


def states(run: ClaimsRun) -> list[ClaimState]:
    return [check.state for check in run.checks]


def held(service: ClaimsService, actors: ClaimActors, *points: str, owner: str = "") -> str:
    """Start a run and return its id when it is held at *points*."""
    actors.holds = set(points)
    run_id = service.start(replace(REQUEST, owner=owner)).id
    actors.wait_held(*points)
    return run_id


def test_every_claim_is_checked_once(service: ClaimsService, actors: ClaimActors):
    """Each claim is published as searching, reading and checked, without repetition, and the events make the stored run."""
    started = service.start(REQUEST)
    assert (started.status, states(started)) == (ClaimsStatus.QUEUED, [ClaimState.WAITING] * 6)
    events = followed(service, started.id)
    run = service.get(started.id, "")
    assert (run.status, run.checks) == (ClaimsStatus.COMPLETE, COMPLETE_CHECKS)
    assert set(actors.began.values()) == {1}
    assert isinstance(events[0], ClaimsStatusChanged)
    assert isinstance(events[-1], ClaimsEnded)
    assert folded(run, events) == run == service.store.load(started.id).record
    assert run.metrics == ClaimsMetrics(
        total_ms=run.metrics.total_ms,
        searches=12,
        pages=6,
        judging=JudgingCost(requests=6, tokens=5400),
    )
    assert run.coverage[0] == "주장 6개 중 6개를 웹과 비교했어요."
    order = [ClaimState.SEARCHING, ClaimState.READING, CHECKED]
    for claim in CLAIMS:
        mine = [event.check for event in events if isinstance(event, ClaimUpdated) and event.check.claim == claim]
        assert [order.index(check.state) for check in mine] == sorted(order.index(check.state) for check in mine)
        assert len(mine) == len({str(check) for check in mine})
        assert mine[-1].state is CHECKED
    assert followed(service, started.id, after=5) == events[5:]


def test_pages_are_read_while_the_next_claims_are_searched_for(service: ClaimsService, actors: ClaimActors):
    """Three are searched for at once; one whose pages are read lets the next be searched for; the run shows both."""
    run_id = held(service, actors, *FIRST_THREE)
    assert sum(actors.began.values()) == 3
    points = ("read 1", "read 2", "read 3", "search 4", "search 5", "search 6")
    actors.holds.update(points)
    actors.release(*FIRST_THREE)
    wait_until(lambda: states(service.get(run_id, "")) == [ClaimState.READING] * 3 + [ClaimState.SEARCHING] * 3)
    actors.release(*points)
    assert states(ended(service, run_id)) == [CHECKED] * 6


@pytest.mark.parametrize("point", ["read 2", "compare 3", "search 6"])
def test_stopping_keeps_the_checks_that_have_ended(service: ClaimsService, actors: ClaimActors, point: str):
    """Wherever a run is stopped, checks under way end at once and are left out with those that had not begun."""
    run_id = held(service, actors, point)
    service.cancel(run_id, "")
    events = followed(service, run_id)
    run = service.get(run_id, "")
    actors.wait_idle()
    assert run.status is ClaimsStatus.STOPPED
    assert run.checks[int(point.split()[1]) - 1].state is LEFT_OUT
    assert set(states(run)) <= {CHECKED, LEFT_OUT}
    assert folded(run, events) == run
    assert f"주장 {states(run).count(LEFT_OUT)}개는 남겨 두었어요. 이어서 확인할 수 있어요." in run.coverage


def test_finishing_lets_what_is_under_way_end(service: ClaimsService, actors: ClaimActors):
    """No further claim is begun, the three under way are checked; it can still be stopped, and is not deleted meanwhile."""
    run_id = held(service, actors, *FIRST_THREE)
    service.finish(run_id, "")
    service.finish(run_id, "")
    wait_until(lambda: service._engine._controls[run_id][1].finish.is_set())
    with pytest.raises(RunStateError):
        service.delete(run_id, "")
    actors.release(*FIRST_THREE)
    run = ended(service, run_id)
    assert (run.status, states(run)) == (ClaimsStatus.FINISHED_EARLY, [CHECKED] * 3 + [LEFT_OUT] * 3)
    run_id = held(service, actors, *FIRST_THREE)
    service.finish(run_id, "")
    service.cancel(run_id, "")
    run = ended(service, run_id)
    assert (run.status, states(run)) == (ClaimsStatus.STOPPED, [LEFT_OUT] * 6)


def test_a_resumed_run_checks_only_the_rest_and_keeps_what_its_owner_settles(service: ClaimsService, actors: ClaimActors):
    """What was checked is not searched for again, and a complete run not resumed; the owner's verdicts on known claims stay."""
    run_id = held(service, actors, "search 4", "search 5", "search 6", owner="minsu")
    for number, settled in ((1, Settlement.RIGHT), (4, Settlement.RIGHT), (4, Settlement.UNRELATED)):
        service.settle(run_id, "minsu", number, settled)
    assert [check.settled for check in service.get(run_id, "minsu").checks[:4]] == ["right", None, None, "unrelated"]
    service.cancel(run_id, "minsu")
    followed(service, run_id, "minsu")
    actors.wait_idle()
    actors.reset()
    assert service.resume(run_id, "minsu").id == run_id
    run = ended(service, run_id, "minsu")
    assert (run.status, sorted(actors.began)) == (ClaimsStatus.COMPLETE, ["check 4", "check 5", "check 6"])
    assert (run.metrics.searches, run.metrics.judging.requests) == (6, 3)
    assert [check.settled for check in run.checks] == ["right", None, None, "unrelated", None, None]
    assert [replace(check, settled=None) for check in run.checks] == list(COMPLETE_CHECKS)
    service.settle(run_id, "minsu", 4, None)
    assert service.get(run_id, "minsu").checks[3] == COMPLETE_CHECKS[3]
    with pytest.raises(RunStateError):
        service.resume(run_id, "minsu")
    with pytest.raises(InputError):
        service.settle(run_id, "minsu", 7, Settlement.RIGHT)
    with pytest.raises(RunNotFoundError):
        service.settle(run_id, "jisu", 1, Settlement.DIFFERENT)


def test_a_claim_that_fails_costs_itself_only(service: ClaimsService, actors: ClaimActors):
    """The run says why, without an error's text, and when it is resumed those claims alone are checked."""
    actors.fails = {"nobody 2": ValueError(), "read 3": ZeroDivisionError("비밀")}
    run = ended(service, service.start(REQUEST).id)
    assert (run.status, states(run)) == (ClaimsStatus.COMPLETE, [CHECKED, FAILED, FAILED, *[CHECKED] * 3])
    assert run.checks[1].failure == "웹 검색을 쓸 수 없었어요."
    assert run.checks[2].failure.startswith("예상하지 못한 문제가 생겨서")
    assert "비밀" not in str(run)
    actors.reset()
    assert states(ended(service, service.resume(run.id, "").id)) == [CHECKED] * 6
    assert sorted(actors.began) == ["check 2", "check 3"]
    actors.fails = {f"nobody {number}": ValueError() for number in range(1, 7)}
    nobody = ended(service, service.start(REQUEST).id)
    assert nobody.status is ClaimsStatus.FAILED
    assert [failure.kind for failure in nobody.failures] == ["Search failed"]
    assert not re.search("[A-Za-z]", nobody.failures[0].korean)
    assert nobody.message == "확인을 끝까지 하지 못했어요."


def test_the_history_lists_the_checks_of_an_owner(service: ClaimsService):
    """With the video and the number of claims; those of others are not listed."""
    run_id = ended(service, service.start(MINE).id, "minsu").id
    assert run_id not in [entry.id for entry in service.list("jisu")]
    entry = service.list("minsu")[0]
    assert (entry.id, entry.title, entry.claims, entry.status) == (run_id, "메모리 반도체 전망", 6, ClaimsStatus.COMPLETE)
    assert entry.video_key == video_key(REQUEST.video)


@pytest.mark.parametrize(
    ("claims", "korean"),
    [
        ((), "하나 이상"),
        (tuple(Claim(number=n, text="가격이 올랐다.") for n in range(1, MAX_CLAIMS + 2)), f"{MAX_CLAIMS}개까지"),
        ((Claim(number=7, text=" \u200b "),), "7번 주장이 비어"),
        ((Claim(number=7, text="가" * (MAX_CLAIM_CHARS + 1)),), "7번 주장이 너무 길어요(501자)"),
        ((Claim(number=1, text="가"), Claim(number=1, text="나")), "번호가 같은"),
    ],
)
def test_claims_that_cannot_be_checked_are_refused(service: ClaimsService, claims: tuple[Claim, ...], korean: str):
    """Neither a budget nor a run is made for them, and the error says in Korean what to change; a budget makes no search."""
    for refused in (lambda: service.start(replace(REQUEST, claims=claims)), lambda: service.budget(claims)):
        with pytest.raises(InputError) as caught:
            refused()
        assert korean in caught.value.korean
    assert service.budget(CLAIMS) == ClaimsBudget(claims=6, searches=12, paid=0, pages=6)


def test_the_most_check_worthy_claims_are_chosen():
    """The highest scores are chosen, of equal ones the earlier, and returned in the order of the video."""
    scores = (0.2, 0.9, 0.5, 0.9, 0.5)
    claims = tuple(Claim(number=number, text=f"말 {number}", score=score) for number, score in enumerate(scores, start=1))
    assert [claim.number for claim in top_claims(claims, 3)] == [2, 3, 4]
    assert top_claims(claims, 9) == claims
    assert top_claims((), 3) == ()
