from __future__ import annotations

import asyncio
from dataclasses import replace

from search_core.checking.claims.workflow import OrderedSemaphore, coverage
from search_core.domain.claim import ClaimCheck, ClaimsMetrics, ClaimState
from search_core.domain.stance import JudgingCost, Stance
from tests.search_core.checking.claims.acting import CLAIMS, checked, source_of

TAVILY = "Tavily: {}건 · 0.{}초"
EMPTY = "Brave 검색: 답했지만 찾은 것이 없어요."


def test_the_ledger_tells_what_was_asked_and_what_was_not():
    """Compared, failed, nothing found, left out, pages really read, each service once; own documents are not the web."""
    own = replace(source_of(CLAIMS[2], None), collection="user")
    sources = (source_of(CLAIMS[0], True), source_of(CLAIMS[3], False), source_of(CLAIMS[2], None))
    checks = (
        replace(checked(CLAIMS[0], "q"), sources=sources, services=(TAVILY.format(5, 3),)),
        replace(checked(CLAIMS[1], "q"), sources=(source_of(CLAIMS[1], True), sources[1]), services=(TAVILY.format(8, 4), EMPTY)),
        replace(checked(CLAIMS[2], "q"), verdict=Stance.CANNOT_TELL, sources=(own,), services=()),
        ClaimCheck(claim=CLAIMS[3], state=ClaimState.FAILED, failure="아무 데도 물어보지 못했어요."),
        ClaimCheck(claim=CLAIMS[4], state=ClaimState.FAILED, failure="아무 데도 물어보지 못했어요."),
        ClaimCheck(claim=CLAIMS[5], state=ClaimState.LEFT_OUT),
    )
    taken = ClaimsMetrics(searches=7, pages=2, judging=JudgingCost(requests=2, tokens=3150, dropped=4))
    assert coverage(checks, taken) == (
        "주장 6개 중 2개를 웹과 비교했어요.",
        "주장 2개는 확인하지 못했어요. 아무 데도 물어보지 못했어요.",
        "주장 1개는 웹에서 찾아봤지만 비교할 자료가 없었어요.",
        "주장 1개는 남겨 두었어요. 이어서 확인할 수 있어요.",
        "검색 요청 7번, 본문까지 읽은 페이지 2쪽, 읽지 못한 페이지 1쪽, 요약만 본 자료 1개.",
        "내 자료 1건은 따로 비교하고 웹으로 세지 않았어요.",
        "언어 모델에 2번 물어 약 3,150토큰을 썼어요.",
        "언어 모델의 판단 4건은 글에서 확인되지 않아 쓰지 않았어요.",
        "Tavily: 결과를 찾았어요. (주장 2개)",
        "Brave 검색: 답했지만 찾은 것이 없어요. (주장 1개)",
    )


def test_an_outage_is_said_once():
    """What each service said differs from claim to claim: it is listed with the services; no search is said, too."""
    failure = "웹 검색을 사용할 수 없어 확인하지 못했어요 (위키백과: {})."
    checks = tuple(
        ClaimCheck(claim=claim, state=ClaimState.FAILED, failure=failure.format(said), services=(f"위키백과: {said}.",))
        for claim, said in zip(CLAIMS, ("연결되지 않았어요", "연결되지 않았어요", "시간 안에 답하지 않았어요"), strict=False)
    )
    assert coverage(checks, ClaimsMetrics(searches=3))[1:] == (
        "주장 3개는 웹 검색을 사용할 수 없어 확인하지 못했어요.",
        "검색 요청 3번.",
        "위키백과: 연결되지 않았어요. (주장 2개)",
        "위키백과: 시간 안에 답하지 않았어요. (주장 1개)",
    )
    assert coverage((checked(CLAIMS[0], "q"),), ClaimsMetrics())[1].startswith("검색 요청 0번")


def test_slots_are_granted_in_the_order_of_enqueueing():
    """Earlier claims get their slot first, a released one passes on, one that gives up or releases twice delays none."""

    async def scenario() -> None:
        slots = OrderedSemaphore(2)
        for number in range(1, 7):
            slots.enqueue(number)
        slots.release(3)
        waiting = {number: asyncio.create_task(slots.wait(number)) for number in (6, 5, 4, 2, 1)}
        granted = []
        for ended in (2, 2, 1, 4):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            granted.append([number for number, task in sorted(waiting.items()) if task.done()])
            slots.release(ended)
        assert granted == [[1, 2], [1, 2, 4], [1, 2, 4], [1, 2, 4, 5]]
        await asyncio.wait_for(waiting[6], 5)

    asyncio.run(scenario())
