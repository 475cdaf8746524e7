"""Asks one provider of the played services."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers import build
from search_core.providers.kit.contract import SearchProvider, SearchRequest
from search_core.settings import Settings
from tests.loopback.world import Asked, World


class EmptyLibrary:
    """A library without documents."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        return []

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        return [], []

    def count(self, *, samples: bool = True) -> int:
        return 0


def provider_of(name: str, settings: dict[str, Any]) -> SearchProvider:
    """Return the provider *name* under *settings*."""
    return build(Settings(**{**settings, "search_providers": name}), EmptyLibrary)[name]


def ask(
    world: World | None,
    name: str,
    query: str = "메모리 대역폭",
    *,
    settings: dict[str, Any] | None = None,
    provider: SearchProvider | None = None,
    **request: Any,
) -> tuple[SearchResult, ...]:
    """Return what the provider *name*, set up for *world*, or *provider* in its stead, answers."""

    async def one() -> tuple[SearchResult, ...]:
        asked = provider
        if asked is None:
            assert world is not None
            asked = provider_of(name, world.settings(**(settings or {})))
        try:
            return await asked.search(SearchRequest(query=query, **request))
        finally:
            await asked.aclose()

    return asyncio.run(one())


def sent(world: World, name: str, **options: Any) -> Asked:
    """Return the last request that asking the provider *name* makes."""
    ask(world, name, **options)
    return world.requests[name][-1]


def refusal_of(world: World, name: str, **options: Any) -> ProviderError:
    """Return the error with which the provider *name* ends."""
    with pytest.raises(ProviderError) as caught:
        ask(world, name, **options)
    return caught.value
