"""Providers that answer what a test tells them to, in place of real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance, StanceRow
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SearchProvider, SearchRequest

Answer = Callable[[SearchRequest], tuple[SearchResult, ...]]


class ScriptedProvider(SearchProvider):
    """Answers by a function, and remembers what it was asked."""

    name = "scripted"
    label = "대본"

    def __init__(self, name: str, answer: Answer) -> None:
        self.name = name  # type: ignore[misc]
        self.label = f"{name} 검색"  # type: ignore[misc]
        self._answer = answer
        self.asked: list[SearchRequest] = []
        self.cancelled = 0

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        self.asked.append(request)
        return self._answer(request)


class HangingProvider(ScriptedProvider):
    """Never answers; notes when it is cancelled."""

    def __init__(self, name: str) -> None:
        super().__init__(name, lambda _: ())

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        self.asked.append(request)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return ()


def finds(*results: SearchResult) -> Answer:
    """Return an answer that always holds *results*."""
    return lambda _: results


def fails(status: SearchStatus) -> Answer:
    """Return an answer that always fails with *status*."""

    def answer(_: SearchRequest) -> tuple[SearchResult, ...]:
        raise ProviderError(status, f"scripted {status}")

    return answer


def result(title: str, *, url: str = "", snippet: str = "", **more: object) -> SearchResult:
    """Return a result with an address made from its title."""
    return SearchResult(
        title=title, url=url or f"https://example.org/{abs(hash(title))}", snippet=snippet or title, source="example.org", **more
    )


def stance_row(**changes: object) -> StanceRow:
    """Return a row of a comparison in which a source says the same."""
    values = {
        "moment_s": 1.0,
        "statement": "말",
        "stance": Stance.AGREE,
        "source": 0,
        "quote": "",
        "date": None,
        "after_video": None,
        "independent_of": 0,
        "confidence": 0.8,
        "restates_video": False,
        "why": "",
    }
    return StanceRow(**(values | changes))
