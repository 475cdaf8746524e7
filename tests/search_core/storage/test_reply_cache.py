"""Answers stored on disk and in Redis: whatever is wrong there is a miss."""

from __future__ import annotations

import json
import logging
import pickle
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.domain.reply import SearchStatus, StoredReply
from search_core.domain.result import SearchResult
from search_core.storage.redis_connection import RedisConnection
from search_core.storage.reply_cache import MAX_STORED_BYTES, PREFIX, DiskReplyCache, RedisReplyCache, decode_reply, encode_reply
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.conftest import Seconds

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HIT = SearchResult(
    title="HBM4 표준 발표",
    url="https://example.org/hbm4",
    snippet="폭이 2048비트로 늘었다.",
    source="example.org",
    publish_date=datetime(2025, 4, 16, tzinfo=UTC),
    language="ko",
    providers=("wikipedia",),
    ranks=(("wikipedia", 1),),
)
REPLY = StoredReply(status=SearchStatus.SUCCESS, results=(HIT,), stored_at=NOON)
GOOD_HIT = {"title": "t", "url": "https://example.org/", "snippet": "", "source": ""}


def record(**changes: object) -> bytes:
    """Return a record of an answer with *changes*, as an attacker would write it."""
    good = {"status": "success", "stored_at": "2026-11-20T12:00:00Z", "results": [GOOD_HIT]}
    return json.dumps(good | changes).encode()


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return (open, (self.path, "w"))


BOUND_S = 20.0
DAY_S = 86_400.0


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """Return the folder of ``cache``, which is not there yet."""
    return tmp_path / "replies"


@pytest.fixture
def cache(replies: Path) -> Iterator[DiskReplyCache]:
    """Open an empty cache on disk."""
    with closing(DiskReplyCache(replies)) as opened:
        yield opened


def found(cache: DiskReplyCache | RedisReplyCache, key: str = "key") -> bool:
    """Put the answer under *key* and return whether it is found there."""
    cache.put(key, REPLY, DAY_S)
    return cache.get(key) == REPLY


def test_an_answer_is_one_row_under_its_key(replies: Path, cache: DiskReplyCache):
    """A second cache has the answers of the first, under their own keys only, while they last; the row is JSON."""
    cache.put("key", REPLY, DAY_S)
    cache.put("gone", REPLY, 0)
    cache.close()
    with closing(DiskReplyCache(replies)) as second:
        assert [second.get(key) for key in ("key", "Key", "gone")] == [REPLY, None, None]
    with closing(sqlite3.connect(replies / "cache.db")) as connection:
        (value,) = connection.execute("SELECT value FROM entries WHERE key = ?", (b"key",)).fetchone()
    assert json.loads(value)["results"][0]["title"] == "HBM4 표준 발표"


def test_what_cannot_be_written_is_an_error(cache: DiskReplyCache):
    """A lone surrogate and an answer too large to be read again are refused."""
    for title in ("\ud800", "x" * MAX_STORED_BYTES):
        with pytest.raises(ValueError, match=r"surrogate|too large"):
            cache.put("bad", replace(REPLY, results=(replace(HIT, title=title),)), DAY_S)
    assert cache.get("bad") is None


def test_planted_rows_are_misses_and_do_nothing(
    tmp_path: Path, replies: Path, cache: DiskReplyCache, caplog: pytest.LogCaptureFixture
):
    """No pickle runs, a row that no cache writes is a miss and not logged; the cache's own are read, and replace it."""
    planted = {"pickle": pickle.dumps(Bomb(tmp_path / "ran")), "large": bytes(2 << 20), "text": "text", "number": 7}
    planted |= {"late": record(status="timeout"), "odd": record(status="a secret question"), "cut": encode_reply(REPLY)[:-1]}
    planted["script"] = record(results=[GOOD_HIT | {"url": "javascript:alert(1)"}])
    assert decode_reply(record()).stored_at == NOON
    assert found(cache)
    cache.close()
    with closing(sqlite3.connect(replies / "cache.db")) as connection, connection:
        rows = [(key.encode(), row) for key, row in planted.items()]
        connection.executemany("INSERT INTO entries (key, value) VALUES (?, ?)", rows)
    assert [key for key in planted if cache.get(key) is not None] == []
    assert cache.get("key") == REPLY
    assert all(found(cache, key) for key in planted)
    assert not (tmp_path / "ran").exists()
    assert "secret" not in caplog.text


def test_a_locked_file_is_a_miss(replies: Path, cache: DiskReplyCache):
    """While another process holds the file no call waits long and nothing is found; afterwards answers are stored again."""
    assert found(cache)
    with closing(sqlite3.connect(replies / "cache.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        busy = DiskReplyCache(replies)
        began = time.monotonic()
        busy.put("other", REPLY, DAY_S)
        assert busy.get("other") is None
        assert time.monotonic() - began < BOUND_S
    busy.close()
    assert found(cache, "after")


def test_a_damaged_file_is_a_miss_and_named_once(replies: Path, cache: DiskReplyCache, caplog: pytest.LogCaptureFixture):
    """A damaged file stays as it is and counts as empty, and the log says once that it can be deleted."""
    replies.mkdir()
    (replies / "cache.db").write_bytes(b"garbage" * 2000)
    assert [found(cache) for _ in range(3)] == [False] * 3
    assert (replies / "cache.db").read_bytes() == b"garbage" * 2000
    (told,) = caplog.messages
    assert "cache.db" in told
    assert "deleted" in told


@pytest.fixture
def redis_cache(connection: RedisConnection) -> RedisReplyCache:
    return RedisReplyCache(connection)


def test_redis_holds_the_same_record(redis_cache: RedisReplyCache, connection: RedisConnection):
    """It has one versioned prefix and expires in Redis by itself."""
    assert found(redis_cache, "key")
    assert redis_cache.get("other") is None
    assert connection.call(lambda redis: redis.keys("*")) == [b"maekrak:reply:2:key"]
    assert connection.call(lambda redis: redis.get(PREFIX + "key")) == encode_reply(REPLY)
    assert 0 < connection.call(lambda redis: redis.pttl(PREFIX + "key")) <= 86_400_000


def test_a_planted_value_is_a_miss(server: RedisServer, redis_cache: RedisReplyCache, connection: RedisConnection):
    """Bytes that are no record, a list, and 50 MB of which a megabyte is fetched are misses; a good answer replaces them."""
    connection.call(lambda redis: redis.set(PREFIX + "bytes", b"no json"))
    connection.call(lambda redis: redis.lpush(PREFIX + "list", "x"))
    assert server.say("SETRANGE", f"{PREFIX}large", str((50 << 20) - 1), "x") == 50 << 20
    sent = connection.call(lambda redis: redis.info("stats"))["total_net_output_bytes"]
    for key in ("bytes", "list", "large"):
        assert redis_cache.get(key) is None
    assert connection.call(lambda redis: redis.info("stats"))["total_net_output_bytes"] - sent < 2 << 20
    assert all(found(redis_cache, key) for key in ("bytes", "list", "large"))


def test_a_full_and_a_silent_redis_are_a_miss(
    server: RedisServer, redis_cache: RedisReplyCache, seconds: Seconds, caplog: pytest.LogCaptureFixture
):
    """Without room nothing is stored, in silence every call returns soon with nothing, each logged once; then all goes on."""
    assert found(redis_cache, "key")
    server.say("CONFIG", "SET", "maxmemory", "1")
    assert not any(found(redis_cache, "other") for _ in range(3))
    assert redis_cache.get("key") == REPLY
    server.say("CONFIG", "SET", "maxmemory", "0")
    assert found(redis_cache, "other")
    server.pause()
    began = time.monotonic()
    assert not any(found(redis_cache, "key") for _ in range(20))
    assert time.monotonic() - began < BOUND_S
    server.resume()
    seconds.at_s += 5.0
    assert redis_cache.get("key") == REPLY
    assert [(one.levelno, one.getMessage().rpartition(": ")[2]) for one in caplog.records] == [
        (logging.WARNING, "out of memory"),
        (logging.WARNING, "no answer in time"),
    ]
