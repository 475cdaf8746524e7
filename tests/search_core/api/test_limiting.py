"""How requests are counted, alone and together with other processes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from limits import parse
from pydantic import SecretStr

from search_core.api.guard import REDIS_PAUSE_S, RateLimits, redis_connections
from tests.loopback.redis_server import RedisServer

THREE = parse("3/hour")


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    """Run one Redis for all tests."""
    with RedisServer(password="planted-pass") as server:
        yield server


async def counted(limits: RateLimits, key: str, times: int) -> list[bool]:
    """Count *times* requests of *key* and return which of them were within three in an hour."""
    return [await limits.wait_s(THREE, key) == 0 for _ in range(times)]


@asynccontextmanager
async def limiting(url: str, **more: Any) -> AsyncIterator[RateLimits]:
    """Lend limits whose connections end with the block."""
    connections = redis_connections(SecretStr(url))
    assert connections is not None
    try:
        yield RateLimits(connections, **more)
    finally:
        await connections.aclose()


def test_processes_count_together_in_redis(redis: RedisServer):
    """Two processes with one Redis let a caller have one limit, not two."""

    async def work() -> None:
        async with limiting(redis.url) as first, limiting(redis.url) as second:
            assert await counted(first, "together", 2) == [True, True]
            assert await counted(second, "together", 2) == [True, False]

    asyncio.run(work())


def test_without_redis_the_limit_stands(redis: RedisServer, caplog: pytest.LogCaptureFixture):
    """A Redis that falls silent opens nothing: each process counts for itself, says so once, and comes back."""
    clock = [0.0]

    async def work() -> None:
        async with limiting(redis.url, monotonic=lambda: clock[0]) as limits, limiting(redis.url) as other:
            assert await counted(limits, "down", 1) == [True]
            redis.pause()
            try:
                assert await counted(limits, "down", 4) == [True, True, True, False]
                clock[0] = REDIS_PAUSE_S
                assert await counted(limits, "down", 1) == [False]
            finally:
                redis.resume()
            clock[0] = 2 * REDIS_PAUSE_S
            assert await counted(limits, "again", 1) == [True]
            assert await counted(other, "again", 3) == [True, True, False]

    with caplog.at_level(logging.WARNING):
        asyncio.run(work())
    said = [record.getMessage() for record in caplog.records if record.name == "search_core.api.guard"]
    assert len(said) == 1
    assert "planted-pass" not in caplog.text
