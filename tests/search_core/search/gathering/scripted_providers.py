"""A clock that moves only by ``pass_s``, and providers with scripted outcomes."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SearchRequest
from search_core.search.gathering.manager import MultiProviderSearchManager
from tests.search_core import scripted
from tests.search_core.scripted import Outcome


class Clock:
    """Both clocks of a manager; ``pass_s`` moves them together."""

    def __init__(self) -> None:
        self.elapsed_s = 0.0

    def monotonic(self) -> float:
        return self.elapsed_s

    def now(self) -> datetime:
        return datetime(2026, 11, 20, 9, 0, tzinfo=UTC) + timedelta(seconds=self.elapsed_s)

    def pass_s(self, seconds: float) -> None:
        self.elapsed_s += seconds


class ScriptedProvider(scripted.ScriptedProvider):
    """Finds one result where nothing else is said; may be absent, or forbid storing."""

    max_query_chars = 60

    def __init__(self, name: str, *outcomes: Outcome, go: asyncio.Event | None = None, storable: bool = True) -> None:
        super().__init__(name, *(outcomes or ((result(name),),)), go=go)
        self.storable = storable  # type: ignore[misc]
        self.absent: str | None = None

    def absent_because(self) -> str | None:
        return self.absent


def own_library(name: str = "own") -> ScriptedProvider:
    """Return a provider of the user's own documents."""
    own = ScriptedProvider(name)
    own.web = False  # type: ignore[misc]
    return own


def in_event_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an asynchronous test to its end."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


def result(name: str, number: int = 1) -> SearchResult:
    """Return one hit that names its provider."""
    return SearchResult(
        title=f"{name}의 결과 {number}",
        url=f"https://{name}.example/{number}",
        snippet="",
        source=f"{name}.example",
        providers=(name,),
        ranks=((name, number),),
    )


async def run_until(condition: Callable[[], bool]) -> None:
    """Let other tasks and threads run until *condition* holds; fails after half a minute."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what is waited for is what a fake has seen, it has no event
            await asyncio.sleep(0)


def manager_of(
    *providers: ScriptedProvider, tiers: Sequence[Sequence[str]] = (), clock: Clock | None = None, **options: Any
) -> MultiProviderSearchManager:
    clock = clock or Clock()
    return MultiProviderSearchManager(
        {provider.name: provider for provider in providers}, tiers, **{"monotonic": clock.monotonic, "now": clock.now, **options}
    )


def search(manager: MultiProviderSearchManager, query: str = "맥락", **options: Any) -> tuple[ProviderReply, ...]:
    about = {name: options.pop(name) for name in list(options) if name in SearchRequest.__dataclass_fields__}
    return asyncio.run(manager.search(SearchRequest(query=query, **about), **options))


def statuses(replies: Sequence[ProviderReply]) -> dict[str, str]:
    return {reply.provider: str(reply.status) for reply in replies}


def down() -> Exception:
    """Return what a service that cannot be reached raises."""
    return ProviderError(SearchStatus.NETWORK_ERROR, "down")
