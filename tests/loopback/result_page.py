"""A copy of DuckDuckGo's search page on loopback, for a real browser to open, write into and read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from tests.loopback.http_server import PlayedSite, QuietHandler
from tests.loopback.played import Page
from tests.loopback.services.duckduckgo import results

SEARCH_PAGE = """<!doctype html><html lang="ko"><head><title>DuckDuckGo</title>{head}</head><body>
<form action="/html/" method="post"><input name="q" type="text" autocomplete="off"><input type="submit" value="S">
</form></body></html>"""
HITS = (
    Page(
        title="메모리 대역폭이란?",
        url="https://example.kr/%EA%B8%80?a=1&b=2",
        snippet="메모리 대역폭은 초당 옮기는 양이다.",
        published="2026-08-14T00:00:00",
    ),
    Page(title="Memory bandwidth", url="https://example.org/bandwidth", snippet="How much a memory moves."),
    Page(title="셋째", url="https://example.com/3", snippet="본문"),
    Page(title="넷째", url="https://example.com/4", snippet="본문"),
)


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


class ResultPage(PlayedSite):
    """Serves a search page at ``/html/`` and ``answer`` for its form; both may be changed at any time."""

    def __init__(self) -> None:
        self.page = Answer(body=SEARCH_PAGE.format(head=""))
        self.answer: Answer | Callable[[str], Answer] = Answer(body=results(HITS))
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
    def url(self) -> str:
        """Return the address of the search page."""
        return f"{self.server.url}/html/"

    def __exit__(self, *_: object) -> None:
        self._released.set()
        super().__exit__()

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
