from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import SecretStr

from search_core.domain import SearchEvent, SearchStatus
from search_core.errors import StorageError
from search_core.storage import RedisConnection, RedisEventLog
from tests.loopback.redis_server import RedisServer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
KEY = "events:web_search"
BOUND_S = 20.0


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def event(query: str = "훈민정음", *, minutes: float = 0, **fields: object) -> SearchEvent:
    values = {"status": SearchStatus.SUCCESS, "result_count": 3, "provider": "wikipedia", "latency_ms": 12.5}
    return SearchEvent(**({"query": query, "timestamp": NOON + timedelta(minutes=minutes)} | values | fields))


def queries(log: RedisEventLog, since: datetime = EVER, limit: int = 2000) -> list[str]:
    return [one.query for one in log.recent(since, limit)]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def connection(server: RedisServer, clock: Clock):
    way = RedisConnection(SecretStr(server.url), timeout_s=1.0, pause_s=5.0, monotonic=clock)
    yield way
    way.close()


@pytest.fixture
def log(connection: RedisConnection) -> RedisEventLog:
    return RedisEventLog(connection)


def test_an_event_is_the_json_that_is_agreed(log: RedisEventLog, connection: RedisConnection):
    """The list holds one JSON object for each event, with exactly the agreed fields and the time in ISO 8601 with Z."""
    log.append(
        [
            event(),
            event(
                "질문",
                timestamp=datetime(2026, 11, 20, 21, 30, tzinfo=UTC),
                status=SearchStatus.TIMEOUT,
                result_count=0,
                error_message="No answer within 10 s.",
                provider="brave",
                latency_ms=10_000.0,
                from_cache=True,
            ),
        ]
    )
    rows = connection.call(lambda redis: redis.lrange(KEY, 0, -1))
    assert [json.loads(row) for row in rows] == [
        {
            "type": "web_search",
            "query": "질문",
            "status": "timeout",
            "result_count": 0,
            "error_message": "No answer within 10 s.",
            "provider": "brave",
            "latency_ms": 10_000.0,
            "timestamp": "2026-11-20T21:30:00Z",
            "from_cache": True,
        },
        {
            "type": "web_search",
            "query": "훈민정음",
            "status": "success",
            "result_count": 3,
            "error_message": None,
            "provider": "wikipedia",
            "latency_ms": 12.5,
            "timestamp": "2026-11-20T12:00:00Z",
            "from_cache": False,
        },
    ]


def test_an_event_comes_back_as_it_was(log: RedisEventLog):
    """Every field of an event is what was appended."""
    failed = event("둘", minutes=1, status=SearchStatus.BLOCKED, result_count=0, error_message="Blocked.", from_cache=True)
    log.append([event(), failed])
    assert log.recent(EVER, 10) == [failed, event()]


def test_the_newest_come_first_and_are_cut(log: RedisEventLog):
    """Events come newest first by their time, whichever process was first to write, and no more than asked."""
    log.append([event("둘", minutes=2), event("하나", minutes=1)])
    log.append([event("셋", minutes=3), event("영")])
    assert queries(log) == ["셋", "둘", "하나", "영"]
    assert queries(log, NOON + timedelta(minutes=1)) == ["셋", "둘", "하나"]
    assert queries(log, limit=2) == ["셋", "둘"]
    assert queries(log, limit=0) == []


def test_a_thousand_are_kept(log: RedisEventLog, connection: RedisConnection):
    """The list never holds more than 1,000 events, the newest, however many come at once."""
    log.append([event(str(number), minutes=number / 100) for number in range(900)])
    log.append([event(str(number), minutes=number / 100) for number in range(900, 1100)])
    assert connection.call(lambda redis: redis.llen(KEY)) == 1000
    assert queries(log) == [str(number) for number in range(1099, 99, -1)]
    log.append([event(str(number), minutes=number / 100) for number in range(1100, 3000)])
    assert queries(log) == [str(number) for number in range(2999, 1999, -1)]


def test_no_events_are_no_call(server: RedisServer, log: RedisEventLog):
    """Appending nothing asks nobody."""
    server.kill()
    log.append([])
    with pytest.raises(StorageError):
        log.append([event("하나")])


def test_what_is_foreign_is_passed_over(log: RedisEventLog, connection: RedisConnection):
    """Entries of other programs, damaged ones and planted ones are no events; the others are read."""
    log.append([event("하나")])
    good = json.loads(connection.call(lambda redis: redis.lindex(KEY, 0)))
    foreign = [
        b"",
        b"{",
        b"null",
        b"[1, 2]",
        b"\xff\xfe\x00",
        b"\x80\x04\x95cposix\nsystem\n(S'true'\ntR.",
        b"!!python/object/apply:os.system ['true']",
        json.dumps(good | {"status": "splendid"}),
        json.dumps(good | {"timestamp": "2026-11-20T12:00:00"}),
        json.dumps(good | {"result_count": "many"}),
        json.dumps(good | {"query": "x" * 100_000}),
        json.dumps({"type": "login", "user": "kim"}),
    ]
    connection.call(lambda redis: redis.lpush(KEY, *foreign))
    log.append([event("둘", minutes=1)])
    assert queries(log) == ["둘", "하나"]


def test_an_event_with_more_fields_is_read(log: RedisEventLog, connection: RedisConnection):
    """An event of a later version, with fields that are not known here, is still an event."""
    log.append([event("하나")])
    later = json.loads(connection.call(lambda redis: redis.lindex(KEY, 0))) | {"query": "뒤", "country": "KR"}
    connection.call(lambda redis: redis.lpush(KEY, json.dumps(later)))
    assert sorted(queries(log)) == ["뒤", "하나"]


def test_a_key_of_another_kind_is_a_typed_error(log: RedisEventLog, connection: RedisConnection):
    """When something that is no list stands under the key, it stays and the log says so."""
    connection.call(lambda redis: redis.set(KEY, "mine"))
    for work in (lambda: log.append([event()]), lambda: queries(log)):
        with pytest.raises(StorageError) as caught:
            work()
        assert "종류" in caught.value.korean
    assert connection.call(lambda redis: redis.get(KEY)) == b"mine"


def test_a_full_redis_is_a_typed_error():
    """A Redis without room refuses the event with a sentence that does not repeat it, and reading goes on."""
    with RedisServer("--maxmemory-policy noeviction") as server:
        connection = RedisConnection(SecretStr(server.url), timeout_s=5.0)
        log = RedisEventLog(connection)
        log.append([event("하나")])
        assert server.say("CONFIG", "SET", "maxmemory", "1") == "+OK"
        with pytest.raises(StorageError) as caught:
            log.append([event("비밀 질문")])
        assert "메모리" in caught.value.korean
        assert "비밀" not in str(caught.value)
        assert queries(log) == ["하나"]
        connection.close()


def test_a_redis_that_falls_silent_and_dies_is_a_typed_error(server: RedisServer, clock: Clock, log: RedisEventLog):
    """Paused, killed and restarted: every call ends soon, with StorageError while it lasts, and afterwards events are kept."""
    log.append([event("하나")])
    server.pause()
    began = time.monotonic()
    for work in (lambda: log.append([event("둘")]), lambda: queries(log), lambda: log.append([event("셋")])):
        with pytest.raises(StorageError):
            work()
    assert time.monotonic() - began < BOUND_S
    server.resume()
    server.kill()
    clock.seconds += 5.0
    with pytest.raises(StorageError):
        queries(log)
    server.start()
    clock.seconds += 5.0
    log.append([event("넷")])
    assert queries(log) == ["넷"]


def test_two_processes_share_it(server: RedisServer, log: RedisEventLog):
    """What one log keeps another one over the same Redis reads."""
    log.append([event("하나")])
    way = RedisConnection(SecretStr(server.url), timeout_s=5.0)
    second = RedisEventLog(way)
    second.append([event("둘", minutes=1)])
    assert queries(second) == queries(log) == ["둘", "하나"]
    second.close()
