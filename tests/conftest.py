"""Shared by all tests: no real network, no settings of this machine, a property profile that is the same everywhere."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.loopback.language_model import LanguageModelServer
    from tests.loopback.postgresql import PostgreSQLServer
    from tests.loopback.world import World

settings.register_profile("house", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("house")

BROWSER_LIMIT_S = 300
"""A browser test waits for pages, up to a minute for each on a machine with far too much to do."""
_real_connect = socket.socket.connect


def _loopback_only(self: socket.socket, address: object) -> None:
    if self.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
        try:
            allowed = ipaddress.ip_address(address[0].split("%")[0]).is_loopback
        except ValueError:
            allowed = address[0] == "localhost"
        if not allowed:
            raise ConnectionRefusedError(f"tests reach loopback only, not {address[0]}")
    _real_connect(self, address)


@pytest.fixture(scope="session", autouse=True)
def _only_loopback():
    """Refuse every connection that leaves this machine; a test that tries one fails instead of passing by luck."""
    socket.socket.connect = _loopback_only
    yield
    socket.socket.connect = _real_connect


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Keep keys and addresses of the developer's environment out of every test."""
    from search_core.settings import Settings

    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setitem(Settings.model_config, "env_file", None)
    monkeypatch.setenv("MAEKRAK_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQLServer]:
    """Run one PostgreSQL for all tests that do not kill it; each makes a schema or a database of its own in it."""
    from tests.loopback.postgresql import PostgreSQLServer

    with PostgreSQLServer() as server:
        yield server


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Play the search services for the tests of a module."""
    from tests.loopback.world import World

    with World() as world:
        yield world


@pytest.fixture(scope="module")
def model() -> Iterator[LanguageModelServer]:
    """Play a language model, which answers honestly unless told otherwise, for the tests of a module."""
    from tests.loopback.language_model import LanguageModelServer

    with LanguageModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one folder for all tests of a module."""
    return tmp_path_factory.mktemp("shared")


def pytest_configure() -> None:
    """Hear interrupts, and let what tests start hear them: a shell that starts tests in the background has both ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the measures of quality first and browser tests last, of these the largest file first, and give them more time.

    What takes minutes would keep one process busy after the others have ended if it were begun last. Playwright's loop stays
    running in its thread, and other tests start loops of their own there. A test that fails is tried once more, for thousands
    share two cores with Chromium and four databases; the second try is in the summary (R), and what fails twice has failed.
    """
    sizes = Counter(item.path for item in items)
    for item in items:
        item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("browser") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(BROWSER_LIMIT_S))

    def order(item: pytest.Item) -> tuple[bool, bool, int]:
        in_browser = item.get_closest_marker("browser") is not None
        return in_browser, item.get_closest_marker("quality") is None, -sizes[item.path] if in_browser else 0

    items.sort(key=order)


def required_in_ci(reason: str) -> None:
    """Skip the test for *reason*, or fail it where CI must not skip."""
    if os.environ.get("CI"):
        pytest.fail(f"CI must not skip this test: {reason}")
    pytest.skip(reason)
