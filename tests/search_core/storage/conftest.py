"""Servers, empty databases and empty libraries for the tests of stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from search_core.storage import Database, Library, LibraryIndex, RedisConnection, SharedLibraryIndex
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.clocks import Seconds

REDIS_TIMEOUT_S = 1.0
"""Four times the real one: a busy machine may take as long for a real answer."""
PATIENCE_S = 60.0


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Run one Redis for all tests."""
    with RedisServer() as running:
        yield running


@pytest.fixture
def server(redis_server: RedisServer) -> Iterator[RedisServer]:
    """Return a Redis that runs, is empty and has room; the test may pause, fill or kill it."""
    yield redis_server
    try:
        redis_server.resume()
    except RuntimeError:  # the test has killed it
        redis_server.start()
    redis_server.say("CONFIG", "SET", "maxmemory", "0")
    redis_server.say("FLUSHALL")


@pytest.fixture
def seconds() -> Seconds:
    """Return the clock of ``connection``."""
    return Seconds()


@pytest.fixture
def connection(server: RedisServer, seconds: Seconds) -> Iterator[RedisConnection]:
    """Connect to the Redis with a pause of five seconds after a failure."""
    opened = RedisConnection(SecretStr(server.url), timeout_s=REDIS_TIMEOUT_S, monotonic=seconds)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Name an empty database of each kind."""
    if request.param == "sqlite":
        return tmp_path / "data" / "maekrak.sqlite"
    return request.getfixturevalue("postgresql").new_schema()


@pytest.fixture
def database(address: Path | str) -> Iterator[Database]:
    """Open an empty database of each kind for the test."""
    with closing(Database(address)) as opened:
        yield opened


@pytest.fixture
def open_library(address: Path | str, tmp_path: Path) -> Iterator[Callable[[], Library]]:
    """Return what opens one library, of each kind, over connections of its own each time, as other processes do."""
    with ExitStack() as opened:

        def open_one() -> Library:
            if isinstance(address, Path):
                return opened.enter_context(closing(LibraryIndex(tmp_path / "library.sqlite")))
            database = opened.enter_context(closing(Database(address)))
            return opened.enter_context(closing(SharedLibraryIndex(database, count_patience_s=PATIENCE_S)))

        yield open_one


@pytest.fixture
def library(open_library: Callable[[], Library]) -> Library:
    """Open an empty library of each kind for the test."""
    return open_library()


@pytest.fixture
def library_file(tmp_path: Path) -> Iterator[LibraryIndex]:
    """Open an empty library in the file ``library.sqlite`` for the test."""
    with closing(LibraryIndex(tmp_path / "library.sqlite")) as opened:
        yield opened
