from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from pydantic import SecretStr

from search_core.errors import SettingsError, StorageError
from search_core.storage import RedisConnection
from tests.loopback.redis_server import RedisServer

ROOT = Path(__file__).parents[3]
TIMEOUT_S = 1.0
"""Four times the real one: a busy machine may take as long for a real answer."""
PASSWORD = "canary-7Qx2"
BOUND_S = 20.0
"""A busy machine is slow; redis-py as it comes would wait longer still."""


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def to(url: str, clock: Clock | None = None) -> RedisConnection:
    return RedisConnection(SecretStr(url), timeout_s=TIMEOUT_S, pause_s=5.0, monotonic=clock or Clock())


def ping(connection: RedisConnection) -> bool:
    return connection.call(lambda redis: bool(redis.ping()))


def refusal(connection: RedisConnection) -> tuple[str, float]:
    """Return what the refused call says, and how long it took."""
    began = time.monotonic()
    with pytest.raises(StorageError) as caught:
        ping(connection)
    took = time.monotonic() - began
    assert caught.value.korean.endswith("요.")
    assert PASSWORD not in f"{caught.value} {caught.value.korean}"
    return str(caught.value), took


def test_it_works_and_tells_nothing_of_itself(server: RedisServer):
    """A call reaches Redis, and the server has seen neither a name nor a library of the client."""
    connection = to(server.url)
    assert ping(connection)
    clients = connection.call(lambda redis: redis.client_list())
    assert [(one["name"], one.get("lib-name", ""), one.get("resp", "2")) for one in clients] == [("", "", "2")]
    assert connection.place == f"127.0.0.1:{server.port}"
    connection.close()


def test_a_silent_redis_is_waited_for_once(server: RedisServer):
    """While Redis is paused the first call waits shortly, further ones fail at once, and after the pause it works again."""
    clock = Clock()
    connection = to(server.url, clock)
    assert ping(connection)
    server.pause()
    said, took = refusal(connection)
    assert said == f"Redis at 127.0.0.1:{server.port} cannot be used: no answer in time"
    assert 0.9 <= took < BOUND_S
    again = [refusal(connection) for _ in range(50)]
    assert {text for text, _ in again} == {said}
    assert sum(took for _, took in again) < 50 * 0.9
    clock.seconds += 5.0
    said, took = refusal(connection)
    assert 0.9 <= took < BOUND_S
    server.resume()
    assert refusal(connection)[0] == said
    clock.seconds += 5.0
    assert ping(connection)
    connection.close()


def test_it_waits_a_quarter_of_a_second(server: RedisServer):
    """As the app uses it, the first call to a silent Redis gives up after 0.25 s, and the next one at once."""
    server.pause()
    connection = RedisConnection(SecretStr(server.url))
    assert 0.2 <= refusal(connection)[1] < BOUND_S
    connection.close()


def test_a_killed_redis_is_found_again(server: RedisServer):
    """A killed Redis fails at once; when it is back the first call after the pause works."""
    clock = Clock()
    connection = to(server.url, clock)
    assert ping(connection)
    server.kill()
    assert refusal(connection)[0] == f"Redis at 127.0.0.1:{server.port} cannot be used: ConnectionError"
    server.start()
    refusal(connection)
    clock.seconds += 5.0
    assert ping(connection)
    connection.close()


def test_a_restart_between_two_calls_is_not_noticed(server: RedisServer):
    """When Redis was down only while nobody asked, no call fails."""
    connection = to(server.url)
    assert ping(connection)
    server.kill()
    server.start()
    assert ping(connection)
    connection.close()


def test_of_many_callers_none_waits_long(server: RedisServer):
    """Threads that call while Redis is silent all come back with an error, in the time of one wait or little more."""
    connection = to(server.url)
    assert ping(connection)
    server.pause()
    said: list[str] = []
    began = time.monotonic()
    threads = [threading.Thread(target=lambda: said.append(refusal(connection)[0])) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < BOUND_S
    assert len(said) == 20
    connection.close()


def test_what_redis_refuses_does_not_make_it_down(server: RedisServer):
    """A refused command raises without repeating it, and the next call is made at once."""
    connection = to(server.url)
    connection.call(lambda redis: redis.set("key", "text"))
    with pytest.raises(StorageError) as caught:
        connection.call(lambda redis: redis.lpush("key", "a secret question"))
    assert str(caught.value) == f"Redis at 127.0.0.1:{server.port} cannot be used: ResponseError"
    assert "종류" in caught.value.korean
    with pytest.raises(StorageError) as caught:
        connection.call(lambda redis: redis.execute_command("NOSUCH", "a secret question"))
    assert "question" not in str(caught.value)
    assert ping(connection)
    connection.close()


@pytest.mark.parametrize("given", [PASSWORD, "", f"{PASSWORD}-wrong"])
def test_the_password_opens_and_is_never_repeated(given: str, caplog: pytest.LogCaptureFixture):
    """With the password Redis opens; without it or with another the error names host and port only."""
    with RedisServer(password=PASSWORD) as server, caplog.at_level(logging.DEBUG):
        connection = to(f"redis://{f':{given}@' if given else ''}127.0.0.1:{server.port}/0")
        if given == PASSWORD:
            assert ping(connection)
        else:
            assert refusal(connection)[0] == f"Redis at 127.0.0.1:{server.port} cannot be used: wrong user or password"
        assert PASSWORD not in f"{connection!r} {vars(connection)['place']}"
        connection.close()
    assert PASSWORD not in caplog.text


def test_an_encoded_password_and_a_database_are_understood():
    """Signs written as %XX in the address are read as the signs, and the number behind the slash is the database."""
    with RedisServer(password="p@ss/w#rd?") as server:
        connection = to(f"redis://:p%40ss%2Fw%23rd%3F@127.0.0.1:{server.port}/3")
        connection.call(lambda redis: redis.set("key", "text"))
        assert connection.call(lambda redis: redis.client_list())[0]["db"] == "3"
        connection.close()


def test_a_socket_file_serves_too(tmp_path: Path):
    """An address of the form unix:///path reaches Redis by its socket file."""
    with RedisServer(f"--unixsocket {tmp_path / 's'}"):
        connection = to(f"unix://{tmp_path / 's'}")
        assert ping(connection)
        assert connection.place == str(tmp_path / "s")
        connection.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        "http://localhost:6379",
        "redis://",
        "redis:///0",
        "redis://[::1",
        "redis://host:port/0",
        "redis://host:99999999/0",
        "redis://host:6379/name",
        "redis://host:6379/0?db=x",
        "redis://host:6379/0?socket_timeout=60",
        "redis://host:6379/0?retry_on_timeout=true",
        "redis://host:6379/0?ssl_ca_certs=/ca.pem",
        "redis://host:6379/0?nonsense",
        "unix://",
        f"redis://:{PASSWORD}/x@host:6379/0",
        f"redis://:12/{PASSWORD}@host:6379/0",
        f"redis://:12#{PASSWORD}@host:6379/0",
        f"redis://:12?{PASSWORD}@host:6379/0",
    ],
)
def test_an_address_that_cannot_be_read_names_the_setting(url: str):
    """A bad address is an error of the setting at the start, and the error does not repeat it."""
    with pytest.raises(SettingsError, match="REDIS_URL") as caught:
        to(url)
    told = f"{caught.value} {caught.value.korean} {caught.value.__cause__} {caught.value.__context__}"
    assert PASSWORD not in told
    assert "host:6379" not in told
    assert "REDIS_URL" in caught.value.korean


@pytest.mark.parametrize("host", ["a..b", "a" * 300])
def test_a_host_that_is_no_name_is_a_typed_error(host: str):
    """A host that cannot be looked up is StorageError, whatever Python makes of it."""
    assert "cannot be used" in refusal(to(f"redis://{host}:6379/0"))[0]


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"$abc\r\n", b"\xff\xfe\r\n", b"-\r\n", b":x\r\n", b""])
def test_a_server_that_is_no_redis_is_a_typed_error(answer: bytes):
    """Whatever another service on the port says, the call ends soon and with StorageError."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)

        serving = threading.Thread(target=serve)
        serving.start()
        assert refusal(to(f"redis://127.0.0.1:{listener.getsockname()[1]}"))[1] < BOUND_S
        serving.join()


def test_an_answer_that_drips_is_not_waited_for():
    """An answer that comes byte by byte holds up no caller, though each byte is in time."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(4096)
                connection.sendall(b"+")
                while not over.wait(0.05):
                    connection.sendall(b"x")

        serving = threading.Thread(target=serve)
        serving.start()
        said, took = refusal(to(f"redis://127.0.0.1:{listener.getsockname()[1]}"))
        over.set()
        serving.join()
    assert "no answer in time" in said
    assert took < BOUND_S


def test_closing_is_not_the_end(server: RedisServer):
    """A closed connection opens again when it is used, and closing twice or before use does no harm."""
    connection = to(server.url)
    connection.close()
    assert ping(connection)
    connection.close()
    connection.close()
    assert ping(connection)
    connection.close()


def test_redis_is_loaded_only_where_it_is_used():
    """Importing the stores does not load redis-py, which takes a tenth of a second."""
    program = "import sys, search_core.storage; print('redis' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout.strip(), done.stderr) == ("False", "")
