"""Many visitors, many searches and a long history in one process, over the real server."""

from __future__ import annotations

import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil

from benchmarks.searches import QUESTIONS
from search_core.domain.conversation import Message, MessageKind
from search_core.domain.research import ResearchRequest
from search_core.domain.video import VideoContext
from search_core.research.store import ResearchStore
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import FILE, Database
from tests.browser.servers import environment, free_port, process, streamlit
from tests.loopback.page_visitor import PageVisitor

SEARCHES, SESSIONS, STREAMS, CALLERS = 1_000, 50, 200, 5
CONVERSATIONS, RUNS = 300, 500
PAGES = ("", "records", "health")
ROUNDS = 5
VISITORS, PAUSE_S = 20, 2.0


class Server(NamedTuple):
    """The app as it is, running."""

    address: str
    process: psutil.Process

    def client(self) -> httpx.Client:
        """Return a client of its API."""
        return httpx.Client(base_url=self.address, headers=_token(0), timeout=300, trust_env=False)


def _token(number: int) -> dict[str, str]:
    """Return the header of one of the callers, none of whom may have all the streams."""
    return {"Authorization": f"Bearer token-of-caller-{number % CALLERS}"}


def load() -> None:
    """Print times, errors and memory: pages over a long history, searches at once and one after the other, and streams."""
    with tempfile.TemporaryDirectory() as name, serve(Path(name, "empty")) as empty:
        fresh = _time_pages(empty)
    with tempfile.TemporaryDirectory() as name:
        _fill_history(Path(name))
        with serve(Path(name)) as server:
            for page, seconds in _time_pages(server).items():
                ratio = seconds / fresh[page]
                print(
                    f"page /{page}: {seconds * 1000:.0f} ms with {CONVERSATIONS} conversations and {RUNS} runs, {ratio:.2f} of none"
                )
            _search_at_once(server)
            _search_on_and_on(server)
            _stream_at_once(server)


def run_pages(visitors: list[PageVisitor], during: Callable[[], None]) -> list[float]:
    """Return how long each page took that the visitors had drawn while *during* ran, each every other second on average.

    They pause as people do, not in step: exponentially distributed pauses, the same in every run.
    """
    over = threading.Event()

    def visit(number: int, visitor: PageVisitor) -> list[float]:
        taken, pauses = [], random.Random(number)
        while not over.wait(pauses.expovariate(1 / PAUSE_S)):
            taken.append(visitor.run())
        return taken

    with ThreadPoolExecutor(len(visitors)) as pool:
        visits = [pool.submit(visit, number, visitor) for number, visitor in enumerate(visitors)]
        try:
            during()
        finally:
            over.set()
        return [seconds for each in visits for seconds in each.result()]


def _search_at_once(server: Server) -> None:
    with server.client() as client, ThreadPoolExecutor(SESSIONS) as pool:
        numbers = count()
        answers = list(pool.map(lambda _: _search(client, next(numbers)), range(2 * SESSIONS)))
    _print_searches(f"{SESSIONS} searching at once", answers)


def _search_on_and_on(server: Server) -> None:
    sizes, answers = [], []
    with server.client() as client:
        for number in range(SEARCHES):
            answers.append(_search(client, number))
            if number in (SEARCHES // 10 - 1, SEARCHES - 1):
                sizes.append(server.process.memory_info().rss)
    _print_searches(f"{SEARCHES} one after the other", answers)
    print(
        f"  memory from the {SEARCHES // 10}th to the last: {(sizes[1] / sizes[0] - 1) * 100:+.1f} % of {sizes[0] >> 20} MB (bar 5 %)"
    )


def _search(client: httpx.Client, number: int) -> tuple[float, int]:
    begun = time.perf_counter()
    body = {"query": f"{QUESTIONS[number % len(QUESTIONS)]} {number}", "video_id": "sample-hbm"}
    status = client.post("/api/search", json=body).status_code
    return time.perf_counter() - begun, status


def _print_searches(name: str, answers: list[tuple[float, int]]) -> None:
    errors = sum(status != 200 for _, status in answers)
    print(f"{name}: {describe([seconds for seconds, _ in answers])}, {errors} errors")


def _stream_at_once(server: Server) -> None:
    """Print how long /healthz takes while so many ask for answers at once, and without."""
    with server.client() as client, server.client() as monitor:
        alone = [ask_health(monitor) for _ in range(50)]
        beside: list[float] = []
        with ThreadPoolExecutor(STREAMS) as pool:
            numbers = count()
            streams = [pool.submit(_stream, client, next(numbers)) for _ in range(STREAMS)]
            while not all(stream.done() for stream in streams):
                beside.append(ask_health(monitor))
        ends = Counter(stream.result() for stream in streams)
    p99, before = percentile(beside, 99) * 1000, percentile(alone, 99) * 1000
    print(f"/healthz beside {STREAMS} streams: p99 {p99:.0f} ms, {before:.0f} ms alone (bar 500 ms); streams: {dict(ends)}")


def _stream(client: httpx.Client, number: int) -> str:
    """Return how a stream ended; with too many answers under way one is refused before it begins."""
    body = {"query": f"{QUESTIONS[number % len(QUESTIONS)]} {number}", "video_id": "sample-hbm"}
    with client.stream("POST", "/api/chat", json=body, headers=_token(number)) as response:
        if response.status_code == 503 and "Retry-After" in response.headers:
            return "refused"
        return "whole" if any('"type": "done"' in line for line in response.iter_lines()) else "broken"


def ask_health(client: httpx.Client) -> float:
    begun = time.perf_counter()
    client.get("/healthz").raise_for_status()
    return time.perf_counter() - begun


def _time_pages(server: Server) -> dict[str, float]:
    """Return the seconds that each page takes to open."""
    taken: dict[str, list[float]] = {page: [] for page in PAGES}
    with PageVisitor(server.address) as first:
        first.run()  # loads what is slow
    for page in PAGES * ROUNDS:
        with PageVisitor(server.address) as visitor:
            taken[page].append(visitor.run(page))
    return {page: statistics.median(times[1:]) for page, times in taken.items()}


def _fill_history(folder: Path) -> None:
    now = datetime.now(UTC)
    with closing(Database(folder / FILE)) as database:
        conversations, runs = ConversationStore(database), ResearchStore(database)
        for number in range(CONVERSATIONS):
            entry = conversations.create("", VideoContext(title=f"영상 {number % 20}"), f"대화 {number}")
            asked = [
                Message(id=f"{number}-{place}", kind=MessageKind.QUESTION, text=QUESTIONS[place % 4] * 10, created_at=now)
                for place in range(8)
            ]
            conversations.put(entry.id, "", *asked)
        for number in range(RUNS):
            runs.create(ResearchRequest(question=f"{QUESTIONS[number % 4]} {number}", owner=""))
        with database.writing() as connection:
            connection.exec_driver_sql("UPDATE research_runs SET status = 'stopped', begun = 1")


@contextmanager
def serve(folder: Path, **more: str) -> Iterator[Server]:
    """Run the app with *more* in its environment."""
    port = free_port()
    model = {"OPENAI_BASE_URL": "", "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any"}
    tokens = ",".join(f"caller{number}:token-of-caller-{number}" for number in range(CALLERS))
    limits = {"API_TOKENS": tokens, "API_RATE_LIMIT": "100000/second", "PYTHONUNBUFFERED": "1"}
    with process(streamlit(port), "URL:", environment(folder, **{**model, **limits, **more})) as (server, _):
        yield Server(f"http://127.0.0.1:{port}", psutil.Process(server.pid))


def percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def describe(values: list[float]) -> str:
    return f"p50 {percentile(values, 50) * 1000:.0f} ms, p95 {percentile(values, 95) * 1000:.0f} ms"
