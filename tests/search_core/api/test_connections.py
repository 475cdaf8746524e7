"""Connections that a client holds open without using them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest

from search_core.api.connections import HEAD_S, LINGER_S, ConnectionWatch
from tests.search_core.answers.chat.scripted_chat import Gate, from_video
from tests.search_core.api.served import QUESTION, SOON_S, Served, served

HEAD = b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = HEAD + b"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"


class Watch:
    """A watch over a server that runs, by a clock of its own."""

    def __init__(self, server: Served) -> None:
        self.now = 0.0
        self._server = server
        assert server.rules.stopping.server is not None
        self._watch = ConnectionWatch(server.rules.stopping.server, monotonic=lambda: self.now)

    def look_at(self, now: float) -> None:
        self.now = now

        async def look() -> None:
            self._watch.look()

        assert self._server.loop is not None
        asyncio.run_coroutine_threadsafe(look(), self._server.loop).result(SOON_S)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("connections")) as running:
        ask(running)
        yield running


def ask(server: Served) -> None:
    """Ask for something else, after which the server has taken what was sent before, and done what it was about to do."""
    with server.client() as client:
        assert client.get("/api/openapi.json").status_code == 200


def is_open(server: Served, connection: socket.socket) -> bool:
    ask(server)
    connection.setblocking(False)
    try:
        connection.recv(1)
    except BlockingIOError:
        return True
    finally:
        connection.settimeout(SOON_S)
    return False


def read_to_end(connection: socket.socket) -> bytes:
    """Return what still comes on a connection that the server closes."""
    read = b""
    try:
        while part := connection.recv(65_536):
            read += part
    except ConnectionError:  # it was closed while we sent
        pass
    return read


def send(server: Served, connection: socket.socket, data: bytes) -> None:
    """Send *data* and wait until the server has taken it."""
    connection.sendall(data)
    ask(server)


@pytest.mark.parametrize("beginning", [b"", b"G", HEAD])
def test_a_head_that_does_not_arrive_ends(beginning: bytes, server: Served):
    """A head of a request sent byte by byte has its time as a whole, and nobody waits for the rest."""
    watch = Watch(server)
    with server.connect() as connection:
        send(server, connection, beginning)
        watch.look_at(0)
        send(server, connection, b"X" if beginning else b"")
        watch.look_at(HEAD_S - 0.1)
        assert is_open(server, connection)
        watch.look_at(HEAD_S)
        assert read_to_end(connection) == b""


def test_a_body_without_end_is_not_read_for_ever(server: Served):
    """After its refusal a request's body is taken for a moment, so that the refusal can be read, and then no more."""
    watch = Watch(server)
    with server.connect() as connection:
        connection.sendall(CHUNKED)
        read = connection.recv(65_536)
        assert read.startswith(b"HTTP/1.1 415")
        watch.look_at(0)
        send(server, connection, b"1\r\na\r\n" * 1000)
        watch.look_at(LINGER_S)
        assert b"HTTP/1.1" not in read_to_end(connection)


def test_a_connection_that_is_used_stays(server: Served):
    """One on which request after request is answered is nobody's to close, however old it is."""
    watch = Watch(server)
    with server.connect() as connection:
        for now in range(5):
            send(server, connection, b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            watch.look_at(now * (HEAD_S - 1))
            assert b"HTTP/1.1 200" in connection.recv(1 << 20)


def test_an_answer_that_takes_long_stays(server: Served):
    """A request that is being answered keeps its connection for as long as the answer takes."""
    watch = Watch(server)
    gate = Gate()
    server.answers.steps = (gate, *from_video("2026년입니다."))
    with server.post_by_hand("/api/chat", {"query": QUESTION}) as connection:
        assert gate.reached.wait(SOON_S)
        watch.look_at(0)
        watch.look_at(100 * HEAD_S)
        gate.open()
        read = b""
        while b'"complete"' not in read:
            part = connection.recv(65_536)
            assert part, read
            read += part
