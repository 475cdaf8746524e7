"""A Redis and empty databases for the tests of stores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from search_core.storage.database import Database
from search_core.storage.redis_connection import RedisConnection
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.clocks import Seconds

REDIS_TIMEOUT_S = 1.0
"""Four times the real one: a busy machine may take as long for a real answer."""


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


@pytest.fixture
def database(address: Path | str) -> Iterator[Database]:
    """Open an empty database of each kind for the test."""
    with closing(Database(address)) as opened:
        yield opened
