"""The whole search over a loopback world, beside its slowest service."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.reference import note
from search_core.core import SearchCore
from search_core.domain.report import Question
from search_core.domain.video import VideoContext
from search_core.settings import Settings
from tests.loopback.world import World

QUESTION = "이 회사 최근 실적은?"
VIDEO = VideoContext(
    video_id="wall-time",
    title="HBM과 메모리 대역폭",
    organizations=("SK하이닉스",),
    key_terms=("HBM", "메모리", "대역폭"),
    language="ko",
)
ROUNDS = 15


@contextmanager
def core_over(world: World) -> Iterator[SearchCore]:
    """Give a core whose services are played by *world*."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "maekrak_data_dir": Path(folder), "library_samples": False, "search_providers": "wikipedia,searxng,duckduckgo",
            "embedding_model": "kiwi", "web_search_cache_ttl": 0,
        }  # fmt: skip
        core = SearchCore.from_settings(Settings(**{**settings, **world.settings()}))
        try:
            yield core
        finally:
            core.close()


def wall_time() -> None:
    """Print the wall time of a search over that of its slowest answering service."""
    slowest_s = 0.5
    with World() as world, core_over(world) as core:
        world.play("wikipedia", latency_s=0.2)
        world.play("searxng", latency_s=slowest_s)
        world.play("duckduckgo", latency_s=0.35)
        walls = []
        for _ in range(ROUNDS + 1):
            started = time.perf_counter()
            core.search(Question(text=QUESTION, video=VIDEO))
            walls.append(time.perf_counter() - started)
    wall = statistics.median(walls[1:])
    note("search / slowest service", wall / slowest_s)
    print(f"search {wall:.3f} s, slowest service {slowest_s:.3f} s: ratio {wall / slowest_s:.3f} (bar 1.10)")
