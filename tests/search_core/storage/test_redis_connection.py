from __future__ import annotations

import logging
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from search_core.errors import SettingsError, StorageError
from search_core.storage.redis_connection import RedisConnection
from tests.loopback.redis_server import RedisServer
from tests.search_core.storage.conftest import REDIS_TIMEOUT_S, Seconds

PASSWORD = "canary/7Q#x2?"
WRITTEN = "canary%2F7Q%23x2%3F"
BOUND_S = 8.0
"""Far less than twenty callers take that wait one after another, and more than a busy machine needs for one wait."""


def to(url: str) -> RedisConnection:
    return RedisConnection(SecretStr(url), timeout_s=REDIS_TIMEOUT_S, monotonic=Seconds())


def ping(connection: RedisConnection) -> bool:
    return connection.call(lambda redis: bool(redis.ping()))


def refusal(connection: RedisConnection) -> tuple[str, float]:
    """Return the text of the refused call's error, and how long the call took."""
    began = time.monotonic()
    with pytest.raises(StorageError) as caught:
        ping(connection)
    took = time.monotonic() - began
    assert caught.value.korean.endswith("요.")
    assert "canary" not in f"{caught.value} {caught.value.korean}"
    return str(caught.value), took


def test_a_silent_redis_is_waited_for_once(server: RedisServer, connection: RedisConnection, seconds: Seconds):
    """While Redis is paused the first calls of many threads wait shortly, further ones fail at once, and later all works."""
    assert ping(connection)
    server.pause()
    began = time.monotonic()
    with ThreadPoolExecutor(20) as threads:
        first = list(threads.map(lambda _: refusal(connection), range(20)))
    assert 0.9 * REDIS_TIMEOUT_S <= time.monotonic() - began < BOUND_S
    again = [refusal(connection) for _ in range(50)]
    assert {text for text, _ in first + again} == {f"Redis at 127.0.0.1:{server.port} cannot be used: no answer in time"}
    assert sum(took for _, took in again) < 50 * 0.9 * REDIS_TIMEOUT_S
    seconds.at_s += 5.0
    assert 0.9 * REDIS_TIMEOUT_S <= refusal(connection)[1] < BOUND_S
    server.resume()
    refusal(connection)
    seconds.at_s += 5.0
    assert ping(connection)
    server.pause()
    as_the_app_does = RedisConnection(SecretStr(server.url))
    assert 0.2 <= refusal(as_the_app_does)[1] < BOUND_S
    as_the_app_does.close()


def test_what_redis_refuses_does_not_make_it_down(server: RedisServer, connection: RedisConnection):
    """A refused command raises without repeating it, and the next call is made at once."""
    connection.call(lambda redis: redis.set("key", "text"))
    with pytest.raises(StorageError) as caught:
        connection.call(lambda redis: redis.lpush("key", "a secret question"))
    assert str(caught.value) == f"Redis at 127.0.0.1:{server.port} cannot be used: ResponseError"
    assert "종류" in caught.value.korean
    with pytest.raises(StorageError) as caught:
        connection.call(lambda redis: redis.execute_command("NOSUCH", "a secret question"))
    assert "question" not in str(caught.value)
    assert ping(connection)


def test_a_password_a_database_and_a_socket_file(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A password with %XX opens, by host and by socket file; without it or with another the error repeats no part of it."""
    with RedisServer(f"--unixsocket {tmp_path / 's'}", password=PASSWORD) as server, caplog.at_level(logging.DEBUG):
        host = f"127.0.0.1:{server.port}"
        for url, place in (
            (f"redis://:{WRITTEN}@{host}/3", host),
            (f"unix://{tmp_path / 's'}?db=3&password={WRITTEN}", str(tmp_path / "s")),
        ):
            connection = to(url)
            assert connection.call(lambda redis: redis.client_list())[0]["db"] == "3"
            assert connection.place == place
            assert "canary" not in f"{connection!r} {vars(connection)['place']}"
            connection.close()
        for wrong in ("", f":{WRITTEN}-wrong@"):
            connection = to(f"redis://{wrong}{host}/0")
            assert refusal(connection)[0] == f"Redis at {host} cannot be used: wrong user or password"
            connection.close()
    assert "canary" not in caplog.text


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://localhost:6379",
        "unix://",
        "redis://:canary/x@host:6379/0",
        "redis://:canary@host:6379/0?nosuch=1",
    ],
)
def test_an_address_that_cannot_be_read_names_the_setting(url: str):
    """A bad address is an error of the setting at the start, and the error does not repeat it."""
    with pytest.raises(SettingsError, match="REDIS_URL") as caught:
        to(url)
    texts = f"{caught.value} {caught.value.korean} {caught.value.__cause__} {caught.value.__context__}"
    assert "canary" not in texts
    assert "host:6379" not in texts
    assert "REDIS_URL" in caught.value.korean


def test_a_client_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch):
    """REDIS_URL without redis-py is refused at once, with the command that installs it."""
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(SettingsError, match="make scaling") as caught:
        to("redis://:canary@127.0.0.1:6379/0")
    assert "make scaling" in caught.value.korean
    assert "canary" not in f"{caught.value} {caught.value.korean}"
