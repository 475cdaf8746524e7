"""A Redis, empty databases, and clocks that go on only when a test moves them, for the tests of stores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from search_core.storage.database import Database
from search_core.storage.redis_connection import RedisConnection
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.sample_records import NOON

REDIS_TIMEOUT_S = 1.0
"""Four times the real one: a busy machine may take as long for a real answer."""


class Seconds:
    """Counts seconds from a beginning, as ``time.monotonic`` does."""

    def __init__(self, at_s: float = 0.0) -> None:
        self.at_s = at_s

    def __call__(self) -> float:
        return self.at_s


class Moment:
    """Returns a date and time; each call may take *step* of it."""

    def __init__(self, now: datetime = NOON, step: timedelta = timedelta(0)) -> None:
        self.now = now
        self.step = step

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now

    def advance(self, **units: float) -> None:
        self.now += timedelta(**units)


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
