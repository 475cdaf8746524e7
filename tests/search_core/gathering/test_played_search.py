"""Whole searches through the real providers against the played world: broader queries, and nothing left open."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from search_core.domain import ProviderReply
from search_core.gathering import MultiProviderSearchManager
from search_core.provider_kit import SearchRequest
from search_core.providers import build
from search_core.settings import Settings
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import EmptyLibrary

SERVICES = ("wikipedia", "searxng", "duckduckgo")
"""One for each kind of transport, and the one that tries broader queries."""
TIMEOUT_S = 10.0


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def manager_for(world: World) -> MultiProviderSearchManager:
    settings = Settings(**world.settings(web_search_timeout=TIMEOUT_S, search_providers=",".join(SERVICES)))
    return MultiProviderSearchManager(build(settings, EmptyLibrary()), settings.provider_tiers, timeout_s=TIMEOUT_S)


def test_only_the_strict_service_tries_broader_queries_by_itself(world: World):
    """Both wikis go on to the broader query at which they find something; the others are asked the query itself, once."""
    for service in SERVICES:
        world.play(service, max_words=2)
    world.asked.clear()

    async def search() -> dict[str, ProviderReply]:
        manager = manager_for(world)
        replies = await manager.search(SearchRequest(query="HBM 메모리 대역폭", broader=("메모리 대역폭", "HBM")))
        await manager.aclose()
        return {reply.provider: reply for reply in replies}

    replies = asyncio.run(search())
    assert {service: world.times_asked(service) for service in SERVICES} == {"wikipedia": 3, "searxng": 1, "duckduckgo": 1}
    assert {result.title for result in replies["wikipedia"].results} == {"메모리", "HBM"}
    assert replies["wikipedia"].query == "HBM 메모리 대역폭"


def test_nothing_stays_open_after_many_failing_searches(world: World, monkeypatch: pytest.MonkeyPatch):
    """After twenty searches that failed in every way, this process holds no more files than after the first five."""
    monkeypatch.setattr("search_core.provider_kit.retries.RETRY_SPREAD_S", 0.01)

    async def many() -> tuple[int, int]:
        settings = Settings(**world.settings(web_search_timeout=0.1, search_providers=",".join(SERVICES)))
        providers = build(settings, EmptyLibrary())
        counts = []
        for round_ in range(2):
            for number in range(5 if round_ == 0 else 15):
                for position, service in enumerate(SERVICES):
                    world.play(service, failure=("reset", "503", "html", "429", "broken-json")[(number + position) % 5])
                # A new manager has no service cooling down, so every one of them is really asked.
                await MultiProviderSearchManager(providers, [SERVICES], timeout_s=0.1).search(f"질문 {number}")
            counts.append(open_files())
        for provider in providers.values():
            await provider.aclose()
        return counts[0], counts[1]

    before, after = asyncio.run(many())
    assert after <= before + 6  # connections the served side has not yet seen closing
