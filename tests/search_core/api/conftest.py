"""One server for many tests; each begins with scripts as they were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.search_core.answers.chat.scripted_chat import from_video, from_web
from tests.search_core.api.served import Served, served


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run one server without limits for the tests of a module."""
    with served(tmp_path_factory.mktemp("api"), api_rate_limit="") as server:
        yield server


@pytest.fixture
def server(shared: Served) -> Served:
    """Return the shared server with its scripts as at the beginning."""
    shared.answers.steps = from_video("2026년입니다.")
    shared.checks.steps = from_web("2026년에 양산한다 [1].")
    shared.answers.questions.clear()
    shared.checks.requests.clear()
    return shared
