"""An HTTP server on loopback that runs on a thread of its own while its ``with`` block does."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class QuietHandler(BaseHTTPRequestHandler):
    """Lets what is played ``send`` the answers, and writes nothing to the terminal."""

    disable_nagle_algorithm = True  # else every answer takes 40 ms longer than it should

    server: LoopbackServer

    def do_GET(self) -> None:
        self.answer()

    do_HEAD = do_POST = do_GET  # noqa: N815 - as http.server calls them

    def answer(self) -> None:
        """Answer the request; ``command`` is its method."""
        self.server.played.send(self)

    def read_body(self) -> bytes:
        """Return the body of the request."""
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def respond(self, status: int, headers: Iterable[tuple[str, str]], body: bytes, *, promised: int | None = None) -> None:
        """Send an answer whose length is *promised*, the body's own where nothing else is said."""
        self.send_response(status)
        for name, value in (*headers, ("content-length", str(len(body) if promised is None else promised))):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


class LoopbackServer(ThreadingHTTPServer):
    """Serves *played*, which the *handler* finds under ``self.server.played``, on a free port."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, played: Any, handler: type[QuietHandler] = QuietHandler, host: str = "127.0.0.1") -> None:
        super().__init__((host, 0), handler)
        self.played = played
        self.place = f"{host}:{self.server_port}"
        """Host and port."""
        self.url = f"http://{self.place}"
        self.connections = 0

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join(10)
        self.server_close()

    def get_request(self) -> tuple[Any, Any]:
        """Count the connection and return it."""
        self.connections += 1
        return super().get_request()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet: clients that go away are part of the play."""


class PlayedSite:
    """Answers requests by its ``send`` while its ``with`` block runs."""

    handler = QuietHandler
    host = "127.0.0.1"

    def __enter__(self) -> Self:
        self.server = LoopbackServer(self, self.handler, self.host)
        self.server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.__exit__()
