from __future__ import annotations

import json
import time

import pytest
from pydantic import SecretStr

from search_core.errors import StorageError
from search_core.storage import RedisConnection, RedisEventLog
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.clocks import Seconds
from tests.search_core.storage.events import AGREED, event, queries

KEY = "events:web_search"
BOUND_S = 20.0


@pytest.fixture
def log(connection: RedisConnection) -> RedisEventLog:
    return RedisEventLog(connection)


def test_the_list_holds_the_agreed_json_newest_first(server: RedisServer, log: RedisEventLog, connection: RedisConnection):
    """Every process that shares Redis finds one JSON object for each event under the agreed key."""
    log.append([event(), event("둘", minutes=1)])
    rows = connection.call(lambda redis: redis.lrange(KEY, 0, -1))
    assert [json.loads(row) for row in rows] == [
        AGREED | {"query": "둘", "timestamp": "2026-11-20T12:01:00Z"},
        AGREED,
    ]
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


def test_what_is_foreign_is_passed_over(log: RedisEventLog, connection: RedisConnection):
    """Damaged entries and those of other programs are no events; the others are read."""
    log.append([event("하나")])
    connection.call(lambda redis: redis.lpush(KEY, b"", b"{", b"\xff\xfe\x00", json.dumps({"type": "login", "user": "kim"})))
    log.append([event("둘", minutes=1)])
    assert queries(log) == ["둘", "하나"]


def test_a_key_of_another_kind_is_a_typed_error(log: RedisEventLog, connection: RedisConnection):
    """When something that is no list has the key, it stays and both calls raise."""
    connection.call(lambda redis: redis.set(KEY, "mine"))
    for work in (lambda: log.append([event()]), lambda: queries(log)):
        with pytest.raises(StorageError) as caught:
            work()
        assert "종류" in caught.value.korean
    assert connection.call(lambda redis: redis.get(KEY)) == b"mine"


def test_a_full_redis_is_a_typed_error(server: RedisServer, log: RedisEventLog):
    """A Redis without room refuses the event with a sentence that does not repeat it, and reading goes on."""
    log.append([event("하나")])
    assert server.say("CONFIG", "SET", "maxmemory", "1") == "+OK"
    with pytest.raises(StorageError) as caught:
        log.append([event("비밀 질문")])
    assert "메모리" in caught.value.korean
    assert "비밀" not in str(caught.value)
    assert queries(log) == ["하나"]


def test_a_redis_that_falls_silent_and_dies_is_a_typed_error(server: RedisServer, seconds: Seconds, log: RedisEventLog):
    """Paused, killed and restarted: calls end soon with StorageError, no events need none, and later events are stored."""
    log.append([event("하나")])
    server.pause()
    began = time.monotonic()
    for work in (lambda: log.append([event("둘")]), lambda: queries(log), lambda: log.append([event("셋")])):
        with pytest.raises(StorageError):
            work()
    assert time.monotonic() - began < BOUND_S
    log.append([])
    server.resume()
    server.kill()
    seconds.at_s += 5.0
    with pytest.raises(StorageError):
        queries(log)
    server.start()
    seconds.at_s += 5.0
    log.append([event("넷")])
    assert queries(log) == ["넷"]
