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
Outcome = Answer | tuple[SearchResult, ...] | BaseException


class ScriptedProvider(SearchProvider):
    """Gives its outcomes in turn, the last one for ever; waits for ``go`` when there is one, and counts who gave up."""

    name = "scripted"
    label = "대본"

    def __init__(self, name: str, *outcomes: Outcome, go: asyncio.Event | None = None) -> None:
        self.name = name  # type: ignore[misc]
        self.label = f"{name} 검색"  # type: ignore[misc]
        self.outcomes, self.go = list(outcomes), go
        self.asked: list[SearchRequest] = []
        self.cancelled = 0

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        self.asked.append(request)
        try:
            if self.go is not None:
                await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome(request) if callable(outcome) else outcome


class HangingProvider(ScriptedProvider):
    """Never answers."""

    def __init__(self, name: str) -> None:
        super().__init__(name, go=asyncio.Event())


def finds(*results: SearchResult) -> tuple[SearchResult, ...]:
    """Return the outcome of a service that finds *results*."""
    return results


def fails(status: SearchStatus) -> ProviderError:
    """Return the outcome of a service that fails with *status*."""
    return ProviderError(status, f"scripted {status}")


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
