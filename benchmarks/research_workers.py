"""Twenty runs over workers as the command line starts them, on a real PostgreSQL, followed by a process that works on none."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from benchmarks.research_runs import QUESTION, RUNS, at_once, core_in, followed, whole
from benchmarks.research_world import PARTS, SOURCES, PlayedWorld, critical_path_s, played_world
from tests.loopback.postgresql import PostgreSQLServer

ROOT = Path(__file__).parents[1]
AT_ONCE = 5
"""Runs one worker works on at the same time."""


@contextlib.contextmanager
def workers(count: int, world: PlayedWorld, database_url: str) -> Iterator[list[psutil.Process]]:
    """Start *count* workers with *world* for their web and model, and wait until they are ready."""
    common = {
        **{name.upper(): str(value) for name, value in world.settings.items()},
        "DATABASE_URL": database_url,
        "EMBEDDING_MODEL": "kiwi",
        "LIBRARY_SAMPLES": "false",
        "WEB_SEARCH_CACHE_TTL": "0",
        "MAX_SEARCH_RESULTS": str(SOURCES // len(PARTS)),
        "RESEARCH_RUNS_AT_ONCE": str(AT_ONCE),
    }
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as started:
        children = []
        for number in range(count):
            child = subprocess.Popen(
                [sys.executable, "-m", "search_core", "worker"],
                env={**os.environ, **common, "MAEKRAK_DATA_DIR": f"{folder}/{number}"},
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
            )  # fmt: skip
            started.callback(child.wait, 30)
            started.callback(child.terminate)
            children.append(child)
        for child in children:
            assert child.stdout is not None
            child.stdout.readline()
        yield [psutil.Process(child.pid) for child in children]


def research_workers() -> None:
    """Print how many runs a minute one worker ends and how many two do, the time of the slowest run, and their memory."""
    with played_world() as world, PostgreSQLServer() as server:
        for count in (1, 2):
            url = server.new_database()
            page = core_in(world, database_url=url, research_works_here=False)
            with workers(count, world, url) as processes, page as core:
                desk = core.research
                for _ in range(count):
                    followed(desk)
                own_s, worked_s = time.process_time(), _computed_s(processes)
                wall_s, ended = at_once(desk)
                own_s, worked_s = time.process_time() - own_s, _computed_s(processes) - worked_s
                mib = [process.memory_info().rss / 2**20 for process in processes]
            good = sum(whole(run) for _, run, _, _ in ended)
            events = sum(number for _, _, _, number in ended)
            print(
                f"{count} workers, {AT_ONCE} runs each at once: {good} of {RUNS} whole in {wall_s:.1f} s ({wall_s / critical_path_s(QUESTION):.1f} critical paths), "
                f"{RUNS / wall_s * 60:.0f} runs a minute, {events / wall_s:.0f} events a second through PostgreSQL; {max(mib):.0f} MiB a worker; "
                f"a run took {worked_s / RUNS:.2f} s of computing by workers, and {own_s / RUNS:.2f} s by the process that follows it"
            )


def _computed_s(processes: list[psutil.Process]) -> float:
    """Return the seconds of computing *processes* have had, those of their threads together."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)
