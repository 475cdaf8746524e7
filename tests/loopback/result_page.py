"""A copy of DuckDuckGo's search page on loopback, for a real browser to open, write into and read."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, quote, urlsplit

SEARCH_PAGE = """<!doctype html><html lang="ko"><head><title>DuckDuckGo</title>{head}</head><body>
<form action="/html/" method="post"><input name="q" type="text" autocomplete="off"><input type="submit" value="S">
</form></body></html>"""
CHALLENGE = """<form id="challenge-form" action="//duckduckgo.com/anomaly.js" method="POST">
<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>"""
NOTHING = '<div class="result results_links result--no-result"><span class="no-results">No results.</span></div>'


class Hit(NamedTuple):
    """One result the page shows."""

    title: str
    url: str
    snippet: str = "본문"
    published: str = ""
    advertisement: bool = False

    def markup(self) -> str:
        link = f"//duckduckgo.com/l/?uddg={quote(self.url, safe='')}&rut=abc"
        if self.advertisement:
            link = f"https://duckduckgo.com/y.js?ad_domain=example.org&u3={quote(self.url, safe='')}"
        return f"""<div class="result results_links results_links_deep {"result--ad" if self.advertisement else "web-result"}">
<div class="links_main links_deep result__body"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="{html.escape(link)}">{html.escape(self.title)}</a></h2>
<div class="result__extras"><div class="result__extras__url"><a class="result__url" href="{html.escape(link)}">example</a>
<span>&nbsp; &nbsp; {self.published}</span></div></div>
<a class="result__snippet" href="{html.escape(link)}">{html.escape(self.snippet)}</a></div></div>"""


HITS = (
    Hit("광고", "https://ads.example.org/", advertisement=True),
    Hit(
        "메모리 대역폭이란?",
        "https://example.kr/%EA%B8%80?a=1&b=2",
        "메모리 대역폭은 초당 옮기는 양이다.",
        "2026-08-14T00:00:00.0000000",
    ),
    Hit("Memory bandwidth", "https://example.org/bandwidth", "How much a memory moves."),
    Hit("셋째", "https://example.com/3"),
    Hit("넷째", "https://example.com/4"),
)


def results(*hits: Hit) -> str:
    """Return the part of a result page that holds *hits*."""
    return f'<div id="links" class="results">{"".join(hit.markup() for hit in hits)}</div>'


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server says to one request."""

    body: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    hang: bool = False
    """Say nothing until the server is closed."""
    hang_after: bool = False
    """Send the body, promise more, and say nothing further."""
    reset: bool = False
    """Close the connection without a word."""


class ResultPage:
    """Serves a search page at ``/html/`` and ``answer`` for its form; both may be changed at any time."""

    def __init__(self) -> None:
        self.page = Answer(body=SEARCH_PAGE.format(head=""))
        self.answer: Answer | Callable[[str], Answer] = Answer(body=results(*HITS))
        """What is said to a query, or a function of it."""
        self.others: dict[str, Answer] = {}
        """Answers by path, for whatever a page loads besides."""
        self.queries: list[str] = []
        self.paths: list[str] = []
        self.connections = 0
        """Connections that were opened, whether anything was asked over them or not."""
        self.agents: set[str] = set()
        self.arrived = threading.Event()
        """Set by each query."""
        self._released = threading.Event()

    def __enter__(self) -> Self:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page._respond(self, b"")

            def do_POST(self) -> None:
                page._respond(self, self.rfile.read(int(self.headers.get("content-length") or 0)))

            def log_message(self, *_: object) -> None:
                return

        class Server(ThreadingHTTPServer):
            def get_request(self) -> tuple[Any, Any]:
                page.connections += 1
                return super().get_request()

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # a browser that is killed lets go of its connections
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/html/"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), name="result-page", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()

    def _respond(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        path = urlsplit(request.path).path
        self.paths.append(path)
        self.agents.add(request.headers.get("user-agent", ""))
        answer = self.others.get(path, Answer(status=404))
        if path == "/html/" and request.command == "POST":
            query = parse_qs(body.decode()).get("q", [""])[0]
            answer = self.answer if isinstance(self.answer, Answer) else self.answer(query)
            self.queries.append(query)
            self.arrived.set()
        elif path == "/html/":
            answer = self.page
        if answer.hang:
            self._released.wait()
        if answer.hang or answer.reset:
            return
        sent = answer.body.encode()
        request.send_response(answer.status)
        for name, value in (("content-type", "text/html; charset=utf-8"), *answer.headers):
            request.send_header(name, value)
        request.send_header("content-length", str(len(sent) + 1_000 * answer.hang_after))
        request.end_headers()
        request.wfile.write(sent)
        if answer.hang_after:
            request.wfile.flush()
            self._released.wait()
