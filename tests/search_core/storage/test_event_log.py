from __future__ import annotations

import json
import os
import random
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from search_core.domain import SearchEvent, SearchStatus
from search_core.errors import StorageError
from search_core.storage import SqliteEventLog

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
PATIENT_S = 30.0
"""Long enough that a busy machine is no reason for a failure."""
BOUND_S = 10.0
"""What must not hang is over long before; the log itself waits less than a second."""


def event(query: str = "훈민정음", *, minutes: float = 0, **fields: object) -> SearchEvent:
    values = {"status": SearchStatus.SUCCESS, "result_count": 3, "provider": "wikipedia", "latency_ms": 12.5}
    return SearchEvent(**({"query": query, "timestamp": NOON + timedelta(minutes=minutes)} | values | fields))


def queries(log: SqliteEventLog, since: datetime = EVER, limit: int = 1000) -> list[str]:
    return [one.query for one in log.recent(since, limit)]


def opened(path: Path, **options: object) -> SqliteEventLog:
    return SqliteEventLog(path, **({"now": lambda: NOON, "patience_s": PATIENT_S} | options))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "events.sqlite"


@pytest.fixture
def log(path: Path):
    kept = opened(path)
    yield kept
    kept.close()


def test_an_event_comes_back_as_it_was(log: SqliteEventLog):
    """Every field of an event is what was appended, the time to the microsecond."""
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
    log.append([event(), failed])
    assert log.recent(EVER, 10) == [event(), failed]


def test_a_time_of_another_zone_is_the_same_moment(log: SqliteEventLog):
    """Events are ordered and cut off by moment, whatever zone they name."""
    seoul = NOON.astimezone(ZoneInfo("Asia/Seoul"))
    log.append([event("서울", timestamp=seoul), event("전", minutes=-1)])
    assert queries(log, NOON) == ["서울"]


def test_the_newest_come_first_and_are_cut(log: SqliteEventLog):
    """Events come newest first by their time, no older than asked and no more than asked."""
    log.append([event("둘", minutes=2), event("하나", minutes=1)])
    log.append([event("셋", minutes=3), event("영")])
    assert queries(log) == ["셋", "둘", "하나", "영"]
    assert queries(log, NOON + timedelta(minutes=1)) == ["셋", "둘", "하나"]
    assert queries(log, limit=2) == ["셋", "둘"]
    assert queries(log, limit=0) == []


def test_no_events_are_no_work(path: Path, log: SqliteEventLog):
    """Appending nothing makes no file."""
    log.append([])
    assert not path.exists()


def test_the_oldest_make_room(path: Path):
    """No more events than allowed are kept, those appended last."""
    log = opened(path, most=3)
    for number in range(5):
        log.append([event(str(number), minutes=number)])
    assert queries(log) == ["4", "3", "2"]
    log.close()


def test_events_of_last_week_are_dropped(path: Path):
    """What is older than eight days goes when something is appended, what is younger stays."""
    log = opened(path)
    log.append([event("아흐레", timestamp=NOON - timedelta(days=8, seconds=1))])
    log.append([event("이레", timestamp=NOON - timedelta(days=8) + timedelta(seconds=1)), event("오늘")])
    assert queries(log) == ["오늘", "이레"]
    log.close()


def test_a_clock_put_forward_deletes_nothing(path: Path):
    """A clock a year ahead, and a restart while it is, cost no event; a day later it is believed, and what is old then goes."""
    clock, passed = [NOON], [0.0]
    options = {"now": lambda: clock[0], "monotonic": lambda: passed[0]}
    log = opened(path, **options)
    log.append([event("하나")])
    clock[0] = NOON + timedelta(days=365)
    log.append([event("앞선 시계", timestamp=clock[0])])
    log.close()
    log = opened(path, **options)
    log.append([event("다시 연 뒤", timestamp=clock[0])])
    assert sorted(queries(log)) == ["다시 연 뒤", "앞선 시계", "하나"]
    passed[0] += 24 * 60 * 60 + 1
    clock[0] += timedelta(days=1, seconds=1)
    log.append([event("하루 뒤", timestamp=clock[0])])
    assert sorted(queries(log)) == ["다시 연 뒤", "앞선 시계", "하루 뒤"]
    log.close()


def test_events_survive_a_restart(path: Path, log: SqliteEventLog):
    """A second log over the same file has the events of the first, and a closed log opens again."""
    log.append([event("하나")])
    log.close()
    second = opened(path)
    second.append([event("둘", minutes=1)])
    assert queries(second) == queries(log) == ["둘", "하나"]
    second.close()


def test_only_the_owner_may_read(path: Path, log: SqliteEventLog):
    """Folder and files are closed to other users of the machine, for the log holds questions."""
    log.append([event()])
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_text_that_is_no_unicode_is_kept_readably(log: SqliteEventLog):
    """A lone surrogate becomes a question mark; the event is not lost for it."""
    log.append([event("가\ud800나", error_message="\udfff")])
    assert [(one.query, one.error_message) for one in log.recent(EVER, 1)] == [("가?나", "?")]


GOOD = {
    "type": "web_search",
    "query": "심은 것",
    "status": "success",
    "result_count": 1,
    "error_message": None,
    "provider": "w",
    "latency_ms": 1.0,
    "timestamp": "2026-11-20T12:00:00Z",
    "from_cache": False,
}


@pytest.mark.parametrize(
    "odd",
    [
        "{",
        "[]",
        "7",
        b"\xff\xfe\x00",
        "\x00",
        7,
        2.5,
        None,
        json.dumps(GOOD | {"status": "splendid"}),
        json.dumps(GOOD | {"timestamp": "2026-11-20T12:00:00"}),
        json.dumps(GOOD | {"timestamp": "yesterday"}),
        json.dumps(GOOD | {"timestamp": "1999-01-01T00:00:00Z"}),
        json.dumps(GOOD | {"result_count": -1}),
        json.dumps(GOOD | {"latency_ms": float("nan")}),
        json.dumps(GOOD | {"latency_ms": float("inf")}),
        json.dumps({key: value for key, value in GOOD.items() if key != "provider"}),
        json.dumps(GOOD | {"query": "x" * 100_000}),
        b"\x80\x04\x95K\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.",
    ],
)
def test_an_odd_row_is_passed_over(path: Path, log: SqliteEventLog, odd: object):
    """A row that was not written by the log is no event; the others are read, and the file stays."""
    log.append([event("하나")])
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE odd AS SELECT id, at, event FROM events LIMIT 0")
        connection.execute("DROP TABLE events")
        connection.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, event)")
        row = (NOON - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        connection.execute("INSERT INTO events (at, event) VALUES (?, ?)", (row, odd))
        if isinstance(odd, bytes):
            connection.execute("INSERT INTO events (at, event) VALUES (?, CAST(? AS TEXT))", (row, odd))
        connection.execute("INSERT INTO events (at, event) VALUES (?, ?)", (row, json.dumps(GOOD)))
    connection.close()
    log.append([event("둘", minutes=1)])
    assert queries(log) == ["둘", "심은 것"]
    assert not path.with_name("events.sqlite.broken").exists()


def full_log(path: Path) -> bytes:
    """Return the bytes of a log of several pages that nothing beside the file belongs to."""
    log = opened(path)
    log.append([event(f"질문 {number}", minutes=number / 100) for number in range(300)])
    log.close()
    assert [file.name for file in path.parent.iterdir()] == ["events.sqlite"]
    return path.read_bytes()


@pytest.mark.parametrize(
    ("kept", "changed"),
    [
        (slice(0, 0), b""),
        (slice(0, 0), b"cut"),
        (slice(0, 0), b"garbage" * 2000),
        (slice(0, 0), b"SQLite format 3\x00" + b"\xff" * 5000),
        (slice(0, 4096), b""),
        (slice(0, 4096 * 2 + 700), b""),
        (slice(0, 4096), bytes(4096 * 6)),
        (slice(1, None), b"X"),
        (slice(100, None), bytes(100)),
    ],
    ids=["zero-bytes", "short", "garbage", "header-only", "one-page", "cut-in-page", "pages-zeroed", "magic", "header"],
)
def test_a_broken_file_heals_itself(path: Path, kept: slice, changed: bytes):
    """After any damage the next event is kept and read, in bounded time, and the broken file is beside."""
    whole = full_log(path)
    path.write_bytes(changed + whole[kept] if kept.stop is None else whole[kept] + changed)
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


@pytest.mark.parametrize("seed", range(40))
def test_flipped_bits_never_raise_anything_untyped(path: Path, seed: int):
    """Whatever bits change, reading and writing go well or raise StorageError, and never anything else."""
    whole = bytearray(full_log(path))
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 5, 50))):
        whole[chance.randrange(len(whole) if seed % 2 else 4096)] ^= 1 << chance.randrange(8)
    path.write_bytes(whole)
    log = opened(path)
    ended: list[object] = []
    for work in (lambda: queries(log), lambda: log.append([event("danach", minutes=60)]), lambda: queries(log)):
        try:
            ended.append(work())
        except StorageError as error:
            ended.append(error)
    log.close()
    before, written, after = ended
    assert isinstance(before, list | StorageError)
    assert written is None or isinstance(written, StorageError)
    assert isinstance(after, list | StorageError)


def test_a_broken_file_is_kept_aside(path: Path, caplog: pytest.LogCaptureFixture):
    """What was broken stays for whoever wants to look, and the log says so."""
    path.parent.mkdir()
    path.write_bytes(b"garbage" * 2000)
    log = opened(path)
    assert queries(log) == []
    log.append([event()])
    log.close()
    assert path.with_name("events.sqlite.broken").read_bytes() == b"garbage" * 2000
    assert [one.levelname for one in caplog.records] == ["WARNING"]


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


def test_a_file_deleted_under_it_is_begun_anew(path: Path, log: SqliteEventLog):
    """An event acknowledged after the file was deleted or replaced is in the file that has the name."""
    log.append([event("전")])
    for file in path.parent.iterdir():
        file.unlink()
    log.append([event("후")])
    second = opened(path)
    assert queries(second) == queries(log) == ["후"]
    second.close()


@pytest.mark.parametrize("place", ["/proc/self/none/events.sqlite", "/dev/null/events.sqlite", "/proc/events.sqlite"])
def test_a_place_that_cannot_be_written_is_a_typed_error(place: str):
    """Where no file can be made, writing and reading say what to look at."""
    log = opened(Path(place))
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


READ_ONLY = """
import os, sys
from datetime import UTC, datetime
from search_core.domain import SearchEvent, SearchStatus
from search_core.errors import StorageError
from search_core.storage import SqliteEventLog

if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere, nobody may not
log = SqliteEventLog(sys.argv[1], patience_s=30)
now = datetime.now(UTC)
event = SearchEvent(query="q", status=SearchStatus.SUCCESS, result_count=1, provider="p", latency_ms=1.0, timestamp=now)
for work in (lambda: log.append([event]), lambda: log.recent(now, 1)):
    try:
        work()
    except StorageError as error:
        print("권한" in error.korean)
"""


def test_a_read_only_folder_is_a_typed_error(path: Path, log: SqliteEventLog):
    """In a folder that cannot be written to nothing but StorageError is raised, and the file stays as it is."""
    log.append([event()])
    log.close()
    with tempfile.TemporaryDirectory() as name:  # pytest's own folder is closed to others
        image = Path(name) / "events.sqlite"
        image.write_bytes(path.read_bytes())
        image.chmod(0o444)
        image.parent.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, str(image)]
        told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3])
        image.parent.chmod(0o755)
        assert (told.stdout.split(), told.stderr) == (["True", "True"], "")
        assert image.read_bytes() == path.read_bytes()


FULL = """
import resource, sys
from datetime import UTC, datetime
from search_core.domain import SearchEvent, SearchStatus
from search_core.errors import StorageError
from search_core.storage import SqliteEventLog
log = SqliteEventLog(sys.argv[1], patience_s=30, monotonic=lambda: next(ticks))
ticks = iter(range(0, 10**9, 100))
now = datetime.now(UTC)
def event(query):
    return SearchEvent(query=query, status=SearchStatus.SUCCESS, result_count=1, provider="p", latency_ms=1.0, timestamp=now)
log.append([event("before")])
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, unlimited[1]))
for _ in range(3):
    try:
        log.append([event("x" * 10_000)])
        print("written")
    except StorageError:
        print("refused")
resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
log.append([event("after")])
print(*sorted(one.query for one in log.recent(now, 10)))
"""


def test_a_full_disk_is_a_typed_error(path: Path):
    """When no byte more can be written appending is refused; with room again it works without a restart, nothing lost."""
    path.parent.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[3]
    )
    assert (done.stdout.split(), done.stderr) == (["refused", "refused", "refused", "after", "before"], "")


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_lock_held_for_long_is_waited_for_once(path: Path):
    """A file locked by another process: the first write waits shortly, the next ones fail at once, reading goes on."""
    clock = Clock()
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
    clock.seconds += 1.0
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
