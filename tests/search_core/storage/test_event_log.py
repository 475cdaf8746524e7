from __future__ import annotations

import os
import random
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from search_core.domain import SearchStatus
from search_core.errors import StorageError
from search_core.storage import RedisConnection, RedisEventLog, SqliteEventLog
from tests.search_core.storage.clocks import Moment, Seconds
from tests.search_core.storage.events import EVER, NOON, event, queries

PATIENT_S = 30.0
"""Long enough that a busy machine is no reason for a failure."""
BOUND_S = 10.0
"""What must not hang is over long before; the log itself waits less than a second."""


def opened(path: Path, **options: object) -> SqliteEventLog:
    return SqliteEventLog(path, **({"now": lambda: NOON, "patience_s": PATIENT_S} | options))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "events.sqlite"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteEventLog]:
    """Open an empty log in a file."""
    made = opened(path)
    yield made
    made.close()


@pytest.fixture(params=["file", "redis"])
def any_log(request: pytest.FixtureRequest) -> SqliteEventLog | RedisEventLog:
    """Open an empty log of each kind."""
    if request.param == "file":
        return request.getfixturevalue("log")
    connection: RedisConnection = request.getfixturevalue("connection")
    return RedisEventLog(connection)


def test_events_come_back_newest_first_as_they_were(any_log: SqliteEventLog | RedisEventLog):
    """Every field of an event is what was appended; of those since a moment the newest come first, no more than asked."""
    failed = event(
        "질문",
        status=SearchStatus.RATE_LIMITED,
        result_count=0,
        provider="brave",
        latency_ms=251.25,
        timestamp=datetime(2026, 11, 20, 11, 59, 58, 123457, UTC),
        error_message="Brave asked for a pause.",
        from_cache=True,
    )
    any_log.append([event("영"), failed])
    assert any_log.recent(EVER, 10) == [event("영"), failed]
    any_log.append([event("셋", minutes=3), event("둘", minutes=2)])
    any_log.append([event("하나", minutes=1)])
    assert queries(any_log) == ["셋", "둘", "하나", "영", "질문"]
    assert queries(any_log, NOON + timedelta(minutes=1)) == ["셋", "둘", "하나"]
    assert queries(any_log, NOON) == ["셋", "둘", "하나", "영"]
    assert queries(any_log, limit=2) == ["셋", "둘"]
    assert queries(any_log, limit=0) == []


def test_the_oldest_make_room(path: Path):
    """No more events than allowed stay, those appended last, and what is older than eight days goes; no events make no file."""
    log = opened(path, most=3)
    log.append([])
    assert not path.exists()
    log.append([event("아흐레", timestamp=NOON - timedelta(days=8, seconds=1))])
    log.append([event("이레", timestamp=NOON - timedelta(days=8) + timedelta(seconds=1)), event("오늘")])
    assert queries(log) == ["오늘", "이레"]
    for number in range(5):
        log.append([event(str(number), minutes=number)])
    assert queries(log) == ["4", "3", "2"]
    log.close()


def test_a_clock_put_forward_deletes_nothing(path: Path):
    """A clock a year ahead, and a restart while it is, cost no event; a day later it is believed, and what is old then goes."""
    now, monotonic = Moment(NOON), Seconds()
    log = opened(path, now=now, monotonic=monotonic)
    log.append([event("하나")])
    now.advance(days=365)
    log.append([event("앞선 시계", timestamp=now.now)])
    log.close()
    log = opened(path, now=now, monotonic=monotonic)
    log.append([event("다시 연 뒤", timestamp=now.now)])
    assert sorted(queries(log)) == ["다시 연 뒤", "앞선 시계", "하나"]
    monotonic.at_s += 24 * 60 * 60 + 1
    now.advance(days=1, seconds=1)
    log.append([event("하루 뒤", timestamp=now.now)])
    assert sorted(queries(log)) == ["다시 연 뒤", "앞선 시계", "하루 뒤"]
    log.close()


def test_events_survive_a_restart_and_are_closed_to_others(path: Path, log: SqliteEventLog):
    """A second log has the events of the first, a closed log opens again, and only the owner may read folder and files."""
    log.append([event("하나")])
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    log.close()
    second = opened(path)
    second.append([event("둘", minutes=1)])
    assert queries(second) == queries(log) == ["둘", "하나"]
    for file in path.parent.iterdir():
        file.unlink()
    log.append([event("후")])  # the connection is to a file that is gone
    assert queries(second) == queries(log) == ["후"]
    second.close()


def test_an_odd_row_is_passed_over(path: Path, log: SqliteEventLog):
    """Rows that were not written by the log are no events; the others are read, and the file stays."""
    log.append([event("하나")])
    at = (NOON - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE events")
        connection.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, event)")
        odd = ("{", b"\xff\xfe\x00", "\x00", 7, 2.5, None)
        connection.executemany("INSERT INTO events (at, event) VALUES (?, ?)", [(at, row) for row in odd])
        connection.execute("INSERT INTO events (at, event) VALUES (?, CAST(? AS TEXT))", (at, b"\xff\xfe\x00"))
    connection.close()
    log.append([event("둘", minutes=1)])
    assert queries(log) == ["둘"]
    assert not path.with_name("events.sqlite.broken").exists()


@pytest.fixture(scope="module")
def whole(folder: Path) -> bytes:
    """Return the bytes of a log of several pages that nothing beside the file belongs to."""
    log = opened(folder / "events.sqlite")
    log.append([event(f"질문 {number}", minutes=number / 100) for number in range(300)])
    log.close()
    assert [file.name for file in folder.iterdir()] == ["events.sqlite"]
    return (folder / "events.sqlite").read_bytes()


@pytest.mark.parametrize(
    ("stays", "changed"),
    [
        (slice(0, 0), b""),
        (slice(0, 0), b"garbage" * 2000),
        (slice(0, 0), b"SQLite format 3\x00" + b"\xff" * 5000),
        (slice(0, 4096 * 2 + 700), b""),
        (slice(0, 4096), bytes(4096 * 6)),
        (slice(1, None), b"X"),
        (slice(100, None), bytes(100)),
    ],
    ids=["zero-bytes", "garbage", "header-only", "cut-in-page", "pages-zeroed", "magic", "header"],
)
def test_a_broken_file_heals_itself(path: Path, whole: bytes, stays: slice, changed: bytes, caplog: pytest.LogCaptureFixture):
    """After any damage the next event is stored and read, in bounded time, and the broken file is beside."""
    path.parent.mkdir()
    path.write_bytes(changed + whole[stays] if stays.stop is None else whole[stays] + changed)
    began = time.monotonic()
    log = opened(path)
    log.append([event("danach", minutes=60)])
    assert queries(log)[0] == "danach"
    assert queries(log, NOON + timedelta(minutes=59)) == ["danach"]
    log.close()
    assert time.monotonic() - began < BOUND_S
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    if changed == b"garbage" * 2000:
        assert path.with_name("events.sqlite.broken").read_bytes() == changed
        assert [one.levelname for one in caplog.records] == ["WARNING"]


def test_flipped_bits_never_raise_anything_untyped(tmp_path: Path, whole: bytes):
    """Whatever bits change, reading and writing go well or raise StorageError, and never anything else."""
    for seed in range(16):
        chance, flipped = random.Random(seed), bytearray(whole)
        for _ in range(chance.choice((1, 5, 50))):
            flipped[chance.randrange(len(flipped) if seed % 2 else 4096)] ^= 1 << chance.randrange(8)
        (tmp_path / f"{seed}.sqlite").write_bytes(flipped)
        log = opened(tmp_path / f"{seed}.sqlite")
        with suppress(StorageError):
            queries(log)
        with suppress(StorageError):
            log.append([event("danach", minutes=60)])
        with suppress(StorageError):
            queries(log)
        log.close()


def test_a_database_of_another_program_is_moved_aside(path: Path, log: SqliteEventLog):
    """A file of the name with other tables is not written into."""
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE events (something TEXT)")
        connection.execute("INSERT INTO events VALUES ('mine')")
    connection.close()
    log.append([event()])
    assert queries(log) == ["훈민정음"]
    with sqlite3.connect(path.with_name("events.sqlite.broken")) as connection:
        assert connection.execute("SELECT * FROM events").fetchall() == [("mine",)]
    connection.close()


def test_a_file_of_a_later_version_is_left_alone(path: Path, log: SqliteEventLog):
    """A log made by a later version is neither read nor changed, and the reason is said."""
    log.append([event()])
    log.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    for work in (lambda: log.append([event()]), lambda: queries(log)):
        with pytest.raises(StorageError, match="version 99") as caught:
            work()
        assert "새 버전" in caught.value.korean
    log.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    connection.close()


@pytest.mark.parametrize("name", ["/proc/self/none/events.sqlite", "/dev/null/events.sqlite"])
def test_a_file_that_cannot_be_made_is_a_typed_error(name: str):
    """Where no file can be made, writing and reading ask to look at the rights."""
    log = opened(Path(name))
    for work in (lambda: log.append([event()]), lambda: queries(log)):
        with pytest.raises(StorageError) as caught:
            work()
        assert "권한" in caught.value.korean
    log.close()


def test_a_folder_in_its_place_is_a_typed_error(path: Path, log: SqliteEventLog):
    """A folder of the name stays, and the log says that it cannot be used."""
    path.mkdir(parents=True)
    with pytest.raises(StorageError):
        log.append([event()])
    assert path.is_dir()


def test_a_lock_held_for_long_is_waited_for_once(path: Path):
    """A file locked by another process: the first write waits shortly, the next ones fail at once, reading goes on."""
    clock = Seconds()
    log = opened(path, monotonic=clock)
    log.append([event("하나")])
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    with pytest.raises(StorageError) as caught:
        log.append([event("둘")])
    waited = time.monotonic() - began
    assert "다른 프로세스" in caught.value.korean
    assert 0.5 <= waited < BOUND_S
    began = time.monotonic()
    for _ in range(20):
        with pytest.raises(StorageError, match="locked"):
            log.append([event("셋")])
    assert time.monotonic() - began < 20 * 0.5
    assert queries(log) == ["하나"]
    holder.execute("ROLLBACK")
    holder.close()
    clock.at_s += 1.0
    log.append([event("넷")])
    assert sorted(queries(log)) == ["넷", "하나"]
    log.close()


def test_a_lock_held_before_opening_is_a_typed_error(path: Path, log: SqliteEventLog):
    """A new file that another process holds is neither waited for without end nor moved aside."""
    path.parent.mkdir()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    for work in (lambda: log.append([event()]), lambda: queries(log)):
        with pytest.raises(StorageError):
            work()
    assert time.monotonic() - began < BOUND_S
    holder.execute("ROLLBACK")
    holder.close()
    assert not path.with_name("events.sqlite.broken").exists()
    assert queries(log) == []


def test_a_disk_that_hangs_is_not_waited_for(tmp_path: Path):
    """A call that the disk holds up ends with StorageError when the patience is over."""
    hanging = tmp_path / "events.sqlite"
    os.mkfifo(hanging)  # opening a pipe for reading and writing works, reading from it waits
    log = SqliteEventLog(hanging, patience_s=0.3)
    began = time.monotonic()
    for work in (lambda: log.append([event()]), lambda: log.recent(EVER, 1)):
        with pytest.raises(StorageError):
            work()
    assert time.monotonic() - began < BOUND_S


def test_many_threads_share_it(log: SqliteEventLog):
    """Threads that append and read at once lose nothing and see no error."""
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(25):
                log.append([event(f"{name}-{number}")])
                assert f"{name}-{number}" in queries(log)
        except (StorageError, AssertionError) as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(queries(log)) == sorted(f"{name}-{number}" for name in range(8) for number in range(25))
