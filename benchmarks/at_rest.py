"""What the app costs while nobody asks anything: processor time with pages open, memory, open files and threads."""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psutil
from playwright.sync_api import Browser, Page, expect

from benchmarks.load import Server, serve
from benchmarks.searches import QUESTIONS
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.runs.run_service import REST_AFTER_S
from tests.browser.conftest import open_chromium
from tests.browser.played_app import ARTICLES, QUESTION, WEB, answer_honestly
from tests.browser.steps import ask, open_sample, research, search, wait_for_answer, wait_for_report
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.press import Press
from tests.loopback.world import World, pages

REST_S = 60.0
SETTLE_S = 5.0
"""Between the searches and what they have left."""
QUIET_PERCENT, QUIET_WITHIN_S = 5.0, 300.0
SEARCHES, AT_ONCE, EARLY = 1_000, 4, 200
"""All searches, how many callers ask them, and after how many of them the caches of bounded size are fuller."""
RESULTS = 30
PAGE_PERCENT = 0.5
GROWTH, MORE_FILES, MORE_THREADS = 1.05, 16, 8


class Taken(NamedTuple):
    """What the server holds with all its processes."""

    processes: int
    pss: int
    files: int
    threads: int

    def __str__(self) -> str:
        return f"{self.pss >> 20} MiB in {self.processes} processes, {self.files} open files, {self.threads} threads"


def play(stack: ExitStack) -> tuple[World, dict[str, str]]:
    """Return services that answer on this machine until *stack* ends, and the settings that lead to them, pages and a model."""
    world, press = stack.enter_context(World()), stack.enter_context(Press(ARTICLES))
    model = stack.enter_context(LanguageModelServer(answer_honestly))
    world.play_all(pages=press.hits())
    settings = {name.upper(): str(value) for name, value in world.settings().items()}
    settings |= {"EMBEDDING_MODEL": MODEL, "SEARCH_PROVIDERS": ",".join(("library", *WEB)), "SEARXNG_URL": ""}
    return world, settings | {"READING_ALLOW_PRIVATE": press.place, "OPENAI_BASE_URL": model.url}


def at_rest() -> None:
    """Print what the server takes of a core with no, one and five pages at rest, and what is left after a thousand searches."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        world, settings = play(stack)
        server = stack.enter_context(serve(Path(name), **settings))
        with server.client() as client:
            while _search(client, QUESTIONS[0])["scorer"] == "kiwi":
                time.sleep(1)
            _wait_until_quiet(server)
            _look_at_pages(server)
            world.play_all(pages=pages(RESULTS))
            _search_on_and_on(server, client)


def _look_at_pages(server: Server) -> None:
    with open_chromium() as browser:
        before, alone = _taken(server), _percent_of_core(server)
        print(f"no page: {alone:.2f} % of a core in {REST_S:.0f} s, {before}", flush=True)
        _open_search(browser, server)
        one = _percent_of_core(server)
        print(f"1 page at rest: {one:.2f} %, {one - alone:+.2f} for it (bar {PAGE_PERCENT}), {_taken(server)}", flush=True)
        for open_other in (_open_chat, _open_research, _open_health):
            open_other(browser, server)
        five = _percent_of_core(server)
        print(
            f"5 pages at rest: {five:.2f} %, {(five - alone) / 5:+.2f} for each (bar {PAGE_PERCENT}), {_taken(server)}",
            flush=True,
        )


def _open(browser: Browser, address: str) -> Page:
    page = browser.new_context(locale="ko-KR", reduced_motion="reduce").new_page()
    page.goto(address)
    return page


def _open_search(browser: Browser, server: Server) -> None:
    search(open_sample(_open(browser, server.address)), QUESTION)


def _open_chat(browser: Browser, server: Server) -> None:
    page = open_sample(_open(browser, server.address))
    ask(page, QUESTION)
    wait_for_answer(page)


def _open_research(browser: Browser, server: Server) -> None:
    page = open_sample(_open(browser, server.address))
    research(page, QUESTION)
    wait_for_report(page)


def _open_health(browser: Browser, server: Server) -> None:
    expect(_open(browser, f"{server.address}/health").locator(".st-key-timeline svg").first).to_be_visible()


def _search_on_and_on(server: Server, client: httpx.Client) -> None:
    """Print memory, files and threads at rest, after some searches and after all, with their bars."""
    taken = [_taken(server)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for numbers in (range(EARLY), range(EARLY, SEARCHES)):
            asked = [f"{QUESTIONS[number % len(QUESTIONS)]} {number}" for number in numbers]
            reports = list(pool.map(lambda text: _search(client, text, video_id="sample-hbm"), asked))
            assert all(report["results"] for report in reports)
            time.sleep(SETTLE_S)
            taken.append(_taken(server))
    before, early, late = taken
    for words, each in (("at rest", before), (f"after {EARLY} searches", early), (f"after {SEARCHES}", late)):
        print(f"{words}: {each}")
    print(f"memory from the {EARLY}th search to the last: {late.pss / early.pss:.3f} (bar {GROWTH})")
    print(
        f"open files {late.files - before.files:+d} (bar +{MORE_FILES}), threads {late.threads - before.threads:+d} (bar +{MORE_THREADS})"
    )


def _search(client: httpx.Client, text: str, **more: str) -> dict[str, Any]:
    response = client.post("/api/search", json={"query": text, **more})
    response.raise_for_status()
    report: dict[str, Any] = response.json()
    return report


def _tree(server: Server) -> list[psutil.Process]:
    return [server.process, *server.process.children(recursive=True)]


def _taken(server: Server) -> Taken:
    tree = _tree(server)
    files, threads = sum(each.num_fds() for each in tree), sum(each.num_threads() for each in tree)
    return Taken(len(tree), sum(each.memory_full_info().pss for each in tree), files, threads)


def _percent_of_core(server: Server) -> float:
    """Return the processor time of the server with all its processes while nothing is done, in percent of the time that passes."""
    time.sleep(REST_AFTER_S + SETTLE_S)
    begun, before = time.perf_counter(), _processor_s(server)
    time.sleep(REST_S)
    return 100 * (_processor_s(server) - before) / (time.perf_counter() - begun)


def _wait_until_quiet(server: Server) -> None:
    """Wait until what the first visit began is done, such as embedding the library, or for so long that it counts as rest."""
    until = time.monotonic() + QUIET_WITHIN_S
    share = 100.0
    while share > QUIET_PERCENT and time.monotonic() < until:
        before = _processor_s(server)
        time.sleep(SETTLE_S)
        share = 100 * (_processor_s(server) - before) / SETTLE_S


def _processor_s(server: Server) -> float:
    """Return the processor time of all processes, those that have ended included."""
    return sum(sum(each.cpu_times()[:4]) for each in _tree(server))
