"""Checks of claims by the core as it is installed: what they cost, and planted errors without a key and without a network."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain.claim import Claim, ClaimsBudget, ClaimsEnded, ClaimsRequest, ClaimsStatus, ClaimState
from search_core.domain.stance import JudgingCost, Stance
from search_core.search.presenting.claim_text import budget_text, own_verdict_text
from search_core.settings import Settings
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

CLAIMS = tuple(Claim(number=number, text=f"{number}번 공장이 문을 열었다.") for number in (1, 2, 3))


MODEL = {"openai_base_url": "http://127.0.0.1:1/v1", "openai_model": "m"}


@pytest.mark.parametrize(
    ("services", "changes", "budget", "words"),
    [
        ("library,wikipedia,duckduckgo", {}, (12, 0, JudgingCost()), "검색 최대 12회 · 유료 검색 없음"),
        ("library,wikipedia,tavily,brave", {}, (6, 6, JudgingCost()), "유료 검색 최대 6회"),
        ("library;google,duckduckgo", {}, (12, 6, JudgingCost()), "검색 최대 12회 · 그중 유료 6회까지"),
        (
            "tavily",
            MODEL,
            (6, 6, JudgingCost(requests=18, tokens=90_000)),
            "유료 검색 최대 6회 · 언어 모델 최대 18회(90,000토큰)",
        ),
    ],
)
def test_a_budget_counts_the_first_services_and_a_model(world: World, tmp_path: Path, services, changes, budget, words: str):
    """The first services of the web with both their searches, Tavily before all others, six requests to a model; none is sent."""
    world.reset()
    with closing(build_core(world, tmp_path, search_providers=services, **changes)) as core:
        counted = core.claims.budget(CLAIMS)
    searches, paid, judging = budget
    assert counted == ClaimsBudget(claims=3, searches=searches, paid=paid, pages=15, judging=judging)
    assert (budget_text(counted), world.asked) == (words, [])


EXPECTED = {
    "설악산의 높이는 1,807미터입니다.": Stance.CONTRADICTS,
    "북한산의 높이는 936미터입니다.": Stance.CONTRADICTS,
    "우리나라의 국립공원은 22곳입니다.": Stance.CHANGED,
    "지리산의 높이는 1,915미터입니다.": Stance.AGREE,
}


def test_sample_documents_find_them_and_are_not_the_web(tmp_path: Path):
    """Found in the video, each is held against sample documents; the run says that the web could not be asked."""
    settings = Settings(maekrak_data_dir=tmp_path, search_providers="library", embedding_model="kiwi")
    with closing(SearchCore.from_settings(settings)) as core:
        video = core.samples()[-1]
        found = core.find_claims(video).claims
        planted = tuple(claim for claim in found if claim.moments[0].quote in EXPECTED)
        run_id = core.claims.start(ClaimsRequest(video=video, claims=planted)).id
        events = [event for _, event in core.claims.events(run_id, "")]
        run = core.claims.get(run_id, "")
    assert isinstance(events[-1], ClaimsEnded)
    assert run.status is ClaimsStatus.FAILED
    assert {check.claim.moments[0].quote: check.own_verdict for check in run.checks} == EXPECTED
    assert {(check.state, check.verdict, check.independent) for check in run.checks} == {(ClaimState.FAILED, None, 0)}
    assert all(own_verdict_text(check).startswith("내 자료(예시)에서는 ") for check in run.checks)
