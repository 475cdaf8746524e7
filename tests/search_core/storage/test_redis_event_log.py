"""Search events in Redis, beside what ``test_event_log.py`` holds of both logs."""

from __future__ import annotations

import json

import pytest
from pydantic import SecretStr

from search_core.errors import StorageError
from search_core.storage import RedisConnection, RedisEventLog
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.clocks import Seconds
from tests.search_core.storage.events import AGREED, event, queries

KEY = "events:web_search"


@pytest.fixture
def log(connection: RedisConnection) -> RedisEventLog:
    return RedisEventLog(connection)


def test_the_list_holds_the_agreed_json_newest_first(server: RedisServer, log: RedisEventLog, connection: RedisConnection):
    """Every process finds one JSON object for each event under the agreed key; what is foreign is passed over."""
    log.append([event(), event("둘", minutes=1)])
    rows = connection.call(lambda redis: redis.lrange(KEY, 0, -1))
    assert [json.loads(row) for row in rows] == [AGREED | {"query": "둘", "timestamp": "2026-11-20T12:01:00Z"}, AGREED]
    connection.call(lambda redis: redis.lpush(KEY, b"", b"{", b"\xff\xfe\x00", json.dumps({"type": "login", "user": "kim"})))
    second = RedisEventLog(RedisConnection(SecretStr(server.url), timeout_s=5.0))
    second.append([event("셋", minutes=2)])
    assert queries(second) == queries(log) == ["셋", "둘", "훈민정음"]
    second.close()


def test_a_thousand_are_stored(log: RedisEventLog, connection: RedisConnection):
    """The list never holds more than 1,000 events, the newest, however many come at once."""
    log.append([event(str(number), minutes=number / 100) for number in range(900)])
    log.append([event(str(number), minutes=number / 100) for number in range(900, 1100)])
    assert connection.call(lambda redis: redis.llen(KEY)) == 1000
    assert queries(log) == [str(number) for number in range(1099, 99, -1)]
    log.append([event(str(number), minutes=number / 100) for number in range(1100, 3000)])
    assert queries(log) == [str(number) for number in range(2999, 1999, -1)]


def test_a_redis_that_fails_is_a_typed_error(server: RedisServer, seconds: Seconds, log: RedisEventLog):
    """No room and no server raise, no events need none, and later events are stored."""
    log.append([event("하나")])
    server.say("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(StorageError) as caught:
        log.append([event("비밀 질문")])
    assert "메모리" in caught.value.korean
    assert "비밀" not in str(caught.value)
    assert queries(log) == ["하나"]
    server.kill()
    with pytest.raises(StorageError):
        queries(log)
    log.append([])
    server.start()
    seconds.at_s += 5.0
    log.append([event("넷")])
    assert queries(log) == ["넷"]
