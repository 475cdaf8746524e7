"""Checks of claims by the core as it is installed, over played services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain import Claim, ClaimsBudget, ClaimsRequest, ClaimsStatus, ClaimState, JudgingCost, ResearchRequest
from search_core.presenting.claim_text import budget_text
from tests.loopback.world import World
from tests.search_core.claims.acting import followed
from tests.search_core.whole_core import build_core, hbm

TEXTS = ("HBM4 표준의 대역폭은 초당 최대 2테라바이트다.", "HBM은 메모리 칩을 위로 쌓아 만든다.", "GDDR은 그래픽 메모리다.")
CLAIMS = tuple(Claim(number=number, text=text) for number, text in enumerate(TEXTS, start=1))


@pytest.fixture
def core(world: World, tmp_path: Path) -> Iterator[SearchCore]:
    world.reset()
    with closing(build_core(world, tmp_path, search_providers="library,wikipedia,searxng", check_online_pages=0)) as core:
        yield core


@pytest.mark.parametrize(
    ("services", "budget"),
    [
        ("library,wikipedia,duckduckgo", ClaimsBudget(claims=3, searches=12, paid=0, pages=15, least_searches=6)),
        ("library,wikipedia,tavily,brave", ClaimsBudget(claims=3, searches=6, paid=6, pages=15, least_searches=3, least_paid=3)),
        ("wikipedia;google", ClaimsBudget(claims=3, searches=6, paid=0, pages=15, least_searches=3)),
        ("library;google,youtube", ClaimsBudget(claims=3, searches=12, paid=6, pages=15, least_searches=6, least_paid=3)),
        ("library", ClaimsBudget(claims=3, searches=0, paid=0, pages=15)),
    ],
)
def test_a_budget_counts_the_first_services(world: World, tmp_path: Path, services: str, budget: ClaimsBudget):
    """The first services of the web count, each with both its searches, Tavily before all others, without a request."""
    world.reset()
    before = len(world.asked)
    with closing(build_core(world, tmp_path, search_providers=services)) as core:
        assert core.claims.budget(CLAIMS) == budget
    assert len(world.asked) == before


@pytest.mark.parametrize(
    ("changes", "judging", "words"),
    [
        ({}, JudgingCost(requests=3, tokens=24_000), "검색 3–6번 · 유료 3–6번 · 언어 모델 0–3번(24,000토큰까지)"),
        ({"openai_judges_sources": False}, JudgingCost(), "검색 3–6번 · 유료 3–6번"),
        ({"openai_model": ""}, JudgingCost(), "검색 3–6번 · 유료 3–6번"),
    ],
)
def test_a_budget_says_what_a_language_model_takes(
    world: World, tmp_path: Path, changes: dict[str, Any], judging: JudgingCost, words: str
):
    """One request for each claim at most, where a model is set up and its judging is not turned off."""
    world.reset()
    model = {"openai_base_url": "http://127.0.0.1:1/v1", "openai_model": "m"}
    with closing(build_core(world, tmp_path, search_providers="tavily", **{**model, **changes})) as core:
        budget = core.claims.budget(CLAIMS)
    assert (budget.judging, budget_text(budget)) == (judging, words)


def test_claims_are_checked_and_listed(core: SearchCore, world: World):
    """Each has a verdict, a query and its services, while research runs on the same engine."""
    video = hbm(core)
    beside = core.research.start(ResearchRequest(question="메모리 대역폭은 왜 중요한가?", video=video, own_only=True))
    run_id = core.claims.start(ClaimsRequest(video=video, claims=CLAIMS)).id
    followed(core.claims, run_id)
    run = core.claims.get(run_id, "")
    assert run.status is ClaimsStatus.COMPLETE
    assert {check.state for check in run.checks} == {ClaimState.CHECKED}
    assert all(check.verdict is not None and check.query and check.services for check in run.checks)
    assert all(check.claim == claim for check, claim in zip(run.checks, CLAIMS, strict=True))
    assert run.metrics.searches == 6
    assert run.coverage[0] == "주장 3개 중 3개를 웹과 견주었어요."
    assert [entry.id for entry in core.claims.list("")] == [run_id]
    for _ in core.research.events(beside.id, ""):
        pass
    assert core.research.get(beside.id, "").report
