"""The whole core checking an answer: which services it asks, and in what order."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from search_core.domain import Question
from tests.loopback.world import World, pages
from tests.search_core.whole_core import build_core, hbm


def test_where_tavily_finds_nothing_brave_is_asked_and_then_the_rest(world: World, tmp_path: Path):
    """One after the other, never the user's own documents, and the web that finds something ends it."""
    world.play("tavily", failure="quota")
    world.play("brave", failure="nothing")
    world.play("wikipedia", pages=pages(2, "news.example.kr"))
    settings = {"search_providers": "library,wikipedia,tavily,brave"}
    with closing(build_core(world, tmp_path, **settings)) as core:
        list(core.check_online(Question(text="HBM4 표준의 대역폭은 얼마인가요?", video=hbm(core)), subject="HBM"))
    assert [service for service, _ in world.asked][:2] == ["tavily", "brave"]
    assert {service for service, _ in world.asked[2:]} == {"wikipedia"}
