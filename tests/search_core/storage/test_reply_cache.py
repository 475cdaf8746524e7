"""Answers stored on disk and in Redis: whatever is wrong there is a miss."""

from __future__ import annotations

import json
import logging
import pickle
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import SearchResult, SearchStatus
from search_core.storage import DiskReplyCache, RedisConnection, RedisReplyCache
from search_core.storage.reply_cache import (
    MAX_STORED_BYTES,
    MAX_TEXT_BYTES,
    RefusedRowError,
    compress,
    decode_reply,
    encode_reply,
    expand,
)
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.clocks import Moment, Seconds
from tests.search_core.storage.replies import GOOD_HIT, HIT, NOON, Bomb, packed

PREFIX = "maekrak:reply:1:"
BOUND_S = 20.0


@pytest.fixture
def clock() -> Moment:
    return Moment(NOON)


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """Return the folder of ``cache``, which is not there yet."""
    return tmp_path / "replies"


@pytest.fixture
def cache(replies: Path, clock: Moment) -> Iterator[DiskReplyCache]:
    """Open an empty cache on disk."""
    with closing(DiskReplyCache(replies, now=clock)) as opened:
        yield opened


def found(cache: DiskReplyCache | RedisReplyCache, key: str = "key") -> bool:
    """Put the answer under *key* and return whether it is found there."""
    cache.put(key, SearchStatus.SUCCESS, (HIT,), 60)
    reply = cache.get(key)
    return reply is not None and reply.results == (HIT,)


def attack(cache: DiskReplyCache, folder: Path, rows: dict[str, object]) -> None:
    """Put *rows* into the closed cache's file, by key, as an attacker with a file would."""
    assert found(cache)
    cache.close()
    with closing(sqlite3.connect(folder / "cache.db")) as connection, connection:
        connection.executemany(
            "INSERT INTO entries (key, value) VALUES (?, ?)", [(key.encode(), row) for key, row in rows.items()]
        )


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=80)
hits = st.builds(
    SearchResult,
    title=texts,
    url=st.from_regex(r"https?://[a-z]{1,12}\.example/[a-z0-9]{0,20}", fullmatch=True),
    snippet=texts,
    source=texts,
    publish_date=st.none() | st.integers(631_152_000, 1_900_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    language=st.sampled_from(["", "ko", "en"]),
    providers=st.just(("wikipedia",)),
    ranks=st.just((("wikipedia", 1),)),
)


# Feature: improved-web-search, Property 12: an identical query within the cache time returns cached results
@given(results=st.lists(hits, max_size=5), ttl=st.integers(1, 86_400), share=st.floats(0, 0.999))
def test_an_answer_within_its_time_comes_back_the_same(
    drawn: tuple[DiskReplyCache, Moment], results: list[SearchResult], ttl: int, share: float
):
    """Feature: improved-web-search, Property 12: an identical query within the cache time returns cached results."""
    cache, clock = drawn
    status = SearchStatus.SUCCESS if results else SearchStatus.NO_RESULTS
    cache.put("key", status, tuple(results), ttl)
    clock.now = NOON + timedelta(seconds=ttl * share)
    reply = cache.get("key")
    clock.now = NOON
    assert reply is not None
    assert (reply.status, reply.results, reply.stored_at, reply.fresh) == (status, tuple(results), NOON, True)


@pytest.fixture(scope="module")
def drawn(folder: Path) -> Iterator[tuple[DiskReplyCache, Moment]]:
    """Open one cache, and its clock, for all examples of the property."""
    clock = Moment(NOON)
    with closing(DiskReplyCache(folder, now=clock)) as opened:
        yield opened, clock


def test_an_answer_is_found_under_its_key_after_a_restart(replies: Path, cache: DiskReplyCache, clock: Moment):
    """A second cache has the answers of the first, under their own keys only, for a day past their lifetime."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    with closing(DiskReplyCache(replies, now=clock)) as second:
        assert second.get("key").results == (HIT,)
        assert second.get("Key") is None
        clock.advance(seconds=60)
        assert not second.get("key").fresh
        clock.advance(hours=24)
        assert second.get("key") is None


def test_failures_and_text_that_is_no_unicode_are_not_stored(cache: DiskReplyCache):
    """Only readable answers are stored, and a lone surrogate, which cannot be written, is no error."""
    failures = [status for status in SearchStatus if not status.answered]
    for status in failures:
        cache.put(status.value, status, (), 60)
    cache.put("bad", SearchStatus.SUCCESS, (replace(HIT, title="\ud800"),), 60)
    assert len(failures) >= 5
    assert [key for key in ("bad", *(status.value for status in failures)) if cache.get(key) is not None] == []


def test_planted_rows_are_misses_and_do_nothing(tmp_path: Path, replies: Path, cache: DiskReplyCache):
    """No pickle runs, and a row of others is a miss; the cache's own are read, and replace what was planted."""
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    planted = {
        "pickle": bomb,
        "packed": zlib.compress(bomb),
        "no zlib": b"no zlib",
        "large": bytes(2 << 20),
        "text": "text",
        "number": 7,
    }
    attack(cache, replies, planted)
    assert [key for key in planted if cache.get(key) is not None] == []
    assert cache.get("key").results == (HIT,)
    assert all(found(cache, key) for key in planted)
    assert not (tmp_path / "ran").exists()


def test_the_tables_of_earlier_versions_make_room(replies: Path, cache: DiskReplyCache):
    """A file of a version that kept answers in another table opens, empty, and takes answers."""
    replies.mkdir()
    with closing(sqlite3.connect(replies / "cache.db")) as connection, connection:
        connection.execute("CREATE TABLE Cache (key BLOB, mode INTEGER, filename TEXT, value BLOB)")
        connection.execute("INSERT INTO Cache VALUES ('key', 4, '../victim.txt', x'80')")
    assert cache.get("key") is None
    assert found(cache)
    cache.close()
    with closing(sqlite3.connect(replies / "cache.db")) as connection:
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'Cache'").fetchall() == []
    assert [path.name for path in replies.iterdir()] == ["cache.db"]


def test_a_locked_file_leaves_the_answers_used_last(replies: Path, cache: DiskReplyCache, clock: Moment):
    """While another process holds the file no call waits long, an answer of before comes from memory, others are a miss.

    Afterwards answers are stored again.
    """
    assert found(cache)
    with closing(sqlite3.connect(replies / "cache.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        busy = DiskReplyCache(replies, now=clock)
        began = time.monotonic()
        assert found(busy)
        assert busy.get("other") is None
        assert time.monotonic() - began < 2
    busy.close()
    cache.put("after", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    assert cache.get("after").results == (HIT,)


def test_a_damaged_file_is_a_miss_and_named_once(replies: Path, cache: DiskReplyCache, caplog: pytest.LogCaptureFixture):
    """A damaged file stays as it is and counts as empty, and the log says once that it can be deleted."""
    replies.mkdir()
    (replies / "cache.db").write_bytes(b"garbage" * 2000)
    assert [found(cache) for _ in range(3)] == [False] * 3
    assert (replies / "cache.db").read_bytes() == b"garbage" * 2000
    (told,) = caplog.messages
    assert "cache.db" in told
    assert "deleted" in told


def test_a_folder_that_cannot_be_made_is_a_miss(replies: Path, cache: DiskReplyCache):
    """Where nothing can be written the cache is simply empty, and a file in place of the folder stays."""
    replies.write_text("mine")
    assert not found(cache)
    assert replies.read_text() == "mine"


def test_what_is_encoded_is_decoded():
    """The row is JSON under zlib; an answer comes back with its hits, but without the scores, which belong to one question."""
    row = encode_reply(SearchStatus.SUCCESS, (replace(HIT, relevance_score=0.9),), NOON, 60)
    text = json.loads(zlib.decompress(row))
    assert (text["format"], text["status"], text["results"][0]["title"]) == (1, "success", "HBM4 표준 발표")
    assert (text["stored_at"], text["fresh_until"]) == ("2026-11-20T12:00:00Z", "2026-11-20T12:01:00Z")
    found = decode_reply(row, NOON)
    assert found is not None
    assert (found.status, found.results, found.stored_at, found.fresh) == (SearchStatus.SUCCESS, (HIT,), NOON, True)


@pytest.mark.parametrize(
    ("ago", "fresh"),
    [
        ({"seconds": 59}, True),
        ({"seconds": 60}, False),
        ({"seconds": 59, "hours": 24}, False),
        ({"seconds": 60, "hours": 24}, None),
        ({"hours": -25}, True),
        ({"hours": -25, "seconds": -1}, None),
    ],
)
def test_an_answer_past_its_time_is_stale_for_a_day(ago: dict[str, float], fresh: bool | None):
    """Past its lifetime an answer may stand in for 24 hours; one of the future counts while the clock may have been set back."""
    found = decode_reply(encode_reply(SearchStatus.SUCCESS, (HIT,), NOON - timedelta(**ago), 60), NOON)
    assert (None if found is None else found.fresh) is fresh


@pytest.mark.parametrize(
    "value",
    [
        b"no zlib",
        zlib.compress(b"!!python/object/apply:os.system ['true']"),
        zlib.compress(b"[]"),
        packed(format=2),
        packed(status="timeout"),
        packed(stored_at="2026-11-20T12:00:00", fresh_until="2026-11-20T13:00:00"),
        packed(stored_at="0001-01-01T00:00:00+12:00", fresh_until="0001-01-01T00:00:00+12:00"),
        packed(stored_at="2027-11-20T12:00:00Z", fresh_until="2027-11-20T13:00:00Z"),
        packed(results=[GOOD_HIT | {"url": "javascript:alert(1)"}]),
        packed(results=[GOOD_HIT | {"url": "http://[::1"}]),
        packed(results=[GOOD_HIT | {"publish_date": "2026-11-20T12:00:00"}]),
        packed()[:-3],
        zlib.compress(b" " * (50 << 20)),
    ],
)
def test_a_row_that_was_not_written_so_is_refused(value: bytes):
    """A row that no cache writes is None or a ValueError, and nothing else is raised."""
    with suppress(ValueError):
        assert decode_reply(value, NOON) is None


def test_an_error_does_not_repeat_the_row():
    """The error about a row that cannot be read holds nothing of the row."""
    with pytest.raises(RefusedRowError) as caught:
        decode_reply(compress(b'{"format": 1, "status": "a secret question"}'), NOON)
    assert "secret" not in str(caught.value)


def test_sizes_are_bounded_both_ways():
    """What would be too large to be read is not written, and what is larger is not expanded."""
    assert expand(compress(b"x" * MAX_TEXT_BYTES)) == b"x" * MAX_TEXT_BYTES
    with pytest.raises(RefusedRowError):
        encode_reply(SearchStatus.SUCCESS, (replace(HIT, title="x" * MAX_TEXT_BYTES),), NOON, 60)
    for row in (zlib.compress(b"x" * (MAX_TEXT_BYTES + 1)), bytes(MAX_STORED_BYTES + 1), b""):
        with pytest.raises(RefusedRowError):
            expand(row)


@pytest.fixture
def redis_cache(connection: RedisConnection) -> RedisReplyCache:
    return RedisReplyCache(connection, now=Moment(NOON))


def test_a_row_expires_a_day_after_its_lifetime(redis_cache: RedisReplyCache, connection: RedisConnection):
    """The row has one versioned prefix and expires in Redis a day after the lifetime of the answer; failures have none."""
    redis_cache.put("failed", SearchStatus.TIMEOUT, (), 60)
    assert found(redis_cache, "key")
    assert redis_cache.get("other") is None
    assert connection.call(lambda redis: redis.keys("*")) == [b"maekrak:reply:1:key"]
    assert 86_400_000 < connection.call(lambda redis: redis.pttl(PREFIX + "key")) <= 86_460_000


def test_a_planted_value_is_a_miss(server: RedisServer, redis_cache: RedisReplyCache, connection: RedisConnection):
    """Bytes that are no row, a list, and 50 MB of which at most a megabyte is fetched are misses; a good answer replaces them."""
    connection.call(lambda redis: redis.set(PREFIX + "bytes", b"no zlib"))
    connection.call(lambda redis: redis.lpush(PREFIX + "list", "x"))
    assert server.say("SETRANGE", f"{PREFIX}large", str((50 << 20) - 1), "x") == f":{50 << 20}"
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
    assert redis_cache.get("key").results == (HIT,)
    server.say("CONFIG", "SET", "maxmemory", "0")
    assert found(redis_cache, "other")
    server.pause()
    began = time.monotonic()
    assert not any(found(redis_cache, "key") for _ in range(20))
    assert time.monotonic() - began < BOUND_S
    server.resume()
    seconds.at_s += 5.0
    assert redis_cache.get("key").results == (HIT,)
    assert [(one.levelno, one.getMessage().rpartition(": ")[2]) for one in caplog.records] == [
        (logging.WARNING, "out of memory"),
        (logging.WARNING, "no answer in time"),
    ]
