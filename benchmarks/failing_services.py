"""What failing services cost, over real requests to loopback servers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import statistics
import time
from collections.abc import Iterator

from benchmarks.searches import QUESTIONS, pipeline
from benchmarks.texts import results, video
from search_core.domain.reply import ProviderReply
from search_core.domain.report import Question, SearchOptions
from search_core.providers.kit import SearchProvider
from search_core.providers.searxng import SearxngProvider
from search_core.settings import Settings
from search_core.text import korean
from tests.loopback.world import World
from tests.search_core.scripted import ScriptedProvider

TIMEOUT_S = 5.0
WELL_S = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
SLOW_S = 1.0
SEARCHES = 20


def named(name: str, base_url: str) -> SearchProvider:
    """Return a provider that asks *base_url* over HTTP, under a name of its own."""
    provider = SearxngProvider(Settings(searxng_url=base_url, web_search_timeout=TIMEOUT_S))
    provider.name = name  # type: ignore[misc]
    return provider


@contextlib.contextmanager
def worlds(names: list[str]) -> Iterator[dict[str, World]]:
    """Give a server for each of *names*."""
    with contextlib.ExitStack() as open_:
        yield {name: open_.enter_context(World()) for name in names}


def refusing_url() -> str:
    """Return an address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        return f"http://127.0.0.1:{closed_soon.getsockname()[1]}"


def failing_services() -> None:
    """Print the wall time of searches with ten services, one of them slow and one refusing, and with one that hangs."""
    korean.warm_up()
    asyncio.run(_whole_search_s())  # what the first searches of a process load is measured elsewhere
    with worlds([f"well{i}" for i in range(len(WELL_S))] + ["slow"]) as played:
        walls = asyncio.run(_walls(played))
    shares = [wall / SLOW_S for wall in walls]
    print(f"nine services, one slow ({SLOW_S:g} s), one refusing; all waited for:")
    print(f"  {SEARCHES} searches: median {statistics.median(shares):.3f}, worst {max(shares):.3f} of the slowest (bar 1.02)")
    with worlds([f"well{i}" for i in range(len(WELL_S))] + ["hanging"]) as played:
        walls = asyncio.run(_walls(played))
    print(f"one of nine hangs (time limit {TIMEOUT_S:g} s): {walls[0]:.2f} s, once it rests {statistics.median(walls[3:]):.2f} s")


async def _walls(played: dict[str, World]) -> list[float]:
    providers = [named(name, f"{world.base_url}/searxng") for name, world in played.items()]
    providers.append(named("refusing", refusing_url()))
    for name, latency_s in [*zip(played, WELL_S, strict=False), ("slow", SLOW_S)]:
        if name in played:
            played[name].play("searxng", latency_s=latency_s)
    if "hanging" in played:
        played["hanging"].play("searxng", failure="hang")
    pipe = pipeline(*providers, limit=10, timeout_s=TIMEOUT_S)

    async def wall(number: int) -> float:
        started = time.perf_counter()
        question = Question(text=f"{QUESTIONS[number % len(QUESTIONS)]} {number}", video=video(minutes=10))
        report = await pipe.run(question, SearchOptions(), lambda _: None)
        _all_there(report.replies)
        return time.perf_counter() - started

    return [await wall(number) for number in range(SEARCHES)]


def _all_there(replies: tuple[ProviderReply, ...]) -> None:
    """Raise AssertionError unless every healthy service answered: a fast search must not be one that leaves them out."""
    missing = [reply for reply in replies if reply.provider not in ("hanging", "refusing") and not reply.is_success()]
    assert not missing, missing


async def _whole_search_s() -> float:
    seen = iter(range(7_000_000, 8_000_000))
    pipe = pipeline(ScriptedProvider("scripted", lambda _: results(50, next(seen))), limit=50)
    about = video()
    times = [
        (await pipe.run(Question(text=QUESTIONS[i % len(QUESTIONS)], video=about), SearchOptions(), lambda _: None)).compute_ms
        / 1000
        for i in range(12)
    ]
    return statistics.median(times[2:])
