from __future__ import annotations

import pickle
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
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
def folder(tmp_path: Path) -> Path:
    return tmp_path / "replies"


@pytest.fixture
def cache(folder: Path, clock: Moment) -> Iterator[DiskReplyCache]:
    """Open an empty cache on disk."""
    opened = DiskReplyCache(folder, now=clock, patience_s=PATIENT_S)
    yield opened
    opened.close()


def found(cache: DiskReplyCache, key: str = "key") -> bool:
    """Put the answer under *key* and return whether it is found there."""
    cache.put(key, SearchStatus.SUCCESS, (HIT,), 60)
    reply = cache.get(key)
    return reply is not None and reply.results == (HIT,)


def plant(cache: DiskReplyCache, folder: Path, **columns: object) -> None:
    """Put one row into the closed cache's file as an attacker with a file would."""
    cache.put("seed", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    values = {"key": "planted", "raw": 1, "mode": 1, "filename": None, "value": None, "size": 0, "expires": None} | columns
    with sqlite3.connect(folder / "cache.db") as connection:
        connection.execute(
            "INSERT INTO Cache (key, raw, store_time, expire_time, access_time, size, mode, filename, value)"
            " VALUES (:key, :raw, 0, :expires, 0, :size, :mode, :filename, :value)",
            values,
        )
    connection.close()


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
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DiskReplyCache, Moment]]:
    """Open one cache, and its clock, for all examples of the property."""
    clock = Moment(NOON)
    opened = DiskReplyCache(tmp_path_factory.mktemp("drawn"), now=clock, patience_s=PATIENT_S)
    yield opened, clock
    opened.close()


def test_an_answer_is_found_under_its_key_after_a_restart(folder: Path, cache: DiskReplyCache, clock: Moment):
    """A second cache has the answers of the first, under their own keys only, for a day past their lifetime."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    second = DiskReplyCache(folder, now=clock, patience_s=PATIENT_S)
    assert second.get("key").results == (HIT,)
    assert second.get("Key") is None
    clock.advance(seconds=60)
    assert not second.get("key").fresh
    clock.advance(hours=24)
    assert second.get("key") is None
    second.close()


def test_failures_and_text_that_is_no_unicode_are_not_stored(cache: DiskReplyCache):
    """Only readable answers are stored, and a lone surrogate, which cannot be written, is no error."""
    failures = [status for status in SearchStatus if not status.answered]
    for status in failures:
        cache.put(status.value, status, (), 60)
    bad = SearchResult(title="\ud800", url="https://example.org/", snippet="", source="")
    cache.put("bad", SearchStatus.SUCCESS, (bad,), 60)
    assert len(failures) >= 5
    assert [key for key in ("bad", *(status.value for status in failures)) if cache.get(key) is not None] == []


def test_what_is_written_is_one_row_without_files(folder: Path, cache: DiskReplyCache):
    """A row has neither a pickle nor a file beside the database."""
    assert found(cache)
    cache.close()
    with sqlite3.connect(folder / "cache.db") as connection:
        assert connection.execute("SELECT key, raw, mode, filename FROM Cache").fetchall() == [("key", 1, 1, None)]
    connection.close()


@pytest.mark.parametrize("planted", ["value", "file", "key"])
def test_a_planted_pickle_does_not_run(tmp_path: Path, folder: Path, cache: DiskReplyCache, planted: str):
    """A pickle in a row, in a file that a row names, or as a key is a miss and its code is not executed."""
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    columns = {
        "value": {"mode": 4, "value": bomb},
        "file": {"mode": 4, "filename": "bomb.val"},
        "key": {"key": bomb, "raw": 0, "value": zlib.compress(b"{}")},
    }
    plant(cache, folder, **columns[planted])
    (folder / "bomb.val").write_bytes(bomb)
    assert cache.get("planted") is None
    assert found(cache, "other")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("mode", [1, 2])
@pytest.mark.parametrize("place", ["../victim.txt", "{tmp_path}/victim.txt", "x/../../victim.txt"])
def test_a_file_outside_is_neither_read_nor_deleted(tmp_path: Path, folder: Path, cache: DiskReplyCache, mode: int, place: str):
    """A row that points outside the folder is a miss, and overwriting it or its expiry leaves the file as it is."""
    victim = tmp_path / "victim.txt"
    victim.write_bytes(packed())
    plant(cache, folder, mode=mode, filename=place.format(tmp_path=tmp_path))
    assert cache.get("planted") is None
    assert found(cache, "planted")
    plant(cache, folder, key="expired", mode=mode, filename=place.format(tmp_path=tmp_path), expires=1)
    assert found(cache, "other")
    cache.close()
    with sqlite3.connect(folder / "cache.db") as connection:
        assert connection.execute("SELECT count(*) FROM Cache WHERE key = 'expired'").fetchone() == (0,)
    connection.close()
    assert victim.read_bytes() == packed()


@pytest.mark.parametrize(
    "value",
    [b"no zlib", packed(format=2), packed()[:-6], bytes(2 << 20), "text", 7, None],
    ids=["no-zlib", "format", "cut", "large", "text", "number", "null"],
)
def test_a_bad_row_is_a_miss(folder: Path, cache: DiskReplyCache, value: object):
    """A row that was not written by the cache is a miss, and the others are still read."""
    plant(cache, folder, value=value)
    assert cache.get("planted") is None
    assert cache.get("seed").results == (HIT,)


@pytest.mark.parametrize(
    "damage", [b"", b"garbage" * 2000, b"SQLite format 3\x00" + b"\xff" * 5000], ids=["empty", "garbage", "header"]
)
def test_a_broken_file_heals_itself(folder: Path, cache: DiskReplyCache, damage: bytes, caplog: pytest.LogCaptureFixture):
    """A broken file is a miss and moved aside, which is logged once, and the next answer is stored again."""
    folder.mkdir()
    (folder / "cache.db").write_bytes(damage)
    assert [cache.get("key") for _ in range(3)] == [None] * 3
    assert found(cache)
    if damage:
        assert (folder / "cache.db.broken").read_bytes() == damage
        assert len([one for one in caplog.records if one.levelname == "WARNING"]) == 1


@pytest.mark.parametrize(
    "statements",
    [
        "CREATE TABLE Cache (something TEXT); CREATE TABLE Settings (key TEXT, value TEXT)",
        "CREATE TABLE Settings (key TEXT, value); INSERT INTO Settings VALUES ('disk_evil', 1), ('eviction_policy', 'none')",
    ],
    ids=["foreign tables", "planted settings"],
)
def test_foreign_tables_and_settings_do_no_harm(folder: Path, cache: DiskReplyCache, statements: str):
    """A database of another program is moved aside, and settings in the file change nothing."""
    folder.mkdir()
    with sqlite3.connect(folder / "cache.db") as connection:
        connection.executescript(statements)
    connection.close()
    assert found(cache)


@pytest.mark.parametrize("patience_s", [0.02, PATIENT_S], ids=["hanging", "locked"])
def test_a_busy_disk_leaves_the_answers_used_last(folder: Path, clock: Moment, patience_s: float):
    """While the disk does not answer, an answer of before comes from memory, and one that was never used is a miss."""
    cache = DiskReplyCache(folder, now=clock, patience_s=PATIENT_S)
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    holder = sqlite3.connect(folder / "cache.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    cache = DiskReplyCache(folder, now=clock, patience_s=patience_s)  # the file is waited for longer than 0.02 s
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key").results == (HIT,)
    assert cache.get("other") is None
    holder.execute("ROLLBACK")
    holder.close()
    cache.close()


@pytest.mark.parametrize("opened", [False, True], ids=["before-opening", "after-opening"])
def test_a_lock_held_elsewhere_does_not_stall(folder: Path, cache: DiskReplyCache, opened: bool):
    """While another process holds the file no call waits the five seconds of SQLite, and afterwards the cache works again."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    if not opened:
        cache.close()
    holder = sqlite3.connect(folder / "cache.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    for _ in range(3):
        began = time.monotonic()
        cache.put("other", SearchStatus.SUCCESS, (HIT,), 60)
        cache.get("other")
        assert time.monotonic() - began < 2
    holder.execute("ROLLBACK")
    holder.close()
    deadline = time.monotonic() + 5
    while cache.get("key") is None and time.monotonic() < deadline:
        cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key").results == (HIT,)


@pytest.mark.parametrize("taken", [False, True], ids=["no folder", "a file"])
def test_a_folder_that_cannot_be_made_is_a_miss(tmp_path: Path, clock: Moment, taken: bool):
    """Where nothing can be written the cache is simply empty, and a file in place of the folder stays."""
    if taken:
        (tmp_path / "replies").write_text("mine")
    cache = DiskReplyCache(tmp_path / "replies" if taken else "/proc/self/replies", now=clock)
    assert not found(cache)
    assert not taken or (tmp_path / "replies").read_text() == "mine"
    cache.close()


def test_many_threads_share_it(cache: DiskReplyCache):
    """Threads that put and get at once each find what they put."""

    def work(name: str) -> None:
        missing.extend(key for key in (f"{name}-{number}" for number in range(20)) if not found(cache, key))

    missing: list[str] = []
    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing == []
