"""A site on loopback that answers with bytes of the test's choosing and counts who comes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Self

Visit = Callable[[socket.socket, bytes], None]
"""Answers one connection, of which the request's head was read."""


class LoopbackSite:
    """Answers each connection by *visit* in a thread of its own; ``visits`` counts connections, ``heads`` are what they asked."""

    def __init__(self, visit: Visit | bytes, tls: ssl.SSLContext | None = None) -> None:
        self._visit: Visit = (lambda connection, _: connection.sendall(visit)) if isinstance(visit, bytes) else visit
        self._tls = tls
        self.visits = 0
        self.heads: list[bytes] = []
        self.names: list[str | None] = []
        """The names asked for in TLS (SNI)."""
        self.left = threading.Event()
        """A visitor closed its side, seen by a visit that calls ``wait_for_leaving``."""
        self._threads: list[threading.Thread] = []
        self._open: set[socket.socket] = set()

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        if self._tls is not None:
            self._tls.sni_callback = lambda _, name, __: self.names.append(name)
        self._run(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)

    def url(self, path: str = "/", host: str = "page.test") -> str:
        """Return an address that leads here where *host* does."""
        return f"http://{host}:{self.port}{path}"

    def wait_for_leaving(self, connection: socket.socket) -> None:
        """Wait until the visitor closes its side, and say so."""
        with contextlib.suppress(OSError):
            while connection.recv(65_536):
                pass
        self.left.set()

    def _run(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.visits += 1
            self._open.add(connection)
            self._run(self._answer, connection)

    def _answer(self, plain: socket.socket) -> None:
        connection = plain
        with contextlib.suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(plain, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head and (piece := connection.recv(65_536)):
                head += piece
            self.heads.append(head)
            if head:
                self._visit(connection, head)
        self._open.discard(plain)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()


def answer(body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """Return an HTTP answer; an HTML page where no content type is among the *headers*."""
    named = "".join(f"{header}\r\n" for header in headers)
    if "content-type" not in named.lower():
        named += "Content-Type: text/html\r\n"
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\n{named}Content-Length: {size}\r\n\r\n".encode() + body
