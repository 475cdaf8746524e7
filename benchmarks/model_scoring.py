"""What the shipped model costs: from the last reply to the results, none kept and all kept; pairs judged; memory of its process."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import threading
import time
from pathlib import Path

import psutil

from benchmarks.reference import note_time
from benchmarks.searches import QUESTIONS
from benchmarks.texts import NOW, results
from search_core.answers.support import amounts_missing
from search_core.domain.report import Question, SearchOptions
from search_core.domain.result import SearchResult
from search_core.language import korean
from search_core.models.embedding.e5.model import LONGEST
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.models.embedding.host import EmbedderHost
from search_core.providers.kit.contract import SearchRequest
from search_core.search.gathering.aggregate import ResultAggregator
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.pipeline import SearchPipeline, Stages
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.storage.cache_file import VectorCache
from tests.search_core.scripted import ScriptedProvider

ROUNDS = 9
PAIRS = 48
_seeds = iter(range(1, 10_000))


class LateProvider(ScriptedProvider):
    """Answers after a while, and notes when."""

    def __init__(self, name: str, after_s: float, found: tuple[SearchResult, ...]) -> None:
        super().__init__(name, lambda _: found)
        self._after_s = after_s
        self.answered_at = 0.0

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Answer late."""
        await asyncio.sleep(self._after_s)
        self.answered_at = time.perf_counter()
        return await super().search(request)


def model_scoring() -> None:
    """Print the bars of scoring by the shipped model."""
    korean.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        vectors = VectorCache(Path(folder))
        host = EmbedderHost(model=MODEL, vectors=vectors)
        started = time.perf_counter()
        host.start()
        host.wait(120)
        print(f"model: {host.state().name}, ready after {time.perf_counter() - started:.1f} s")
        if host.state().state == "ready":
            _bars(host)
        host.close()
        vectors.close()


def _bars(host: EmbedderHost) -> None:
    child = next(each for each in psutil.Process().children() if any("model_worker" in part for part in each.cmdline()))
    asyncio.run(_after_last_reply(host, {0.0: 10}))  # loads what the first search loads
    before = sum(child.cpu_times()[:2])
    at_once = [asyncio.run(_after_last_reply(host, {0.0: 50})) for _ in range(ROUNDS)]
    work_ms = (sum(child.cpu_times()[:2]) - before) / ROUNDS * 1000
    arriving = [asyncio.run(_after_last_reply(host, {0.2: 10, 0.6: 10, 1.2: 10})) for _ in range(ROUNDS)]
    seed = next(_seeds)
    kept = [asyncio.run(_after_last_reply(host, {0.0: 50}, seed=seed)) for _ in range(ROUNDS + 1)][1:]
    for name, times, bar in (
        ("three services of 10 results at .2/.6/1.2 s, none kept", arriving, 300),
        ("50 results of 250 characters at once, none kept", at_once, 900),
        ("50 results at once, all kept", kept, 60),
    ):
        middle = statistics.median(times)
        print(f"{name}: p50 {middle:.0f} ms, max {max(times):.0f} ms; bar {bar} ms: {middle / bar:.2f} of it")
    note_time("the model's work on 50 results", work_ms / 1000)
    print(f"the model's own work on 50 results: {work_ms:.0f} ms of one core, done by several at once")
    taken = child.memory_info().rss / 2**20
    print(f"memory of the model's process: {taken:.0f} MiB; bar 600 MiB: {taken / 600:.2f} of it")
    _judgement_bars(host, child)


def _judgement_bars(host: EmbedderHost, child: psutil.Process) -> None:
    """Print what the entailment model costs in the same process, and how long a question waits behind its pairs."""
    pairs = [(result.snippet * 2, result.title) for result in results(PAIRS, next(_seeds))]  # longer than a pair may be
    host.entailment.judge(pairs[:1])  # builds it
    before = sum(child.cpu_times()[:2])
    host.entailment.judge(pairs)
    work_ms = (sum(child.cpu_times()[:2]) - before) / PAIRS * 1000
    print(f"a pair of the largest length, {LONGEST} pieces: {work_ms:.1f} ms of one core; bar 15 ms: {work_ms / 15:.2f} of it")
    judging = threading.Thread(target=host.entailment.judge, args=(pairs,))
    judging.start()
    waits = []
    while judging.is_alive():
        began = time.perf_counter()
        host.current().embed([f"대역폭은 얼마인가 {next(_seeds)}"], "query")
        waits.append((time.perf_counter() - began) * 1000)
    judging.join()
    print(f"a question among {PAIRS} pairs: p50 {statistics.median(waits):.0f} ms, max {max(waits):.0f} ms")
    taken = child.memory_info().rss / 2**20
    print(f"memory of the process with both: {taken:.0f} MiB; bar 650 MiB: {taken / 650:.2f} of it")


async def _after_last_reply(host: EmbedderHost, arrivals: dict[float, int], *, seed: int | None = None) -> float:
    """Return the milliseconds from the last reply to the report of a search whose services answer after so many seconds."""
    seed = next(_seeds) if seed is None else seed
    services = [
        LateProvider(f"s{place}", after_s, results(count, seed * 10 + place))
        for place, (after_s, count) in enumerate(arrivals.items())
    ]
    report = await _pipeline(host, services).run(Question(text=QUESTIONS[seed % len(QUESTIONS)]), SearchOptions(), lambda _: None)
    assert report.scorer == host.state().name
    return (time.perf_counter() - max(service.answered_at for service in services)) * 1000


def _pipeline(host: EmbedderHost, services: list[LateProvider]) -> SearchPipeline:
    named = {service.name: service for service in services}
    embedded = KiwiEmbedder()
    return SearchPipeline(
        Stages(
            analyzer=QueryIntentAnalyzer(),
            constructor=QueryConstructor(now=lambda: NOW),
            manager=MultiProviderSearchManager(named, (tuple(named),), timeout_s=30, deadline_s=30, ttl_s=0),
            aggregator=ResultAggregator(),
            relevance=lambda: RelevanceFilter(host.current(), now=lambda: NOW, fallback=embedded),
            summarizer=None,
            now=lambda: NOW,
            deadline_s=30,
            missing_numbers=amounts_missing,
            asked=SearchRequest(query="", limit=50),
            summary_deadline_s=5,
        )
    )
