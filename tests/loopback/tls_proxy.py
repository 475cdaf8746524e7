"""A proxy on loopback that answers for any https host itself, so that clients with hard-coded hosts can be tested for real."""

from __future__ import annotations

import contextlib
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

import trustme

Answer = tuple[int, Mapping[str, str], bytes]
Handler = Callable[[str, str, str, Mapping[str, str], bytes], Answer | None]
"""``handler(method, host, target, headers, body)``; header names come in lower case; None drops the connection."""


class Seen(NamedTuple):
    """One request the proxy was sent."""

    method: str
    host: str
    target: str
    headers: Mapping[str, str]
    body: bytes


class TlsProxy:
    """Answers CONNECT for every host with a certificate of a throw-away authority, and each request by *handler*.

    Every connection has a thread of its own, so a handler may block on an Event to play a service that hangs. Plain http is
    answered too, through the proxy (with the host of the absolute address) and straight to ``url``. ``requests`` lists what was
    asked, in order.
    """

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._authority = trustme.CA()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._folder = tempfile.TemporaryDirectory(prefix="tls-proxy-")
        self.ca_file = str(Path(self._folder.name) / "ca.pem")
        self._authority.cert_pem.write_to_path(self.ca_file)
        self.requests: list[Seen] = []
        self.refused: list[tuple[str, str]] = []
        """(host, reason) of each client that would not take our certificate."""

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._accepting = threading.Thread(target=self._accept, name="tls-proxy", daemon=True)
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join(5)
        with self._lock:
            still_open = list(self._open)
        for connection in still_open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._folder.cleanup()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        plain = connection
        try:
            with contextlib.suppress(OSError):
                self._converse(connection)
        finally:
            with self._lock:
                self._open.discard(plain)
            with contextlib.suppress(OSError):
                plain.close()

    def _converse(self, connection: socket.socket) -> None:
        stream = connection.makefile("rb")
        request = _read(stream, "")
        if request is None:
            return
        if request.method != "CONNECT":
            self._answer(connection, stream, request)
            return
        host = request.target.rsplit(":", 1)[0]
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            secured = self._context(host).wrap_socket(connection, server_side=True)
        except (ssl.SSLError, OSError) as error:
            self.refused.append((host, str(error)))
            return
        with secured:
            stream = secured.makefile("rb")
            request = _read(stream, host)
            if request is not None:
                self._answer(secured, stream, request)

    def _answer(self, connection: socket.socket, stream: BinaryIO, request: Seen | None) -> None:
        while request is not None:
            self.requests.append(request)
            answer = self._handler(*request)
            if answer is None:
                return
            status, headers, body = answer
            lines = [f"HTTP/1.1 {status} Answer", *(f"{name}: {value}" for name, value in headers.items())]
            lines.append(f"content-length: {len(body)}")
            connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + (b"" if request.method == "HEAD" else body))
            request = _read(stream, request.host)

    def _context(self, host: str) -> ssl.SSLContext:
        with self._lock:
            if host not in self._contexts:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.set_alpn_protocols(["http/1.1"])
                self._authority.issue_cert(host).configure_cert(context)
                self._contexts[host] = context
            return self._contexts[host]


def _read(stream: BinaryIO, host: str) -> Seen | None:
    """Return the next request of a connection to *host*, or None when the client has closed it."""
    first = stream.readline().decode("latin-1").strip()
    if not first:
        return None
    method, target, _ = first.split(" ", 2)
    headers: dict[str, str] = {}
    while line := stream.readline().decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if target.startswith("/"):
        host = host or headers.get("host", "")
    elif method != "CONNECT":
        _, _, rest = target.partition("://")
        host, _, path = rest.partition("/")
        target = f"/{path}"
    return Seen(method, host, target, headers, stream.read(int(headers.get("content-length") or 0)))
