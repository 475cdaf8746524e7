"""Shared by the tests of what is kept in Redis."""

from __future__ import annotations

import pytest

from tests.loopback.redis_server import RedisServer


@pytest.fixture
def server():
    """Run a Redis of its own for the test."""
    with RedisServer() as running:
        yield running
