"""A copy of DuckDuckGo's search page on loopback, for a real browser to open, write into and read."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import parse_qs, quote, urlsplit

from tests.loopback.http_server import LoopbackServer, QuietHandler

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
        self.agents: set[str] = set()
        self.arrived = threading.Event()
        """Set by each query."""
        self._released = threading.Event()

    @property
    def connections(self) -> int:
        """Return how many connections were opened, whether anything was asked over them or not."""
        return self._server.connections

    def __enter__(self) -> Self:
        self._server = LoopbackServer(self)
        self._server.__enter__()
        self.port = self._server.server_port
        self.url = f"{self._server.url}/html/"
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._server.__exit__()

    def send(self, request: QuietHandler) -> None:
        """Answer one request."""
        body = request.read_body()
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
        headers = (("content-type", "text/html; charset=utf-8"), *answer.headers)
        request.respond(answer.status, headers, sent, promised=len(sent) + 1_000 * answer.hang_after)
        if answer.hang_after:
            request.wfile.flush()
            self._released.wait()
