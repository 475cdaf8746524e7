"""Shared by the tests of what is kept in Redis and in the database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.storage import Database
from tests.loopback.redis_server import RedisServer


@pytest.fixture
def server():
    """Run a Redis of its own for the test."""
    with RedisServer() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Name an empty database of each kind."""
    if request.param == "sqlite":
        return tmp_path / "data" / "maekrak.sqlite"
    return request.getfixturevalue("postgresql").new_schema()


@pytest.fixture
def database(address: Path | str) -> Iterator[Database]:
    """Open an empty database of each kind for the test."""
    opened = Database(address)
    yield opened
    opened.close()
