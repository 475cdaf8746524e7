"""Asking one provider of a played world."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from search_core.domain import SearchResult
from search_core.errors import ProviderError
from search_core.provider_kit import SearchRequest
from search_core.providers import build
from search_core.settings import Settings
from tests.loopback.world import World


class EmptyShelf:
    """A library without documents."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        return []

    def count(self, *, samples: bool = True) -> int:
        return 0


def ask(
    world: World, name: str, query: str = "메모리 대역폭", *, settings: dict[str, Any] | None = None, **request: Any
) -> tuple[SearchResult, ...]:
    """Return what the provider *name*, set up for *world*, answers."""

    async def one() -> tuple[SearchResult, ...]:
        made = build(Settings(search_providers=name, **world.settings(**(settings or {}))), EmptyShelf())[name]
        try:
            return await made.search(SearchRequest(query=query, **request))
        finally:
            await made.aclose()

    return asyncio.run(one())


def refusal_of(world: World, name: str, **options: Any) -> ProviderError:
    """Return the error with which the provider *name* ends."""
    with pytest.raises(ProviderError) as caught:
        ask(world, name, **options)
    return caught.value
