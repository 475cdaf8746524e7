"""Deep research in a played world: its time against the critical path, its events, its memory, twenty runs at once."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.reference import note
from benchmarks.research_world import (
    FIRST_TOKEN_S,
    LETTERS_A_TOKEN,
    PARTS,
    SOURCES,
    TOKENS_A_SECOND,
    PlayedWorld,
    critical_path_s,
    plan_text,
    played_world,
)
from benchmarks.texts import video
from search_core.core import SearchCore
from search_core.domain.research import ResearchRequest, ResearchRun, ResearchStatus
from search_core.research.service import ResearchService
from search_core.settings import Settings

ROUNDS = 5
COLD_ROUNDS = 3
RUNS = 20
ABOUT = replace(video(), title=f"메모리 반도체의 {', '.join(PARTS)}")
"""What a talk alone says goes into no query: the words of the plan stand in its title."""
QUESTION = "메모리 반도체 시장은 어떻게 되나요?"


@contextmanager
def core_in(world: PlayedWorld, **changes: Any) -> Iterator[SearchCore]:
    """Give a warm core that researches in *world*."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = {
            "maekrak_data_dir": Path(folder), "embedding_model": "kiwi", "web_search_cache_ttl": 0,
            "max_search_results": SOURCES // len(PARTS),
        }  # fmt: skip
        core = SearchCore.from_settings(Settings(**{**world.settings, **chosen, **changes}))
        try:
            core.warm_up()  # with the sample documents, as an app as it comes
            core.wait_until_warm()
            core.research.open()
            yield core
        finally:
            core.close()


def followed(desk: ResearchService, question: str = QUESTION) -> tuple[float, ResearchRun, dict[str, float], int]:
    """Return the seconds a new run took, the run, when each of its stages began, and the number of its events."""
    began = time.perf_counter()
    run = desk.start(ResearchRequest(question=question, video=ABOUT))
    stages: dict[str, float] = {}
    count = 0
    for _, event in desk.events(run.id, ""):
        count += 1
        status = getattr(event, "status", None)
        name = str(status.value) if isinstance(status, ResearchStatus) else type(event).__name__
        stages.setdefault(name, time.perf_counter() - began)
    return time.perf_counter() - began, desk.get(run.id, ""), stages, count


def whole(run: ResearchRun) -> bool:
    """Tell whether a run read all there was and wrote a report of it."""
    return run.status is ResearchStatus.COMPLETE and sum(source.read for source in run.sources) == SOURCES and bool(run.by_model)


def walked_s(world: PlayedWorld) -> float:
    """Return the seconds a bare client takes for the critical path: a plan, one search, one page, a report, and nothing else."""
    settings = world.settings
    page = f"http://{settings['reading_allow_private'].split(',')[0]}/0"

    def say(client: httpx.Client, instructions: str) -> None:
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": QUESTION}]
        asked = {"model": "m", "stream": True, "messages": messages}
        with client.stream("POST", f"{settings['openai_base_url']}/chat/completions", json=asked) as answer:
            for _ in answer.iter_lines():
                pass

    with httpx.Client(timeout=60) as client:
        began = time.perf_counter()
        say(client, "You plan web research.")
        client.get(f"{settings['searxng_url']}/search", params={"q": PARTS[0]}).raise_for_status()
        client.get(page).raise_for_status()
        say(client, "You write.")
        return time.perf_counter() - began


def research() -> None:
    """Print the wall time of research against the critical path, first the first run of a warm process."""
    path_s = critical_path_s(QUESTION)
    with played_world() as world, core_in(world) as core:
        desk = core.research
        walked_s(world)  # who opens a video takes a moment to ask
        first_s, run, _, _ = followed(desk)
        assert whole(run), run.coverage
        rounds, bare, spent = [], [], []
        for _ in range(ROUNDS):  # in turn, so that a busy machine slows both
            computing_s = time.process_time()
            rounds.append(followed(desk))
            spent.append(time.process_time() - computing_s)
            bare.append(walked_s(world))
        assert all(whole(run) for _, run, _, _ in rounds)
        walls = [wall for wall, _, _, _ in rounds]
        _, _, stages, events = rounds[0]
        asked = world.counts()
    print(f"critical path (plan, one search, one page, report): {path_s:.2f} s; {SOURCES} pages in {len(PARTS)} searches")
    note("research, first run / critical path", first_s / path_s)
    note("research / critical path", statistics.median(walls) / path_s)
    print(f"first run of a warm process: {first_s:.2f} s = {first_s / path_s:.2f} of it")
    print(
        f"research: p50 {statistics.median(walls):.2f} s, max {max(walls):.2f} s = {statistics.median(walls) / path_s:.3f} of it; bar 1.08"
    )
    print("stages of one run began at: " + ", ".join(f"{name} {at:.2f} s" for name, at in stages.items()))
    print(f"{events} events a run; asked in {ROUNDS + 1} runs: {asked}")


def research_cold() -> None:
    """Print the time of ``python -m search_core research`` in a fresh process, from its first search to the end of its report."""
    path_s = critical_path_s(QUESTION) - FIRST_TOKEN_S - len(plan_text(QUESTION)) / LETTERS_A_TOKEN / TOKENS_A_SECOND
    rounds = []
    with played_world() as world:
        for _ in range(COLD_ROUNDS):  # each with a new folder: the samples, too, have yet to be put into the library
            with tempfile.TemporaryDirectory() as folder:
                rounds.append(_cold_stages(world, Path(folder)))
    walls = [stages["research_complete"] - stages["searching"] for stages in rounds]
    note("research as a command / critical path", statistics.median(walls) / path_s)
    print(f"critical path from search to report: {path_s:.2f} s")
    print(f"a cold command: p50 {statistics.median(walls):.2f} s = {statistics.median(walls) / path_s:.2f} of it; bar 1.15")
    stages = rounds[walls.index(statistics.median_low(walls))]
    print(
        "its stages began, after the start of the process, at: " + ", ".join(f"{name} {at:.2f} s" for name, at in stages.items())
    )


def _cold_stages(world: PlayedWorld, folder: Path) -> dict[str, float]:
    """Return when the first event of each kind, or status, was printed by a new process."""
    chosen = {
        **world.settings,
        "maekrak_data_dir": folder,
        "embedding_model": "kiwi",
        "max_search_results": SOURCES // len(PARTS),
    }
    environment = {**os.environ, **{name.upper(): str(value) for name, value in chosen.items()}}
    began = time.perf_counter()
    command = [sys.executable, "-m", "search_core", "research", QUESTION, "--json"]
    stages: dict[str, float] = {}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            name = event["data"]["status"] if event["event"] == "status" else event["event"]
            stages.setdefault(name, time.perf_counter() - began)
    assert process.returncode == 0, stages
    return stages


def at_once(desk: ResearchService) -> tuple[float, list[tuple[float, ResearchRun, dict[str, float], int]]]:
    """Return the seconds in which ``RUNS`` runs started together have ended, and what ``followed`` gives for each."""
    with ThreadPoolExecutor(RUNS) as followers:
        began = time.perf_counter()
        ended = list(followers.map(lambda number: followed(desk, f"{number}번째 {QUESTION}"), range(RUNS)))
        return time.perf_counter() - began, ended


def research_at_once() -> None:
    """Print twenty runs at once in one process: wall time, events per second, memory per run."""
    process = psutil.Process()
    with played_world() as world, core_in(world, research_runs_at_once=RUNS) as core:
        desk = core.research
        followed(desk)  # what the first run brings is no matter of how many follow
        gc.collect()
        before = _resident(process)
        peak = _Peak(process)
        wall_s, ended = at_once(desk)
        most = peak.end()
        gc.collect()
        after = _resident(process)
    good = sum(whole(run) for _, run, _, _ in ended)
    events = sum(count for _, _, _, count in ended)
    path_s = critical_path_s(QUESTION)
    print(
        f"{RUNS} runs at once: {good} whole, {wall_s:.1f} s = {wall_s / path_s:.2f} critical paths, {RUNS / wall_s * 60:.0f} runs a minute"
    )
    print(f"{events} events = {events / wall_s:.0f} a second, each kept and read by a follower")
    mib = 2**20
    print(
        f"memory with children: {before / mib:.0f} MiB before, at most {most / mib:.0f} MiB = {(most - before) / mib / RUNS:.1f} MiB a run under way; {(after - before) / mib / RUNS:.1f} MiB a run kept afterwards"
    )


def _resident(process: psutil.Process) -> int:
    """Return the bytes of *process* and of its children, the played world aside."""
    children = [child for child in process.children(recursive=True) if "extraction_worker" in " ".join(child.cmdline())]
    return sum(one.memory_info().rss for one in (process, *children))


class _Peak:
    """Looks at memory a few times a second until its end is asked for."""

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self._over = threading.Event()
        self._most = 0
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.1):
            self._most = max(self._most, _resident(self._process))

    def end(self) -> int:
        """Return the most there was, in bytes."""
        self._over.set()
        self._thread.join()
        return self._most
