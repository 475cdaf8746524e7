"""Answers in Redis: whatever is wrong there is a miss."""

from __future__ import annotations

import logging
import time

import pytest

from search_core.domain import SearchStatus
from search_core.storage import RedisConnection, RedisReplyCache
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.clocks import Moment, Seconds
from tests.search_core.storage.replies import HIT, NOON

PREFIX = "maekrak:reply:1:"
BOUND_S = 20.0


@pytest.fixture
def cache(connection: RedisConnection) -> RedisReplyCache:
    return RedisReplyCache(connection, now=Moment(NOON))


def found(cache: RedisReplyCache, key: str) -> bool:
    """Put the answer under *key* and return whether it is found there."""
    cache.put(key, SearchStatus.SUCCESS, (HIT,), 60)
    reply = cache.get(key)
    return reply is not None and reply.results == (HIT,)


def test_a_row_expires_a_day_after_its_lifetime(cache: RedisReplyCache, connection: RedisConnection):
    """The row has one versioned prefix and expires in Redis a day after the lifetime of the answer; failures have none."""
    cache.put("failed", SearchStatus.TIMEOUT, (), 60)
    assert found(cache, "key")
    assert cache.get("other") is None
    assert connection.call(lambda redis: redis.keys("*")) == [b"maekrak:reply:1:key"]
    assert 86_400_000 < connection.call(lambda redis: redis.pttl(PREFIX + "key")) <= 86_460_000


def test_a_planted_value_is_a_miss(server: RedisServer, cache: RedisReplyCache, connection: RedisConnection):
    """Bytes that are no row, a list, and 50 MB of which at most a megabyte is fetched are misses; a good answer replaces them."""
    connection.call(lambda redis: redis.set(PREFIX + "bytes", b"no zlib"))
    connection.call(lambda redis: redis.lpush(PREFIX + "list", "x"))
    assert server.say("SETRANGE", f"{PREFIX}large", str((50 << 20) - 1), "x") == f":{50 << 20}"
    sent = connection.call(lambda redis: redis.info("stats"))["total_net_output_bytes"]
    for key in ("bytes", "list", "large"):
        assert cache.get(key) is None
    assert connection.call(lambda redis: redis.info("stats"))["total_net_output_bytes"] - sent < 2 << 20
    assert all(found(cache, key) for key in ("bytes", "list", "large"))


def test_a_full_and_a_silent_redis_are_a_miss(
    server: RedisServer, cache: RedisReplyCache, seconds: Seconds, caplog: pytest.LogCaptureFixture
):
    """Without room nothing is stored, in silence every call returns soon with nothing, each logged once; then all goes on."""
    assert found(cache, "key")
    server.say("CONFIG", "SET", "maxmemory", "1")
    assert not any(found(cache, "other") for _ in range(3))
    assert cache.get("key").results == (HIT,)
    server.say("CONFIG", "SET", "maxmemory", "0")
    assert found(cache, "other")
    server.pause()
    began = time.monotonic()
    assert not any(found(cache, "key") for _ in range(20))
    assert time.monotonic() - began < BOUND_S
    server.resume()
    seconds.at_s += 5.0
    assert cache.get("key").results == (HIT,)
    assert [(one.levelno, one.getMessage().rpartition(": ")[2]) for one in caplog.records] == [
        (logging.WARNING, "out of memory"),
        (logging.WARNING, "no answer in time"),
    ]
