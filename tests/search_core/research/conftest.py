from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.research.service import ResearchService
from tests.loopback.language_model import LanguageModelServer
from tests.search_core.research.acting import Actors, open_research

RUNS_AT_ONCE, FETCHES_AT_ONCE = 2, 4


@pytest.fixture(scope="module")
def actors() -> Actors:
    """Return the actors of a module."""
    return Actors()


@pytest.fixture(scope="module")
def module_service(actors: Actors, folder: Path) -> Iterator[ResearchService]:
    """Yield one service for all tests of a module: launching its engine takes longer than most runs."""
    parts = actors.parts(runs_at_once=RUNS_AT_ONCE, fetches_at_once=FETCHES_AT_ONCE)
    with open_research(folder / "maekrak.sqlite", parts) as service:
        yield service


@pytest.fixture
def service(module_service: ResearchService, actors: Actors) -> Iterator[ResearchService]:
    """Yield the service of the module, its actors reset, and release what a test still holds."""
    actors.reset()
    yield module_service
    actors.release(*actors.holds)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Return an empty file for the calls of actors in several processes."""
    path = tmp_path / "journal"
    path.touch()
    return path


@pytest.fixture(scope="module")
def server(model: LanguageModelServer) -> LanguageModelServer:
    """Return the played language model of a module, for files in which ``model`` is its client."""
    return model
