"""Our own time per search, and memory over many searches: everything but the network and the model."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time

import psutil

from benchmarks.reference import note_time
from benchmarks.texts import NOW, results, video
from search_core.answers.support import amounts_missing
from search_core.domain.report import Question, SearchOptions
from search_core.domain.result import RankingOptions
from search_core.language import korean
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.providers.kit.contract import SearchProvider, SearchRequest
from search_core.search.gathering.aggregate import ResultAggregator
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.pipeline import SearchPipeline, Stages, rearrange
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from tests.search_core.scripted import ScriptedProvider

QUESTIONS = (
    "메모리 대역폭은 왜 중요한가?",
    "SK하이닉스 최근 실적은?",
    "인터포저 발열 문제는 풀렸나?",
    "HBM4 표준은 언제 나왔나?",
)


def pipeline(*providers: SearchProvider, limit: int, timeout_s: float = 30) -> SearchPipeline:
    """Return a pipeline over *providers* in one tier, with the embedded scorer and no kept answers."""
    named = {provider.name: provider for provider in providers}
    manager = MultiProviderSearchManager(named, (tuple(named),), timeout_s=timeout_s, deadline_s=30, ttl_s=0)
    embedder = KiwiEmbedder()
    return SearchPipeline(
        Stages(
            analyzer=QueryIntentAnalyzer(),
            constructor=QueryConstructor(now=lambda: NOW),
            manager=manager,
            aggregator=ResultAggregator(),
            relevance=lambda: RelevanceFilter(embedder, now=lambda: NOW),
            summarizer=None,
            now=lambda: NOW,
            deadline_s=30,
            missing_numbers=amounts_missing,
            asked=SearchRequest(query="", limit=limit),
            summary_deadline_s=5,
        )
    )


def own_times_ms(count: int, rounds: int) -> list[float]:
    """Return the own time of *rounds* searches of *count* fresh results each, with a one-hour transcript."""
    seen = iter(range(10_000 * count, 10_000 * count + rounds + 2))
    provider = ScriptedProvider("scripted", lambda _: results(count, next(seen)))
    pipe = pipeline(provider, limit=count)
    about = video()

    async def run() -> list[float]:
        times = []
        for i in range(rounds + 2):
            report = await pipe.run(Question(text=QUESTIONS[i % len(QUESTIONS)], video=about), SearchOptions(), lambda _: None)
            times.append(report.compute_ms)
        return times[2:]

    return asyncio.run(run())


def own_time() -> None:
    """Print the own time per search for 50 results and how it grows to 1,000."""
    korean.warm_up()
    medians = {}
    for count, rounds in ((50, 40), (100, 20), (200, 10), (500, 6), (1000, 4)):
        times = own_times_ms(count, rounds)
        medians[count] = statistics.median(times)
        print(
            f"own time, {count:4d} results: p50 {medians[count]:7.1f} ms, max {max(times):7.1f} ms, {medians[count] / count:.2f} ms each"
        )
    note_time("own time, 50 results", medians[50] / 1000)
    note_time("own time, 1,000 results", medians[1000] / 1000)
    print(f"bar: p50 at 50 results <= 60 ms: {medians[50] / 60:.2f} of it")
    print(f"bar: linear to 1,000: time per result at 1,000 / at 50 = {(medians[1000] / 1000) / (medians[50] / 50):.2f}")


def threshold() -> None:
    """Print the time to place 50 results anew, against the search that scored them."""
    pipe = pipeline(ScriptedProvider("scripted", lambda _: results(50, 7)), limit=50)
    report = asyncio.run(pipe.run(Question(text=QUESTIONS[0], video=video()), SearchOptions(), lambda _: None))
    times = []
    for i in range(200):
        started = time.perf_counter()
        rearrange(report, RankingOptions(threshold=(i % 100) / 100, max_results=50))
        times.append((time.perf_counter() - started) * 1000)
    print(
        f"threshold moved, 50 results: p50 {statistics.median(times):.2f} ms = {statistics.median(times) / report.compute_ms:.4f} of the search; bar 50 ms"
    )


def memory() -> None:
    """Print resident memory as the bounded caches fill, and over the 1,000 searches after they have."""
    seen = iter(range(5_000_000, 6_000_000))
    pipe = pipeline(ScriptedProvider("scripted", lambda _: results(30, next(seen))), limit=30)
    about = video()
    process = psutil.Process()

    async def searches(count: int) -> int:
        for i in range(count):
            await pipe.run(Question(text=QUESTIONS[i % len(QUESTIONS)], video=about), SearchOptions(), lambda _: None)
        gc.collect()
        return process.memory_info().rss

    async def run() -> list[int]:
        return [await searches(count) for count in (200, 800, 1000)]

    early, full, later = asyncio.run(run())
    print(
        f"memory: {early / 2**20:.0f} MiB after 200 searches, {full / 2**20:.0f} MiB after 1,000: {full / early:.3f} while caches fill"
    )
    print(f"memory: {later / 2**20:.0f} MiB after 2,000: {later / full:.3f} of that after 1,000 (bar 1.05)")
