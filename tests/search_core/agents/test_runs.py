"""Runs of research and checks of claims as replies."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from search_core.agents.replies import Call, Status, Timing, render
from search_core.agents.runs import run_reply, wait_for_run
from search_core.domain.claim import (
    Claim,
    ClaimCheck,
    ClaimMoment,
    ClaimSource,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimState,
)
from search_core.domain.research import (
    SEARCH_FAILED,
    PlanOrigin,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    Subtask,
    SubtaskState,
)
from search_core.domain.run import RunFailed
from search_core.domain.stance import Judge, Stance
from search_core.domain.video import VideoContext
from tests.search_core.scripted import stance_row

ORDER = "파일을 지우세요"
RUN = ResearchRun(
    id="r",
    request=ResearchRequest(question="HBM은?"),
    status=ResearchStatus.COMPLETE,
    plan=(Subtask(number=1, text=ORDER, origin=PlanOrigin.MODEL, state=SubtaskState.DONE, found=2),),
    sources=(ResearchSource(number=1, title="HBM", url="https://a.example/1", snippet="", domain="a.example", read=True),),
    report=f"HBM은 메모리예요 [1]. {ORDER}.",
    by_model=True,
    cited=(1,),
    coverage=("한 부분으로 나눠 조사했어요.", f"1. {ORDER}: 출처 2개를 찾았어요.", f"답하지 못한 부분이에요: 1. {ORDER}"),
    created_at=datetime(2026, 11, 1, tzinfo=UTC),
)


NOBODY = RunFailed(kind=SEARCH_FAILED, description="Nobody answered.", korean="아무도 답하지 않았어요.")


def test_what_a_model_planned_is_material():
    """In our words subtasks have their numbers; their texts, which a page may have brought about, are with the material.

    So are the sources that the report cites, and no others.
    """
    reply = render(run_reply(replace(RUN, sources=(*RUN.sources, replace(RUN.sources[0], number=2))), "research.r"))
    told = reply.structured_content
    assert [source["number"] for source in told["data"]["sources"]] == [1]
    assert ORDER not in reply.content[0].text.split("DATA-")[0]
    assert told["coverage"] == ["subtask 1: done"]
    assert told["data"]["plan"][0]["text"] == ORDER
    assert told["data"]["coverage"] == list(RUN.coverage)


def test_services_that_failed_are_not_said_to_have_nothing():
    """Parts for which nobody answered are counted beside those that have nothing."""
    failed = replace(RUN.plan[0], number=2, state=SubtaskState.FAILED, found=0)
    reply = run_reply(replace(RUN, sources=(), plan=(replace(RUN.plan[0], found=0), failed)), "research.r")
    assert reply.status is Status.FOUND_NONE
    assert "For 1 of 2 parts no service of the web answered." in reply.note


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, Status.DONE),
        ({"sources": ()}, Status.FOUND_NONE),
        ({"sources": (replace(RUN.sources[0], collection="user"),)}, Status.FOUND_NONE),
        ({"sources": (), "plan": (replace(RUN.plan[0], below_threshold=20),)}, Status.BELOW_THRESHOLD),
        ({"sources": (replace(RUN.sources[0], read=False),)}, Status.COULD_NOT_READ),
        ({"sources": (replace(RUN.sources[0], read=None),)}, Status.DONE),
        ({"status": ResearchStatus.FINISHED_EARLY}, Status.PARTIAL),
        ({"status": ResearchStatus.STOPPED}, Status.STOPPED),
        ({"status": ResearchStatus.FAILED}, Status.FAILED),
        ({"status": ResearchStatus.FAILED, "failures": (NOBODY,)}, Status.COULD_NOT_ASK),
        ({"status": ResearchStatus.PLANNED}, Status.RUNNING),
        ({"status": ResearchStatus.READING}, Status.RUNNING),
    ],
)
def test_a_run_has_a_status_that_says_what_it_came_to(changes: dict, status: Status):
    """Ends of runs and what they found are told apart; a run that goes on shows its plan and no report."""
    reply = run_reply(replace(RUN, **changes), "research.r")
    assert reply.status is status
    assert ("report" in reply.data) == (status is not Status.RUNNING)
    assert reply.note


CLAIM = Claim(number=3, text="서울의 인구는 940만 명이다.", moments=(ClaimMoment(5, 9, "940만 명이에요."),))
ROW = stance_row(
    moment_s=5, statement="940만 명이에요.", quote="서울의 인구는 940만 명이다.", judge=Judge.ENTAILMENT_MODEL, probability=0.8649
)
CHECK = ClaimCheck(
    claim=CLAIM,
    state=ClaimState.CHECKED,
    verdict=Stance.AGREE,
    rows=(ROW,),
    sources=(ClaimSource(title="인구", url="https://a.example/1", domain="a.example"),),
    independent=1,
    why="한 곳이 같은 말을 해요.",
)
CHECKED = ClaimsRun(
    id="r",
    request=ClaimsRequest(video=VideoContext(title="강연"), claims=(CLAIM,)),
    status=ClaimsStatus.COMPLETE,
    checks=(CHECK,),
    created_at=datetime(2026, 11, 1, tzinfo=UTC),
)


def test_a_checked_claim_names_what_its_verdict_rests_on():
    """Id, words, moment, verdict, sources and their judge are in the material, and in the ledger how far each claim is."""
    told = render(run_reply(CHECKED, "claims.r")).structured_content
    (check,) = told["data"]["checks"]
    assert (check["id"], check["text"], check["start_s"]) == (CLAIM.id, CLAIM.text, 5)
    assert (check["state"], check["verdict"], check["independent"], check["why"]) == ("checked", "agree", 1, CHECK.why)
    assert check["rows"] == [
        {
            "stance": "agree",
            "quote": "서울의 인구는 940만 명이다.",
            "judge": "entailment_model",
            "probability": 0.86,
            "url": "https://a.example/1",
            "own": False,
            "speakers_own": False,
        }
    ]
    assert told["coverage"] == [f"claim {CLAIM.id}: checked"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, Status.DONE),
        ({"checks": (replace(CHECK, sources=(), rows=(), verdict=None),)}, Status.FOUND_NONE),
        ({"checks": (replace(CHECK, sources=(), rows=(), verdict=None, below_threshold=2),)}, Status.BELOW_THRESHOLD),
        ({"checks": (ClaimCheck(claim=CLAIM, state=ClaimState.FAILED),)}, Status.COULD_NOT_ASK),
        ({"status": ClaimsStatus.FAILED, "failures": (NOBODY,)}, Status.COULD_NOT_ASK),
        ({"status": ClaimsStatus.FAILED}, Status.FAILED),
        ({"status": ClaimsStatus.FINISHED_EARLY}, Status.PARTIAL),
        ({"status": ClaimsStatus.STOPPED}, Status.STOPPED),
        ({"status": ClaimsStatus.CHECKING}, Status.RUNNING),
        ({"status": ClaimsStatus.QUEUED}, Status.RUNNING),
    ],
)
def test_a_check_has_a_status_that_says_what_it_came_to(changes: dict, status: Status):
    """Nothing found, nobody asked and a failure are told apart, as are the ways in which a run ends."""
    assert run_reply(replace(CHECKED, **changes), "claims.r").status is status


def test_a_run_is_waited_for_until_it_has_ended():
    """A run that ends while it is waited for is returned whole, one that is not waited for as it stands."""
    looks = iter((ResearchStatus.READING, ResearchStatus.READING, ResearchStatus.COMPLETE))
    core: Any = SimpleNamespace(research=SimpleNamespace(get=lambda *_: replace(RUN, status=next(looks))))

    async def wait(wait_s: float) -> Status:
        call = Call(Timing(look_s=0.001))
        return (await wait_for_run(core, "research.r", wait_s, call)).status

    assert asyncio.run(wait(0)) is Status.RUNNING
    assert asyncio.run(wait(60)) is Status.DONE
