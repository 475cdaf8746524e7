"""Search events, stored in a file and in Redis."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pydantic import SecretStr

from search_core.domain.reply import SearchEvent, SearchStatus
from search_core.errors import StorageError
from search_core.storage.event_log import MAX_EVENT_BYTES, RedisEventLog, SqliteEventLog, pack, unpack
from search_core.storage.redis_connection import RedisConnection
from tests.loopback.redis_server import RedisServer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
AGREED = {
    "type": "web_search",
    "query": "훈민정음",
    "status": "success",
    "result_count": 3,
    "error_message": None,
    "provider": "wikipedia",
    "latency_ms": 12.5,
    "timestamp": "2026-11-20T12:00:00Z",
    "from_cache": False,
}
"""``event()`` in the JSON that is agreed."""


def event(query: str = "훈민정음", *, minutes: float = 0, **fields: object) -> SearchEvent:
    values = {"status": SearchStatus.SUCCESS, "result_count": 3, "provider": "wikipedia", "latency_ms": 12.5}
    return SearchEvent(**({"query": query, "timestamp": NOON + timedelta(minutes=minutes)} | values | fields))


def queries(log: SqliteEventLog | RedisEventLog, since: datetime = EVER, limit: int = 2000) -> list[str]:
    return [one.query for one in log.recent(since, limit)]


BOUND_S = 10.0
"""What must not hang is over long before; the log itself waits less than a second."""
SEOUL_EVENING = datetime(2026, 11, 21, 6, 30, tzinfo=ZoneInfo("Asia/Seoul"))
KEY = "events:web_search"


def opened(path: Path, **options: object) -> SqliteEventLog:
    return SqliteEventLog(path, **({"now": lambda: NOON} | options))


def refusals(log: SqliteEventLog) -> list[StorageError]:
    """Return why an event can neither be written nor read, which both is told in bounded time."""
    began, errors = time.monotonic(), []
    for work in (lambda: log.append([event()]), lambda: queries(log)):
        with pytest.raises(StorageError) as caught:
            work()
        errors.append(caught.value)
    assert time.monotonic() - began < BOUND_S
    return errors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "events.sqlite"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteEventLog]:
    """Open an empty log in a file."""
    with closing(opened(path)) as made:
        yield made


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
    assert queries(any_log, limit=2) == ["셋", "둘"]
    assert queries(any_log, limit=0) == []


def test_the_oldest_make_room(path: Path):
    """No more events than allowed stay, those appended last, and what is older than eight days goes; no events make no file."""
    with closing(opened(path, most=3)) as log:
        log.append([])
        assert not path.exists()
        log.append([event("아흐레", timestamp=NOON - timedelta(days=8, seconds=1))])
        log.append([event("이레", timestamp=NOON - timedelta(days=8) + timedelta(seconds=1)), event("오늘")])
        assert queries(log) == ["오늘", "이레"]
        for number in range(5):
            log.append([event(str(number), minutes=number)])
        assert queries(log) == ["4", "3", "2"]


def test_events_survive_a_restart_and_are_closed_to_others(path: Path, log: SqliteEventLog):
    """A second log has the events of the first, a closed log opens again, and only the owner may read folder and files."""
    log.append([event("하나")])
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    log.close()
    with closing(opened(path)) as second:
        second.append([event("둘", minutes=1)])
        assert queries(second) == queries(log) == ["둘", "하나"]
        for file in path.parent.iterdir():
            file.unlink()
        log.append([event("후")])  # the connection is to a file that is gone
        assert queries(second) == queries(log) == ["후"]


def test_a_damaged_file_is_named_until_it_is_moved_away(path: Path, log: SqliteEventLog):
    """Neither written nor read, it stays as it is; where it was moved away meanwhile the next event begins a new one."""
    path.parent.mkdir()
    path.write_bytes(b"garbage" * 2000)
    for error in refusals(log):
        assert "events.sqlite" in str(error)
        assert "옮기면" in error.korean
    assert path.read_bytes() == b"garbage" * 2000
    path.rename(path.with_name("aside"))
    log.append([event("danach")])
    assert queries(log) == ["danach"]


def test_an_event_is_the_json_that_is_agreed():
    """The row has exactly the agreed fields, the time in ISO 8601 with Z, and reads as the same event at the same moment."""
    assert json.loads(pack(event())) == AGREED
    failure = {"status": SearchStatus.TIMEOUT, "result_count": 0, "error_message": "No answer within 10 s.", "from_cache": True}
    late = event("질문", timestamp=SEOUL_EVENING, **failure)
    expected = {"query": "질문", "status": "timeout", "timestamp": "2026-11-20T21:30:00Z"}
    assert json.loads(pack(late)) == AGREED | failure | expected
    assert unpack(pack(late)) == late
    assert unpack(json.dumps(AGREED | {"country": "KR"})) == event()  # a later version may have more fields
    odd = unpack(pack(event("가\ud800나", error_message="\udfff")))
    assert odd is not None
    assert (odd.query, odd.error_message) == ("가\ufffd나", "\ufffd")


CHANGED = [
    {"status": "splendid"},
    {"result_count": -1},
    {"timestamp": "2026-11-20T12:00:00"},
    {"query": "x" * MAX_EVENT_BYTES},
]


@pytest.mark.parametrize(
    "row",
    [b"", "[1, 2]", 7, None, b"\xff\xfe\x00", b"\x80\x04\x95cposix\nsystem\n(S'true'\ntR.", '{"type": "login"}']
    + [json.dumps(AGREED | changes) for changes in CHANGED],
)
def test_what_is_no_event_is_none(row: object):
    """A row that was not written by an event log is no event, and none of it is executed."""
    assert unpack(row) is None


@pytest.fixture
def redis_log(connection: RedisConnection) -> RedisEventLog:
    return RedisEventLog(connection)


def test_the_list_holds_the_agreed_json_newest_first(server: RedisServer, redis_log: RedisEventLog, connection: RedisConnection):
    """Every process finds one JSON object for each event under the agreed key; what is foreign is passed over."""
    redis_log.append([event(), event("둘", minutes=1)])
    rows = connection.call(lambda redis: redis.lrange(KEY, 0, -1))
    assert [json.loads(row) for row in rows] == [AGREED | {"query": "둘", "timestamp": "2026-11-20T12:01:00Z"}, AGREED]
    connection.call(lambda redis: redis.lpush(KEY, b"", b"{", b"\xff\xfe\x00", json.dumps({"type": "login", "user": "kim"})))
    second = RedisEventLog(RedisConnection(SecretStr(server.url), timeout_s=5.0))
    second.append([event("셋", minutes=2)])
    assert queries(second) == queries(redis_log) == ["셋", "둘", "훈민정음"]
    second.close()


def test_a_thousand_are_stored(redis_log: RedisEventLog, connection: RedisConnection):
    """The list never holds more than 1,000 events, the newest, however many come at once."""
    redis_log.append([event(str(number), minutes=number / 100) for number in range(900)])
    redis_log.append([event(str(number), minutes=number / 100) for number in range(900, 1100)])
    assert connection.call(lambda redis: redis.llen(KEY)) == 1000
    assert queries(redis_log) == [str(number) for number in range(1099, 99, -1)]
    redis_log.append([event(str(number), minutes=number / 100) for number in range(1100, 3000)])
    assert queries(redis_log) == [str(number) for number in range(2999, 1999, -1)]
