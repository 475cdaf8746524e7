from __future__ import annotations

import json
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain import SearchResult, SearchStatus
from search_core.storage import DiskReplyCache

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


class Clock:
    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


PATIENT_S = 10.0
"""Long enough that a busy machine is no reason for a miss."""


@pytest.fixture
def cache(tmp_path: Path, clock: Clock):
    kept = DiskReplyCache(tmp_path / "replies", now=clock, patience_s=PATIENT_S)
    yield kept
    kept.close()


def row(cache: DiskReplyCache, tmp_path: Path, **columns: object) -> None:
    """Put one row into the closed cache's file as an attacker with a file would."""
    cache.put("seed", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    values = {"key": "planted", "raw": 1, "mode": 1, "filename": None, "value": None, "size": 0} | columns
    with sqlite3.connect(tmp_path / "replies" / "cache.db") as connection:
        connection.execute(
            "INSERT INTO Cache (key, raw, store_time, expire_time, access_time, size, mode, filename, value)"
            " VALUES (:key, :raw, 0, NULL, 0, :size, :mode, :filename, :value)",
            values,
        )
    connection.close()


class Bomb:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return (open, (self.path, "w"))


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
@settings(max_examples=100, deadline=None)
@given(results=st.lists(hits, max_size=5), ttl=st.integers(1, 86_400), share=st.floats(0, 0.999))
def test_an_answer_within_its_time_comes_back_the_same(results: list[SearchResult], ttl: int, share: float):
    """Feature: improved-web-search, Property 12: an identical query within the cache time returns cached results."""
    status = SearchStatus.SUCCESS if results else SearchStatus.NO_RESULTS
    DRAWN.put("key", status, tuple(results), ttl)
    DRAWN_CLOCK.now = NOON + timedelta(seconds=ttl * share)
    found = DRAWN.get("key")
    DRAWN_CLOCK.now = NOON
    assert found is not None
    assert (found.status, found.results, found.stored_at, found.fresh) == (status, tuple(results), NOON, True)


DRAWN_CLOCK = Clock()
FOLDER = tempfile.mkdtemp(prefix="maekrak-test-")
DRAWN = DiskReplyCache(FOLDER, now=DRAWN_CLOCK, patience_s=PATIENT_S)


@pytest.fixture(scope="module", autouse=True)
def _close_drawn():
    yield
    DRAWN.close()
    shutil.rmtree(FOLDER, ignore_errors=True)


def test_an_answer_past_its_time_is_stale_for_a_day(cache: DiskReplyCache, clock: Clock):
    """Past its lifetime an answer may stand in for 24 hours, then it is gone."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    clock.now = NOON + timedelta(seconds=61)
    assert cache.get("key") is not None
    assert not cache.get("key").fresh
    clock.now = NOON + timedelta(seconds=60, hours=23, minutes=59)
    assert not cache.get("key").fresh
    clock.now = NOON + timedelta(seconds=60, hours=24)
    assert cache.get("key") is None


@pytest.mark.parametrize("status", [one for one in SearchStatus if not one.answered])
def test_failures_are_not_kept(cache: DiskReplyCache, status: SearchStatus):
    """Only readable answers are kept."""
    cache.put("key", status, (), 60)
    assert cache.get("key") is None


def test_another_key_is_a_miss(cache: DiskReplyCache):
    """An answer is found under its own key only."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("Key") is None


def test_answers_survive_a_restart(tmp_path: Path, clock: Clock):
    """A second cache over the same folder has the answers of the first."""
    first = DiskReplyCache(tmp_path, now=clock, patience_s=PATIENT_S)
    first.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    first.close()
    second = DiskReplyCache(tmp_path, now=clock, patience_s=PATIENT_S)
    assert second.get("key").results == (HIT,)
    second.close()


@pytest.mark.parametrize(
    ("jump", "fresh"), [(timedelta(days=-1), True), (timedelta(days=1), False), (timedelta(days=-400), None)]
)
def test_a_clock_that_jumps_neither_empties_nor_immortalizes(
    cache: DiskReplyCache, clock: Clock, jump: timedelta, fresh: bool | None
):
    """A day back keeps answers, a day ahead makes them stale, and answers from a far future are not believed."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 3600)
    clock.now = NOON + jump
    found = cache.get("key")
    assert (None if found is None else found.fresh) is fresh


def test_a_planted_pickle_does_not_run(tmp_path: Path, cache: DiskReplyCache):
    """A row that says it is a pickle is a miss and its code stays asleep."""
    proof = tmp_path / "ran"
    row(cache, tmp_path, mode=4, value=pickle.dumps(Bomb(proof)))
    assert cache.get("planted") is None
    assert not proof.exists()


def test_a_planted_pickle_file_does_not_run(tmp_path: Path, cache: DiskReplyCache):
    """A row that names a pickle file is a miss and its code stays asleep."""
    proof = tmp_path / "ran"
    row(cache, tmp_path, mode=4, filename="bomb.val")
    (tmp_path / "replies" / "bomb.val").write_bytes(pickle.dumps(Bomb(proof)))
    assert cache.get("planted") is None
    assert not proof.exists()


def test_a_planted_pickle_key_does_not_run(tmp_path: Path, cache: DiskReplyCache):
    """A row whose key is a pickle is never unpickled, not even when it is thrown out."""
    proof = tmp_path / "ran"
    row(cache, tmp_path, key=pickle.dumps(Bomb(proof)), raw=0, value=zlib.compress(b"{}"))
    assert cache.get("planted") is None
    cache.put("other", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("other").results == (HIT,)
    assert not proof.exists()


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
@pytest.mark.parametrize("place", ["../victim.txt", "{tmp_path}/victim.txt", "x/../../victim.txt"])
def test_a_file_outside_is_neither_read_nor_deleted(tmp_path: Path, cache: DiskReplyCache, mode: int, place: str):
    """A row that points outside the folder is a miss, and overwriting it leaves the file alone."""
    victim = tmp_path / "victim.txt"
    victim.write_bytes(zlib.compress(b"secret"))
    row(cache, tmp_path, mode=mode, filename=place.format(tmp_path=tmp_path))
    assert cache.get("planted") is None
    cache.put("planted", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("planted").results == (HIT,)
    assert victim.read_bytes() == zlib.compress(b"secret")


def test_throwing_out_a_row_deletes_no_file_outside(tmp_path: Path, cache: DiskReplyCache):
    """A planted row that expires and makes room takes no file with it."""
    victim = tmp_path / "victim.txt"
    victim.write_bytes(b"mine")
    row(cache, tmp_path, mode=2, filename="../victim.txt")
    with sqlite3.connect(tmp_path / "replies" / "cache.db") as connection:
        connection.execute("UPDATE Cache SET expire_time = 1 WHERE key = 'planted'")
    connection.close()
    for number in range(20):
        cache.put(f"other-{number}", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    with sqlite3.connect(tmp_path / "replies" / "cache.db") as connection:
        assert connection.execute("SELECT count(*) FROM Cache WHERE key = 'planted'").fetchone() == (0,)
    connection.close()
    assert victim.read_bytes() == b"mine"


GOOD_ROW = {
    "format": 1,
    "status": "success",
    "stored_at": NOON.isoformat(),
    "fresh_until": (NOON + timedelta(hours=1)).isoformat(),
    "results": [
        {
            "title": "t",
            "url": "javascript:alert(1)",
            "snippet": "",
            "source": "",
            "publish_date": None,
            "language": "",
            "providers": [],
            "ranks": [],
        }
    ],
}


@pytest.mark.parametrize(
    "value",
    [
        b"no zlib",
        zlib.compress(b"no json"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"format": 1}'),
        zlib.compress(json.dumps(GOOD_ROW).encode()),
        zlib.compress(json.dumps(GOOD_ROW | {"format": 2, "results": []}).encode()),
        zlib.compress(json.dumps(GOOD_ROW | {"status": "timeout", "results": []}).encode()),
        zlib.compress(json.dumps(GOOD_ROW | {"stored_at": "2026-11-20T12:00:00", "results": []}).encode()),
        zlib.compress(json.dumps(GOOD_ROW | {"fresh_until": "0001-01-01T00:00:00+12:00", "results": []}).encode()),
        zlib.compress(b"x" * 1000)[:-6],
        zlib.compress(b" " * (50 << 20)),
        bytes(50 << 20),
        "text",
        7,
        None,
    ],
    ids=[
        "no-zlib",
        "no-json",
        "list",
        "fields",
        "address",
        "format",
        "status",
        "no-zone",
        "first-day",
        "cut",
        "expanding",
        "50-MB",
        "text",
        "number",
        "null",
    ],
)
def test_a_bad_row_is_a_miss(tmp_path: Path, cache: DiskReplyCache, value: object):
    """A row that was not written by the cache is a miss, and the others are still read."""
    row(cache, tmp_path, value=value)
    assert cache.get("planted") is None
    assert cache.get("seed").results == (HIT,)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"garbage" * 2000,
        b"SQLite format 3\x00" + b"\xff" * 5000,
        b"cut",
    ],
    ids=["zero-bytes", "garbage", "header-only", "short"],
)
def test_a_broken_file_heals_itself(tmp_path: Path, cache: DiskReplyCache, clock: Clock, damage: bytes):
    """A broken file is a miss, and the next answer is kept again."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    for extra in ("-wal", "-shm"):
        (tmp_path / "replies" / f"cache.db{extra}").unlink(missing_ok=True)
    (tmp_path / "replies" / "cache.db").write_bytes(damage)
    assert cache.get("key") is None
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key").results == (HIT,)


def test_a_broken_file_is_kept_aside_and_logged_once(tmp_path: Path, cache: DiskReplyCache, caplog: pytest.LogCaptureFixture):
    """What was broken stays for whoever wants to look, and the log says so one time."""
    (tmp_path / "replies").mkdir()
    (tmp_path / "replies" / "cache.db").write_bytes(b"garbage" * 2000)
    for _ in range(3):
        assert cache.get("key") is None
    assert (tmp_path / "replies" / "cache.db.broken").read_bytes() == b"garbage" * 2000
    assert len([one for one in caplog.records if one.levelname == "WARNING"]) == 1


def test_a_foreign_schema_heals_itself(tmp_path: Path, cache: DiskReplyCache):
    """A database of another program under the name is moved aside."""
    (tmp_path / "replies").mkdir()
    with sqlite3.connect(tmp_path / "replies" / "cache.db") as connection:
        connection.execute("CREATE TABLE Cache (something TEXT)")
        connection.execute("CREATE TABLE Settings (key TEXT, value TEXT)")
    connection.close()
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key").results == (HIT,)


def test_planted_settings_do_no_harm(tmp_path: Path, cache: DiskReplyCache):
    """Settings planted in the file neither change how values are read nor end the cache."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    with sqlite3.connect(tmp_path / "replies" / "cache.db") as connection:
        connection.execute("CREATE TABLE Settings (key TEXT NOT NULL UNIQUE, value)")
        connection.execute(
            "INSERT OR REPLACE INTO Settings VALUES ('disk_evil', 1), ('eviction_policy', 'none of these'), ('get', 'x')"
        )
    connection.close()
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key").results == (HIT,)


@pytest.mark.parametrize("patience_s", [0.02, PATIENT_S], ids=["hanging", "locked"])
def test_a_busy_disk_leaves_the_answers_used_last(tmp_path: Path, clock: Clock, patience_s: float):
    """While the disk does not answer, an answer of before comes from memory, and one that was never used is a miss."""
    folder = tmp_path / "replies"
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
def test_a_lock_held_elsewhere_does_not_stall(tmp_path: Path, cache: DiskReplyCache, opened: bool):
    """While another process holds the file no call waits the five seconds of SQLite, and afterwards the cache works again."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    if not opened:
        cache.close()
    holder = sqlite3.connect(tmp_path / "replies" / "cache.db", isolation_level=None)
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


def test_a_folder_that_cannot_be_made_is_a_miss(clock: Clock):
    """Where nothing can be written the cache is simply empty."""
    cache = DiskReplyCache("/proc/self/replies", now=clock)
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key") is None
    cache.close()


def test_a_file_in_place_of_the_folder_is_a_miss(tmp_path: Path, clock: Clock):
    """A file where the folder should be makes the cache empty and stays."""
    (tmp_path / "replies").write_text("mine")
    cache = DiskReplyCache(tmp_path / "replies", now=clock)
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    assert cache.get("key") is None
    assert (tmp_path / "replies").read_text() == "mine"
    cache.close()


FULL = """
import resource, sys
from search_core.domain import SearchResult, SearchStatus
from search_core.storage import DiskReplyCache
cache = DiskReplyCache(sys.argv[1])
hit = SearchResult(title="t", url="https://example.org/", snippet="s", source="e")
cache.put("before", SearchStatus.SUCCESS, (hit,), 60)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
import os
big = tuple(SearchResult(title=os.urandom(2000).hex(), url="https://example.org/", snippet="", source="") for _ in range(50))
for number in range(5):
    cache.put(f"big{number}", SearchStatus.SUCCESS, big, 60)
    assert cache.get(f"big{number}") is None
print("survived")
"""


def test_a_full_disk_is_a_miss(tmp_path: Path):
    """When no byte more can be written, putting does nothing and asking finds nothing."""
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "survived", done.stderr


def test_many_threads_share_it(cache: DiskReplyCache):
    """Threads that put and get at once each find what they put."""
    missing: list[str] = []

    def work(name: str) -> None:
        for number in range(20):
            key = f"{name}-{number}"
            cache.put(key, SearchStatus.SUCCESS, (HIT,), 60)
            if cache.get(key) is None:
                missing.append(key)

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing == []


def test_text_that_is_no_unicode_is_not_kept(cache: DiskReplyCache):
    """A lone surrogate cannot be written; the answer is just not kept."""
    bad = SearchResult(title="\ud800", url="https://example.org/", snippet="", source="")
    cache.put("key", SearchStatus.SUCCESS, (bad,), 60)
    assert cache.get("key") is None


def test_no_pickle_reaches_the_disk(tmp_path: Path, cache: DiskReplyCache):
    """What is written is compressed JSON in the row, without files beside the database."""
    cache.put("key", SearchStatus.SUCCESS, (HIT,), 60)
    cache.close()
    with sqlite3.connect(tmp_path / "replies" / "cache.db") as connection:
        ((key, raw, mode, filename, value),) = connection.execute("SELECT key, raw, mode, filename, value FROM Cache")
    connection.close()
    assert (key, raw, mode, filename) == ("key", 1, 1, None)
    assert json.loads(zlib.decompress(value))["results"][0]["title"] == "HBM4 표준 발표"
