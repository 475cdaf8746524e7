"""Checks of claims as replies."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from search_core.agents.replies import Status, render
from search_core.agents.run_tools import run_reply
from search_core.domain import (
    SEARCH_FAILED,
    Claim,
    ClaimCheck,
    ClaimMoment,
    ClaimsFailed,
    ClaimSource,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimState,
    Judge,
    Stance,
    StanceRow,
    VideoContext,
)

CLAIM = Claim(number=3, text="서울의 인구는 940만 명이다.", moments=(ClaimMoment(5, 9, "940만 명이에요."),))
ROW = StanceRow(
    moment_s=5,
    statement="940만 명이에요.",
    stance=Stance.AGREE,
    source=0,
    quote="서울의 인구는 940만 명이다.",
    date=None,
    after_video=None,
    independent_of=0,
    confidence=0.9,
    restates_video=False,
    why="",
    judge=Judge.ENTAILMENT_MODEL,
    probability=0.8649,
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
NOBODY = ClaimsFailed(kind=SEARCH_FAILED, description="Nobody answered.", korean="아무도 답하지 않았어요.")
RUN = ClaimsRun(
    id="r",
    request=ClaimsRequest(video=VideoContext(title="강연"), claims=(CLAIM,)),
    status=ClaimsStatus.COMPLETE,
    checks=(CHECK,),
    created_at=datetime(2026, 11, 1, tzinfo=UTC),
)


def test_a_checked_claim_names_what_its_verdict_rests_on():
    """Id, words, moment, verdict, sources and their judge are in the material, and in the ledger how far each claim is."""
    text, told = render(run_reply(RUN, "claims.r", 1))
    (check,) = told["data"]["checks"]
    assert (check["id"], check["text"], check["at_s"]) == (CLAIM.id, CLAIM.text, [5])
    assert (check["state"], check["verdict"], check["independent"], check["why"]) == ("checked", "agree", 1, CHECK.why)
    assert check["rows"] == [
        {
            "stance": "agree",
            "found": "서울의 인구는 940만 명이다.",
            "url": "https://a.example/1",
            "judge": "entailment_model",
            "probability": 0.86,
        }
    ]
    assert f"{CLAIM.id} [00:05] agree by 1 independent sources: 서울의 인구는 940만 명이다." in text
    assert "- agree by entailment_model 0.86: “서울의 인구는 940만 명이다.” https://a.example/1" in text
    assert told["coverage"] == [f"claim {CLAIM.id}: checked"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, Status.DONE),
        ({"checks": (replace(CHECK, sources=(), rows=(), verdict=None),)}, Status.FOUND_NONE),
        (
            {"checks": (replace(CHECK, sources=(), rows=(), verdict=None, below_threshold=2),)},
            Status.BELOW_THRESHOLD,
        ),
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
    assert run_reply(replace(RUN, **changes), "claims.r", 1).status is status
