"""Many searches that fail, through the real providers against the played world."""

from __future__ import annotations

import asyncio
from pathlib import Path

from search_core.providers import build
from search_core.search.gathering import MultiProviderSearchManager
from search_core.settings import Settings
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import EmptyLibrary

SERVICES = ("searxng", "duckduckgo")
"""One for each kind of transport."""


def test_nothing_stays_open_after_many_failing_searches(world: World):
    """After twenty searches that failed in every way, this process holds no more files than after the first five."""
    failures = ("reset", "503", "html", "429", "broken-json")

    async def many() -> list[int]:
        settings = Settings(**world.settings(web_search_timeout=0.1, search_providers=",".join(SERVICES)))
        providers = build(settings, EmptyLibrary())
        counts = []
        for number in range(20):
            for position, service in enumerate(SERVICES):
                world.play(service, failure=failures[(number + position) % 5])
            # A new manager has no service cooling down, so every one of them is really asked.
            await MultiProviderSearchManager(providers, [SERVICES], timeout_s=0.1).search(f"질문 {number}")
            counts.append(open_files())
        for provider in providers.values():
            await provider.aclose()
        return counts

    counts = asyncio.run(many())
    assert counts[-1] <= counts[4] + 6  # connections the served side has not yet seen closing


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))
