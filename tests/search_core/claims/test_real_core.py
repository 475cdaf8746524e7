"""Checks of claims by the core as it is installed, over played services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain import Claim, ClaimsBudget, ClaimsFailed, ClaimsRequest, ClaimsStatus, ClaimState, ResearchRequest
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
def test_a_budget_names_who_is_asked_first(world: World, tmp_path: Path, services: str, budget: ClaimsBudget):
    """The first services of the web count, each with both its searches, Tavily before all others; nobody is asked for it."""
    world.reset()
    before = len(world.asked)
    with closing(build_core(world, tmp_path, search_providers=services)) as core:
        assert core.claims.budget(CLAIMS) == budget
    assert len(world.asked) == before


def test_claims_are_checked_and_kept(core: SearchCore, world: World):
    """Each has a verdict, sources, a query and who was asked; research goes on beside on the same engine."""
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


def test_services_that_are_away_fail_the_run(core: SearchCore, world: World):
    """Could not ask is not found none, and documents of the library, which were searched, do not stand in for the web."""
    world.play_all(failure="500")
    run_id = core.claims.start(ClaimsRequest(video=hbm(core), claims=CLAIMS)).id
    events = followed(core.claims, run_id)
    assert core.claims.get(run_id, "").status is ClaimsStatus.FAILED
    assert [event.kind for event in events if isinstance(event, ClaimsFailed)] == ["Search failed"]
    assert {check.state for check in core.claims.get(run_id, "").checks} == {ClaimState.FAILED}
