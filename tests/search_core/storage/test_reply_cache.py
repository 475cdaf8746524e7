from __future__ import annotations

import pickle
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import SearchResult, SearchStatus
from search_core.storage import DiskReplyCache
from tests.search_core.storage.clocks import Moment
from tests.search_core.storage.replies import HIT, NOON, Bomb, packed

PATIENT_S = 10.0
"""Long enough that a busy machine is no reason for a miss."""


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
    with closing(DiskReplyCache(replies, now=clock, patience_s=PATIENT_S)) as opened:
        yield opened


def found(cache: DiskReplyCache, key: str = "key") -> bool:
    """Put the answer under *key* and return whether it is found there."""
    cache.put(key, SearchStatus.SUCCESS, (HIT,), 60)
    reply = cache.get(key)
    return reply is not None and reply.results == (HIT,)


def attack(cache: DiskReplyCache, folder: Path, *rows: dict[str, object]) -> None:
    """Put *rows* into the closed cache's file as an attacker with a file would."""
    assert found(cache)
    cache.close()
    with closing(sqlite3.connect(folder / "cache.db")) as connection, connection:
        for row in rows:
            values = {"raw": 1, "mode": 1, "filename": None, "value": None, "expires": None} | row
            connection.execute(
                "INSERT INTO Cache (key, raw, store_time, expire_time, access_time, mode, filename, value)"
                " VALUES (:key, :raw, 0, :expires, 0, :mode, :filename, :value)",
                values,
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
    with closing(DiskReplyCache(folder, now=clock, patience_s=PATIENT_S)) as opened:
        yield opened, clock


def test_an_answer_is_found_under_its_key_after_a_restart(replies: Path, cache: DiskReplyCache, clock: Moment):
    """A second cache has the answers of the first, under their own keys only, for a day past their lifetime."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    with closing(DiskReplyCache(replies, now=clock, patience_s=PATIENT_S)) as second:
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
    """No pickle runs, no file outside is read or deleted, and a row of others is a miss; the cache's own are read."""
    bomb, victim = pickle.dumps(Bomb(tmp_path / "ran")), tmp_path / "victim.txt"
    victim.write_bytes(packed())
    values = (b"no zlib", bytes(2 << 20), "text", 7, None)
    attack(
        cache,
        replies,
        {"key": "pickle", "mode": 4, "value": bomb},
        {"key": "pickle in a file", "mode": 4, "filename": "bomb.val"},
        {"key": bomb, "raw": 0, "value": zlib.compress(b"{}")},
        {"key": "outside", "filename": "../victim.txt"},
        {"key": "expired", "mode": 2, "filename": str(victim), "expires": 1},
        *({"key": f"bad {number}", "value": value} for number, value in enumerate(values)),
    )
    (replies / "bomb.val").write_bytes(bomb)
    keys = ["pickle", "pickle in a file", "outside", *(f"bad {number}" for number in range(len(values)))]
    assert [key for key in keys if cache.get(key) is not None] == []
    assert cache.get("key").results == (HIT,)
    assert all(found(cache, key) for key in keys)
    assert not (tmp_path / "ran").exists()
    assert victim.read_bytes() == packed()


@pytest.mark.parametrize("patience_s", [0.02, PATIENT_S], ids=["hanging", "locked"])
def test_a_busy_disk_leaves_the_answers_used_last(replies: Path, cache: DiskReplyCache, clock: Moment, patience_s: float):
    """While the disk does not answer no call waits long, an answer of before comes from memory, others are a miss.

    Afterwards answers are stored again.
    """
    assert found(cache)
    with closing(sqlite3.connect(replies / "cache.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        busy = DiskReplyCache(replies, now=clock, patience_s=patience_s)  # the file is waited for longer than 0.02 s
        began = time.monotonic()
        assert found(busy)
        assert busy.get("other") is None
        assert time.monotonic() - began < 2
    busy.close()
    cache.put("after", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    assert cache.get("after").results == (HIT,)


def test_a_broken_file_heals_itself(replies: Path, cache: DiskReplyCache, caplog: pytest.LogCaptureFixture):
    """A broken file is a miss and moved aside, which is logged once, and the next answer is stored again."""
    replies.mkdir()
    (replies / "cache.db").write_bytes(b"garbage" * 2000)
    assert [cache.get("key") for _ in range(3)] == [None] * 3
    assert found(cache)
    assert (replies / "cache.db.broken").read_bytes() == b"garbage" * 2000
    assert [one.levelname for one in caplog.records] == ["WARNING"]


def test_a_folder_that_cannot_be_made_is_a_miss(replies: Path, cache: DiskReplyCache):
    """Where nothing can be written the cache is simply empty, and a file in place of the folder stays."""
    replies.write_text("mine")
    assert not found(cache)
    assert replies.read_text() == "mine"
