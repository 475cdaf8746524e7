from __future__ import annotations

import json
import logging
import pickle
import resource
import time
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from search_core.domain import SearchResult, SearchStatus
from search_core.storage import RedisConnection, RedisReplyCache
from tests.loopback.redis_server import RedisServer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
PREFIX = "maekrak:reply:1:"
BOUND_S = 20.0
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


class Clock:
    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class Ticks:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return (open, (self.path, "w"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture
def connection(server: RedisServer, ticks: Ticks):
    way = RedisConnection(SecretStr(server.url), timeout_s=1.0, pause_s=5.0, monotonic=ticks)
    yield way
    way.close()


@pytest.fixture
def cache(connection: RedisConnection, clock: Clock) -> RedisReplyCache:
    return RedisReplyCache(connection, now=clock)


def plant(connection: RedisConnection, value: bytes | str, key: str = "planted") -> None:
    connection.call(lambda redis: redis.set(PREFIX + key, value))


def test_an_answer_comes_back_the_same(cache: RedisReplyCache):
    """An answer within its lifetime is what was kept, field by field."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    found = cache.get("key")
    assert found is not None
    assert (found.status, found.results, found.stored_at, found.fresh) == (SearchStatus.SUCCESS, (HIT,), NOON, True)
    cache.put("none", SearchStatus.NO_RESULTS, (), 60)
    assert (cache.get("none").status, cache.get("none").results) == (SearchStatus.NO_RESULTS, ())
    assert cache.get("other") is None


def test_an_answer_past_its_time_is_stale_for_a_day(cache: RedisReplyCache, clock: Clock):
    """Past its lifetime an answer may stand in for 24 hours, then it is gone."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    clock.now = NOON + timedelta(seconds=59)
    assert cache.get("key").fresh
    clock.now = NOON + timedelta(seconds=60)
    assert not cache.get("key").fresh
    clock.now = NOON + timedelta(seconds=59, hours=24)
    assert not cache.get("key").fresh
    clock.now = NOON + timedelta(seconds=60, hours=24)
    assert cache.get("key") is None


def test_redis_forgets_by_itself(cache: RedisReplyCache, connection: RedisConnection):
    """The row expires in Redis a day after the lifetime of the answer."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    left_ms = connection.call(lambda redis: redis.pttl(PREFIX + "key"))
    assert 86_400_000 < left_ms <= 86_460_000


def test_what_is_kept_is_compressed_json(cache: RedisReplyCache, connection: RedisConnection):
    """The row is JSON under zlib beneath one versioned prefix, the form the disk has too."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert connection.call(lambda redis: redis.keys("*")) == [b"maekrak:reply:1:key"]
    row = json.loads(zlib.decompress(connection.call(lambda redis: redis.get(PREFIX + "key"))))
    assert (row["format"], row["status"], row["results"][0]["title"]) == (1, "success", "HBM4 표준 발표")
    assert (row["stored_at"], row["fresh_until"]) == ("2026-11-20T12:00:00Z", "2026-11-20T12:01:00Z")


@pytest.mark.parametrize("status", [one for one in SearchStatus if not one.answered])
def test_failures_are_not_kept(cache: RedisReplyCache, connection: RedisConnection, status: SearchStatus):
    """Only readable answers reach Redis."""
    cache.put("key", status, (), 60)
    assert connection.call(lambda redis: redis.dbsize()) == 0


GOOD_HIT = {
    "title": "t",
    "url": "https://example.org/",
    "snippet": "",
    "source": "",
    "publish_date": None,
    "language": "",
    "providers": [],
    "ranks": [],
}
GOOD_ROW = {
    "format": 1,
    "status": "success",
    "stored_at": "2026-11-20T12:00:00Z",
    "fresh_until": "2026-11-20T13:00:00Z",
    "results": [GOOD_HIT],
}


def packed(**changes: object) -> bytes:
    return zlib.compress(json.dumps(GOOD_ROW | changes).encode())


def test_a_good_row_is_believed(cache: RedisReplyCache, connection: RedisConnection):
    """The row that the next test spoils is read when nothing is wrong with it."""
    plant(connection, packed())
    assert cache.get("planted").results[0].url == "https://example.org/"


@pytest.mark.parametrize(
    "value",
    [
        b"no zlib",
        b"!!python/object/apply:os.system ['true']",
        zlib.compress(b"!!python/object/apply:os.system ['true']"),
        zlib.compress(b"[]"),
        zlib.compress(b"\xff\xfe"),
        packed(format=2),
        packed(status="timeout"),
        packed(stored_at="2026-11-20T12:00:00", fresh_until="2026-11-20T13:00:00"),
        packed(stored_at="0001-01-01T00:00:00+12:00", fresh_until="0001-01-01T00:00:00+12:00"),
        packed(stored_at="2027-11-20T12:00:00Z", fresh_until="2027-11-20T13:00:00Z"),
        packed(results=[GOOD_HIT | {"url": "javascript:alert(1)"}]),
        packed(results=[GOOD_HIT | {"url": "file:///etc/passwd"}]),
        packed(results=[GOOD_HIT | {"url": "http://[::1"}]),
        packed(results=[GOOD_HIT | {"publish_date": "2026-11-20T12:00:00"}]),
        packed()[:-3],
        zlib.compress(b" " * (50 << 20)),
    ],
)
def test_a_bad_row_is_a_miss(cache: RedisReplyCache, connection: RedisConnection, value: bytes):
    """A row that was not written by the cache is a miss, and a good answer replaces it."""
    plant(connection, value)
    assert cache.get("planted") is None
    cache.put("planted", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("planted").results == (HIT,)


def test_the_end_of_the_calendar_is_no_error(cache: RedisReplyCache, connection: RedisConnection):
    """A lifetime until the last day that can be written is read, and nothing overflows."""
    plant(connection, packed(fresh_until="9999-12-31T23:59:59-12:00"))
    assert cache.get("planted").fresh


@pytest.mark.parametrize("squeezed", [False, True])
def test_a_planted_pickle_does_not_run(tmp_path: Path, cache: RedisReplyCache, connection: RedisConnection, squeezed: bool):
    """A pickle under the key, plain or compressed, is a miss and its code stays asleep."""
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    plant(connection, zlib.compress(bomb) if squeezed else bomb)
    assert cache.get("planted") is None
    assert not (tmp_path / "ran").exists()


def test_fifty_megabytes_are_not_loaded(server: RedisServer, cache: RedisReplyCache, connection: RedisConnection):
    """Of a value of 50 MB no more than a megabyte is fetched, and it is a miss."""
    assert server.say("SETRANGE", f"{PREFIX}planted", str((50 << 20) - 1), "x") == f":{50 << 20}"
    assert connection.call(lambda redis: redis.strlen(PREFIX + "planted")) == 50 << 20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sent = connection.call(lambda redis: redis.info("stats"))["total_net_output_bytes"]
    assert cache.get("planted") is None
    assert connection.call(lambda redis: redis.info("stats"))["total_net_output_bytes"] - sent < 2 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 << 10


def test_a_key_of_another_kind_is_a_miss(cache: RedisReplyCache, connection: RedisConnection):
    """A list under the key is a miss; a good answer replaces it."""
    connection.call(lambda redis: redis.lpush(PREFIX + "planted", "x"))
    assert cache.get("planted") is None
    cache.put("planted", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("planted").results == (HIT,)


def test_too_much_and_no_unicode_are_not_kept(cache: RedisReplyCache, connection: RedisConnection):
    """An answer too large to be kept, or with a lone surrogate in it, is just not kept."""
    large = tuple(SearchResult(title="x" * 200_000, url="https://example.org/", snippet="", source="") for _ in range(50))
    cache.put("large", SearchStatus.SUCCESS, large, 60)
    bad = SearchResult(title="\ud800", url="https://example.org/", snippet="", source="")
    cache.put("bad", SearchStatus.SUCCESS, (bad,), 60)
    assert connection.call(lambda redis: redis.dbsize()) == 0


def test_a_full_redis_is_a_miss(server: RedisServer, cache: RedisReplyCache, caplog: pytest.LogCaptureFixture):
    """A Redis without room keeps nothing and says so once; what it has is still found, and with room again it keeps."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert server.say("CONFIG", "SET", "maxmemory", "1") == "+OK"
    for _ in range(3):
        cache.put("other", SearchStatus.SUCCESS, (HIT,), 60)
        assert cache.get("other") is None
    assert cache.get("key").results == (HIT,)
    assert [one.getMessage().rpartition(": ")[2] for one in caplog.records] == ["out of memory"]
    assert server.say("CONFIG", "SET", "maxmemory", "0") == "+OK"
    cache.put("other", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("other").results == (HIT,)


def test_a_silent_redis_is_a_miss(server: RedisServer, cache: RedisReplyCache, ticks: Ticks, caplog: pytest.LogCaptureFixture):
    """While Redis is paused every call comes back soon with nothing, is logged once, and afterwards answers are found again."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    server.pause()
    began = time.monotonic()
    for _ in range(20):
        assert cache.get("key") is None
        cache.put("other", SearchStatus.SUCCESS, (HIT,), 60)
    assert time.monotonic() - began < BOUND_S
    assert [one.levelno for one in caplog.records] == [logging.WARNING]
    server.resume()
    ticks.seconds += 5.0
    assert cache.get("key").results == (HIT,)


def test_a_dead_redis_is_a_miss(server: RedisServer, cache: RedisReplyCache, ticks: Ticks):
    """Killed and started again, Redis is empty, and answers are kept anew."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    server.kill()
    assert cache.get("key") is None
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    server.start()
    ticks.seconds += 5.0
    assert cache.get("key") is None
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key").results == (HIT,)
    cache.close()
