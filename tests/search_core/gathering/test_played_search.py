"""Whole searches through the real providers against the played world: one fails, the others are not touched."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.domain import ProviderReply, SearchResult
from search_core.gathering import MultiProviderSearchManager
from search_core.provider_kit import ProviderTools
from search_core.providers import build
from search_core.settings import Settings
from tests.loopback.world import PLAYED, SERVICES, World

TIMEOUT_S = 0.4
BUDGET_S = 2.0
"""Far above the time limit, far below what a provider without one would take."""


class EmptyShelf:
    """Is a library without documents."""

    def search(self, query: str, limit: int) -> list[SearchResult]:
        return []

    def count(self) -> int:
        return 0


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World() as played:
        yield played


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def manager_for(world: World) -> MultiProviderSearchManager:
    settings = Settings(**world.settings(web_search_timeout=TIMEOUT_S, search_providers=",".join(SERVICES)))
    return MultiProviderSearchManager(
        build(settings, ProviderTools(library=EmptyShelf())), settings.provider_tiers, timeout_s=TIMEOUT_S
    )


def test_only_the_strict_service_tries_broader_queries_by_itself(world: World):
    """Both wikis go on to the broader query at which they find something; the others are asked the query itself, once."""
    for service in SERVICES:
        world.play(service, max_words=2)
    world.asked.clear()

    async def search() -> dict[str, ProviderReply]:
        manager = manager_for(world)
        replies = await manager.search("HBM 메모리 대역폭", broader=("메모리 대역폭", "HBM"))
        await manager.aclose()
        return {reply.provider: reply for reply in replies}

    replies = asyncio.run(search())
    assert {service: world.times_asked(service) for service in SERVICES} == {
        service: 3 if service == "wikipedia" else 1 for service in SERVICES
    }
    assert {result.title for result in replies["wikipedia"].results} == {"메모리", "HBM"}
    assert replies["wikipedia"].query == "HBM 메모리 대역폭"


@pytest.mark.parametrize("failing", SERVICES)
def test_one_failing_service_is_named_and_the_others_answer(world: World, failing: str):
    """However one service fails, the others' results are there, and the search ends within its budget."""

    async def all_failures() -> dict[str, tuple[dict[str, ProviderReply], float]]:
        ended = {}
        for failure in PLAYED[failing].failures():
            for service in SERVICES:
                world.play(service, failure=failure if service == failing else None)
            manager = manager_for(world)
            started = time.perf_counter()
            replies = await manager.search("메모리 대역폭")
            ended[failure] = ({reply.provider: reply for reply in replies}, time.perf_counter() - started)
            await manager.aclose()
        return ended

    for failure, (replies, took_s) in asyncio.run(all_failures()).items():
        assert set(replies) == set(SERVICES), failure
        assert not replies[failing].is_success(), failure
        assert (str(replies[failing].status) == "no_results") == (failure == "nothing"), failure
        for service in set(SERVICES) - {failing}:
            assert replies[service].is_success(), (failure, service, replies[service].error_message)
        assert took_s < BUDGET_S, failure


def test_nothing_stays_open_after_many_failing_searches(world: World):
    """After fifty searches that failed in every way, this process holds no more files than after the first five."""

    async def many() -> tuple[int, int]:
        settings = Settings(**world.settings(web_search_timeout=0.1, search_providers=",".join(SERVICES)))
        providers = build(settings, ProviderTools(library=EmptyShelf()))
        counts = []
        for round_ in range(2):
            for number in range(5 if round_ == 0 else 45):
                for place, service in enumerate(SERVICES):
                    world.play(service, failure=("reset", "503", "html", "429", "broken-json")[(number + place) % 5])
                # A new manager has no service cooling down, so every one of them is really asked.
                await MultiProviderSearchManager(providers, [SERVICES], timeout_s=0.1).search(f"질문 {number}")
            counts.append(open_files())
        for provider in providers.values():
            await provider.aclose()
        return counts[0], counts[1]

    before, after = asyncio.run(many())
    assert after <= before + 6  # connections the served side has not yet seen closing
