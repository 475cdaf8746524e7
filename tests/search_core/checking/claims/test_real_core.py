"""Checks of claims by the core as it is installed: what they cost, and planted errors without a key and without a network."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain.claim import Claim, ClaimsBudget, ClaimsEnded, ClaimsRequest, ClaimsStatus, ClaimState
from search_core.domain.stance import JudgingCost, Stance
from search_core.search.presenting.claim_text import budget_text, own_verdict_text
from search_core.settings import Settings
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

CLAIMS = tuple(Claim(number=number, text=f"{number}번 공장이 문을 열었다.") for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("services", "budget"),
    [
        ("library,wikipedia,duckduckgo", ClaimsBudget(claims=3, searches=12, paid=0, pages=15)),
        ("library,wikipedia,tavily,brave", ClaimsBudget(claims=3, searches=6, paid=6, pages=15)),
        ("library;google,duckduckgo", ClaimsBudget(claims=3, searches=12, paid=6, pages=15)),
        ("library", ClaimsBudget(claims=3, searches=0, paid=0, pages=15)),
    ],
)
def test_a_budget_counts_the_first_services(world: World, tmp_path: Path, services: str, budget: ClaimsBudget):
    """The first services of the web count, each with both its searches, Tavily before all others, without a request."""
    world.reset()
    with closing(build_core(world, tmp_path, search_providers=services)) as core:
        assert core.claims.budget(CLAIMS) == budget
    assert world.asked == []


@pytest.mark.parametrize(
    ("changes", "judging", "words"),
    [
        ({}, JudgingCost(requests=18, tokens=90_000), "유료 검색 최대 6회 · 언어 모델 최대 18회(90,000토큰)"),
        ({"openai_model": ""}, JudgingCost(), "유료 검색 최대 6회"),
    ],
)
def test_a_budget_says_what_a_language_model_takes(
    world: World, tmp_path: Path, changes: dict[str, Any], judging: JudgingCost, words: str
):
    """Six requests for each claim at most, where a model is set up."""
    world.reset()
    model = {"openai_base_url": "http://127.0.0.1:1/v1", "openai_model": "m"}
    with closing(build_core(world, tmp_path, search_providers="tavily", **{**model, **changes})) as core:
        budget = core.claims.budget(CLAIMS)
    assert (budget.judging, budget_text(budget)) == (judging, words)


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
