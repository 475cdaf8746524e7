"""A proxy on loopback that answers for any https host itself, so that clients with hard-coded hosts can be tested for real."""

from __future__ import annotations

import ssl
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import trustme

from tests.loopback.http_server import LoopbackServer, QuietHandler

Answer = tuple[int, Mapping[str, str], bytes]
Handler = Callable[[str, str, str, Mapping[str, str], bytes], Answer | None]
"""``handler(method, host, target, headers, body)``; header names come in lower case; None drops the connection."""


class TlsProxy(LoopbackServer):
    """Answers CONNECT for every host with a certificate of a throw-away authority, and each request by *handler*.

    Every connection has a thread of its own, so a handler may block on an Event to play a service that hangs. Plain http is
    answered too, through the proxy (with the host of the absolute address) and straight to ``url``. ``hosts`` lists whom requests
    were for, in order.
    """

    def __init__(self, handler: Handler) -> None:
        super().__init__(self, _Handler)
        self.answer = handler
        self._authority = trustme.CA()
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="tls-proxy-")
        self.ca_file = str(Path(self._folder.name) / "ca.pem")
        self._authority.cert_pem.write_to_path(self.ca_file)
        self.hosts: list[str] = []

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._folder.cleanup()

    def context(self, host: str) -> ssl.SSLContext:
        """Return what shows a certificate for *host*."""
        with self._lock:
            if host not in self._contexts:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.set_alpn_protocols(["http/1.1"])
                self._authority.issue_cert(host).configure_cert(context)
                self._contexts[host] = context
            return self._contexts[host]


class _Handler(QuietHandler):
    """Answers what comes over one connection, for ``host`` once it is secured."""

    protocol_version = "HTTP/1.1"
    host = ""

    def do_CONNECT(self) -> None:  # noqa: N802  # as http.server calls it
        self.host = self.path.rsplit(":", 1)[0]
        self.send_response_only(200, "Connection established")
        self.end_headers()
        self.request = self.server.played.context(self.host).wrap_socket(self.connection, server_side=True)
        self.setup()
        self.close_connection = False

    def answer(self) -> None:
        address = urlsplit(self.path)
        target = self.path if self.path.startswith("/") else address._replace(scheme="", netloc="").geturl() or "/"
        host = self.host or address.netloc or self.headers.get("host", "")
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.played.hosts.append(host)
        answer = self.server.played.answer(self.command, host, target, headers, self.read_body())
        if answer is None:
            self.close_connection = True
        else:
            status, named, body = answer
            self.respond(status, named.items(), body)

    def finish(self) -> None:
        super().finish()
        self.connection.close()
