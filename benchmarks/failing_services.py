"""What failing services and the event log cost, over real requests to loopback servers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.searches import QUESTIONS, pipeline
from benchmarks.texts import results, video
from search_core.domain.reply import ProviderReply, SearchEvent
from search_core.domain.report import Question, SearchOptions
from search_core.health import EventRecorder
from search_core.providers.kit import SearchProvider
from search_core.providers.searxng import SearxngProvider
from search_core.search.gathering import MultiProviderSearchManager
from search_core.settings import Settings
from search_core.storage import SqliteEventLog
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


def event_log() -> None:
    """Print what keeping an event of each request costs a search that asks five services."""
    korean.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        recorder = EventRecorder(SqliteEventLog(Path(folder) / "events.sqlite"))
        quiet, recording = (asyncio.run(_search_times(record)) for record in (lambda _: None, recorder.record))
        started = time.perf_counter()
        recorder.close()
        left_s = time.perf_counter() - started
    whole_s = asyncio.run(_whole_search_s())
    cost_s = statistics.median(recording) - statistics.median(quiet)
    print(f"gathering from five services: {statistics.median(quiet) * 1e6:.0f} µs, with the event log {cost_s * 1e6:+.0f} µs")
    print(f"event log: {cost_s / whole_s:+.4f} of the own time of a whole search ({whole_s * 1000:.1f} ms, 50 results)")
    print(f"written after the last search: {left_s * 1000:.0f} ms for what was left of {5 * len(recording)} events")


async def _search_times(record: Callable[[SearchEvent], None]) -> list[float]:
    found = results(10, 1)
    providers = {f"scripted{i}": ScriptedProvider(f"scripted{i}", lambda _: found) for i in range(5)}
    manager = MultiProviderSearchManager(providers, (tuple(providers),), ttl_s=0, record=record)
    times = []
    for i in range(1000):
        started = time.perf_counter()
        await manager.search(f"질문 {i}")
        times.append(time.perf_counter() - started)
    return times[100:]


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
