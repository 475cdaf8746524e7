"""A checker of claims that plays by a script, holds where a test wants it to, and writes down what it did."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path

from search_core.checking.claims.service import ClaimsService
from search_core.checking.parts import CheckOutcome, ClaimsLimits, ClaimsParts
from search_core.domain.claim import Claim, ClaimCheck, ClaimMoment, ClaimsBudget, ClaimSource, ClaimsRequest, ClaimState
from search_core.domain.stance import JudgingCost, Stance
from search_core.domain.video import VideoContext
from tests.search_core.research.acting import Actors, open_runs

VIDEO = VideoContext(video_id="v1", title="메모리 반도체 전망", channel="경제읽기")
TEXTS = (
    "메모리 반도체 가격이 15% 올랐다.",
    "메모리 반도체 수요가 50% 늘었다.",
    "공장 세 곳이 새로 문을 연다.",
    "수출이 석 달 연속 늘었다.",
    "정부가 세액 공제를 25%로 올렸다.",
    "점유율이 처음으로 1위가 되었다.",
)
CLAIMS = tuple(
    Claim(number=number, text=text, moments=(ClaimMoment(number * 10.0, number * 10.0 + 5, text),))
    for number, text in enumerate(TEXTS, start=1)
)
REQUEST = ClaimsRequest(video=VIDEO, claims=CLAIMS)
AT_ONCE = 3


TOOK = CheckOutcome(
    searches=2,
    pages=1,
    judging=JudgingCost(requests=1, tokens=900, dropped=0),
)
"""What a played check takes."""


class ClaimActors(Actors):
    """Plays the checker; every check passes three points, where it can be held or fail."""

    def claims_parts(self, **limits: float) -> ClaimsParts:
        """Return these actors as parts."""
        limited = ClaimsLimits(**{"runs_at_once": 3, "claims_at_once": AT_ONCE, **limits})
        return ClaimsParts(check=self.check, budget=budget_of, limits=limited)

    async def check(
        self, claim: Claim, video: VideoContext, *, fresh: bool = False, report: Callable[[ClaimCheck], None] = lambda _: None
    ) -> CheckOutcome:
        with self._call(f"check {claim.number}"):
            check = ClaimCheck(claim=claim, state=ClaimState.SEARCHING, query=f"{claim.text} {video.title}")
            report(check)
            await self._pass(f"search {claim.number}")
            if f"nobody {claim.number}" in self.fails:
                failed = ClaimCheck(claim=claim, state=ClaimState.FAILED, failure="웹 검색을 쓸 수 없었어요.")
                return replace(TOOK, check=failed, searches=2, pages=0)
            check = ClaimCheck(claim=claim, state=ClaimState.READING, query=check.query, sources=(source_of(claim, None),))
            report(check)
            await self._pass(f"read {claim.number}")
            report(ClaimCheck(claim=claim, state=ClaimState.READING, query=check.query, sources=(source_of(claim, True),)))
            await self._pass(f"compare {claim.number}")
        return replace(TOOK, check=checked(claim, f"{claim.text} {video.title}"))


def checked(claim: Claim, query: str) -> ClaimCheck:
    """Return the check of *claim* as the actors end it."""
    return ClaimCheck(
        claim=claim,
        state=ClaimState.CHECKED,
        verdict=Stance.AGREE if claim.number % 2 else Stance.CONTRADICTS,
        sources=(source_of(claim, True),),
        independent=1,
        why="한 곳이 같은 내용을 말해요.",
        query=query,
        services=("놀이 검색이 결과를 찾았어요.",),
    )


def source_of(claim: Claim, read: bool | None) -> ClaimSource:
    """Return the one source that the actors find for *claim*."""
    name = hashlib.sha256(claim.text.encode()).hexdigest()[:8]
    return ClaimSource(title=f"{claim.number}번 기사", url=f"https://{name}.example/1", domain=f"{name}.example", read=read)


def budget_of(claims: int) -> ClaimsBudget:
    """Return what checking costs by the actors: one or two searches and one page for each claim, nothing paid."""
    return ClaimsBudget(claims=claims, searches=2 * claims, paid=0, pages=claims)


def open_claims(address: str | Path, actors: ClaimActors) -> AbstractContextManager[ClaimsService]:
    """Lend a service of these actors as one process has it."""
    return open_runs(address, partial(ClaimsService, actors.claims_parts()))


COMPLETE_CHECKS = tuple(checked(claim, f"{claim.text} {VIDEO.title}") for claim in CLAIMS)
"""The checks of REQUEST when all went well."""
