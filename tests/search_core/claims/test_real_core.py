"""What a check of claims costs, by the core as it is installed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.domain import Claim, ClaimsBudget, JudgingCost
from search_core.presenting.claim_text import budget_text
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
