"""Workers as the command line starts them, each with a data folder of its own, as on machines of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain.research import ResearchRequest, ResearchStatus
from search_core.settings import Settings
from tests.loopback.postgresql import PostgreSQLServer
from tests.loopback.world import World
from tests.search_core.research.acting import ended

ROOT = Path(__file__).parents[3]
PATIENCE_S = 120


@pytest.fixture
def shared(postgresql: PostgreSQLServer, world: World) -> dict[str, str]:
    """Return the settings that all processes have; the library finds something, the web nothing."""
    world.reset(failure="nothing")
    return {
        "DATABASE_URL": postgresql.new_database(),
        "SEARCH_PROVIDERS": "library,searxng",
        "SEARXNG_URL": str(world.settings()["searxng_url"]),
        "LIBRARY_SAMPLES": "false",
        "EMBEDDING_MODEL": "kiwi",
    }


@pytest.fixture
def page(shared: dict[str, str], documents: Path, tmp_path: Path) -> Iterator[SearchCore]:
    """Return the core of a process of pages, which works on no run; it has filled the library."""
    given: dict[str, Any] = {name.lower(): value for name, value in shared.items()}
    own = {"maekrak_data_dir": tmp_path / "page", "research_works_here": False, "research_runs_at_once": 1}
    settings = Settings(**{**given, **own})
    with closing(SearchCore.from_settings(settings)) as core:
        assert core.index([documents]).added == 1
        yield core


@pytest.fixture
def worker(shared: dict[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start ``python -m search_core worker``; it does not outlive the test."""
    with subprocess.Popen(
        [sys.executable, "-m", "search_core", "worker"],
        env={**os.environ, **shared, "MAEKRAK_DATA_DIR": str(tmp_path / "worker")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        yield process
        process.kill()


def test_a_worker_ends_the_runs_of_pages(page: SearchCore, worker: subprocess.Popen[str]):
    """It says that it waits, ends a run, and itself when it is told to; its log holds nothing of what was asked."""
    assert "기다리고" in worker.stdout.readline()
    run = ended(page.research, page.research.start(ResearchRequest(question="김치찌개에 무엇을 넣나요?")).id)
    assert (run.status, "돼지고기를 넣고 끓인다.” " in run.report) == (ResearchStatus.COMPLETE, True)
    worker.send_signal(signal.SIGTERM)
    _, log = worker.communicate(timeout=PATIENCE_S)
    assert (worker.returncode, "Traceback" in log) == (0, False)
    assert log.count("A run (research) has ended: complete") == 1
    assert "김치찌개" not in log
