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


def document(name: str, snippet: str = "") -> SearchResult:
    return SearchResult(title=name, url=f"https://library.example/{name}", snippet=snippet, source="내 자료", collection="user")


class ScriptedLibrary:
    """Finds documents by exact query, and by meaning those it is given."""

    def __init__(self, *, near: str = "", across: str = "", **found: list[str]) -> None:
        self.found, self.near, self.across = found, near, across
        self.questions: list[str] = []

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        return [document(name, "by words") for name in self.found.get(query, [])[:limit]]

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        self.questions.append(question)
        near, across = ([document(name, "by meaning") for name in names][:limit] for names in (self.near, self.across))
        return near, across

    def count(self, *, samples: bool = True) -> int:
        return sum(len(names) for names in self.found.values())


def provider_of(name: str, settings: dict[str, Any]) -> SearchProvider:
    """Return the provider *name* under *settings*."""
    return build(Settings(**{**settings, "search_providers": name}), ScriptedLibrary)[name]


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
