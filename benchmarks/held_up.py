"""What twenty visitors wait for beside each input just under the limits, and without any: a rerun of a page, and ``/healthz``."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.load import PAGES, PAUSE_S, VISITORS, Server, ask_health, describe, percentile, run_pages, serve
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import FILE, Database
from tests.hostile.long_videos import CUES, long_video, subtitles
from tests.loopback.page_visitor import PageVisitor

LEAST_S = 15.0
"""For each input; what ends sooner is done again."""
READ_S = 120.0
HEALTH_EVERY_S = 0.1
VIDEO_ID, CALLER = "just-under", "caller0"
QUESTION = {"query": "그 회사는 왜 메모리 대역폭을 늘리나요?", "video_id": VIDEO_ID}
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "search": ("/api/search", QUESTION),
    "chat": ("/api/chat", QUESTION),
    "claims": ("/api/claims", {"video_id": VIDEO_ID, "dry_run": True}),
    "research": ("/api/research", QUESTION),
}


def held_up() -> None:
    """Print the times of reruns and of ``/healthz`` beside each input, and how often those without it that is."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        with closing(Database(folder / FILE)) as database:
            ConversationStore(database).create(CALLER, replace(long_video(), video_id=VIDEO_ID))
        server = stack.enter_context(serve(folder))
        visitors = [stack.enter_context(PageVisitor(server.address)) for _ in range(VISITORS)]
        for visitor in visitors:
            visitor.run()
        before = _beside(server, visitors, lambda: time.sleep(LEAST_S))
        print(f"alone: reruns {describe(before[0])}; /healthz {describe(before[1])}", flush=True)
        stranger = stack.enter_context(PageVisitor(server.address))
        stranger.run()
        inputs: dict[str, Callable[[], object]] = {
            "file handed in": lambda: _hand_in(stranger),
            "pages about it": lambda: [stranger.run(page) for page in PAGES],
            **{what: lambda path=path, body=body: _ask(server, path, body) for what, (path, body) in ASKED.items()},
        }
        for what, give in inputs.items():
            reruns, healths = _beside(server, visitors, lambda give=give: _again(give))
            ratio = percentile(reruns, 95) / percentile(before[0], 95)
            print(f"{what}: reruns {describe(reruns)}, p95 {ratio:.2f} of alone; /healthz {describe(healths)}", flush=True)
    print("  bars on an idle machine: p95 of a rerun 500 ms, /healthz 200 ms")


def _beside(server: Server, visitors: list[PageVisitor], during: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Return how long reruns and requests for the health took while *during* ran."""
    over, healths = threading.Event(), list[float]()

    def ask() -> None:
        with server.client() as client:
            while not over.wait(HEALTH_EVERY_S):
                healths.append(ask_health(client))

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        return run_pages(visitors, during), healths
    finally:
        over.set()
        asking.join()


def _again(give: Callable[[], object]) -> None:
    begun = time.monotonic()
    while time.monotonic() - begun < LEAST_S:
        give()


def _hand_in(stranger: PageVisitor) -> None:
    """Upload a file of as many captions as are taken, and look at the page until it is open."""
    data, name = subtitles(CUES), f"file{time.monotonic_ns()}"
    stranger.run()
    assert stranger.upload(name, data) == 204
    stranger.run("", (name, f"{name}.vtt", len(data)))
    for _ in range(int(READ_S / PAUSE_S)):
        if stranger.shows(name):  # the title of the video, now that it is open
            return
        time.sleep(PAUSE_S)
        stranger.run()
    raise TimeoutError("The file was not opened.")


def _ask(server: Server, path: str, body: dict[str, Any]) -> None:
    with server.client() as client:
        client.post(path, json=body).raise_for_status()
