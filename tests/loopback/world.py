"""The search services on loopback: one server that plays Wikipedia and SearXNG, and a TLS proxy that plays DuckDuckGo.

    with World() as world:
        settings = Settings(**world.settings())
        world.play("searxng", failure="hang")

Each service answers any query with a few Korean results that hold its words. ``play`` changes how a service behaves from the next
request on: slower, failing in one of ``FAILURES``, or with a given answer. Services that hang wait on an event that ends with the
world, so no test sleeps.
"""

from __future__ import annotations

import contextlib
import html
import json
import socket
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import parse_qs, quote, urlsplit

from tests.loopback.tls_proxy import TlsProxy

Failure = Literal[
    "hang", "drip", "reset", "401", "403", "429", "429-after", "500", "503", "html", "empty", "broken-json", "blocked", "nothing"
]
FAILURES: tuple[Failure, ...] = (
    "hang", "drip", "reset", "401", "403", "429", "429-after", "500", "503", "html", "empty", "broken-json", "blocked", "nothing",
)  # fmt: skip
SERVICES = ("wikipedia", "searxng", "duckduckgo")
DRIP_PAUSE_S = 0.05
MAX_HANG_S = 30
RETRY_AFTER_S = 7

HTML_TYPE = "text/html; charset=utf-8"
JSON_TYPE = "application/json; charset=utf-8"
PLAIN_HTML = "<!doctype html><title>안내</title><p>점검 중이에요.</p>".encode()
CHALLENGE = (
    b'<!doctype html><form id="challenge-form">'
    b'<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>'
)
STATUS_ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "401": (401, {"content-type": JSON_TYPE}, b"{}"),
    "403": (403, {"content-type": "text/plain"}, b"Forbidden"),
    "429": (429, {"content-type": "text/plain"}, b"Too Many Requests"),
    "429-after": (429, {"content-type": "text/plain", "retry-after": str(RETRY_AFTER_S)}, b"Too Many Requests"),
    "500": (500, {"content-type": JSON_TYPE}, b'{"error": "search error"}'),
    "503": (503, {"content-type": "text/plain"}, b"unavailable"),
    "html": (200, {"content-type": HTML_TYPE}, PLAIN_HTML),
    "empty": (200, {"content-type": JSON_TYPE}, b""),
    "broken-json": (200, {"content-type": JSON_TYPE}, b'{"results": [{"url": "https://exam'),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Is one page of the played web; ``{query}`` in its texts becomes the query."""

    title: str
    url: str
    snippet: str
    published: str = ""


DEFAULT_PAGES = (
    Page(
        title="{query} — 쉽게 풀어 쓴 안내",
        url="https://news.example.kr/articles/1",
        snippet="{query}에 대해 알려진 사실을 차례로 정리했습니다.",
        published="2026-11-12T00:00:00",
    ),
    Page(
        title="{query} 관련 발표 요약",
        url="https://blog.example.com/post/2",
        snippet="발표에서 나온 {query} 이야기와 그 배경을 요약합니다.",
        published="2026-10-02T00:00:00",
    ),
    Page(title="What is {query}?", url="https://docs.example.org/3", snippet="A short introduction to {query}."),
)

TURNS = ("분석", "해설", "전망", "발표", "비교", "역사", "원리")
"""Words that make the titles of ``pages`` differ."""


@dataclass(slots=True, kw_only=True)
class Part:
    """Says how one service behaves."""

    latency_s: float = 0.0
    failure: Failure | None = None
    answer: tuple[int, Mapping[str, str], bytes] | None = None
    """Sent as it is, whatever is asked."""
    first: Sequence[tuple[int, Mapping[str, str], bytes] | Failure] = ()
    """Sent or suffered once each, before the rest applies."""
    pages: tuple[Page, ...] = DEFAULT_PAGES
    max_words: int | None = None
    """Nothing is found for queries of more words, as where every word must match."""


@dataclass(slots=True)
class World:
    """Plays the services while its ``with`` block runs; ``asked`` lists (service, query) in order."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    """Services whose client closed the connection before it had the answer."""
    parts: dict[str, Part] = field(default_factory=lambda: {name: Part() for name in SERVICES})
    arrived: threading.Event = field(default_factory=threading.Event)
    """Set when the first request is in ``asked``."""
    left: threading.Event = field(default_factory=threading.Event)
    """Set when the first client is noted in ``cut``."""
    over: threading.Event = field(default_factory=threading.Event)
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _base: str = ""
    proxy: TlsProxy | None = None
    """Plays DuckDuckGo; its ``requests`` hold what it was sent."""

    def __enter__(self) -> Self:
        server = _Server(self)
        self._open.callback(server.stop)
        self._base = f"http://127.0.0.1:{server.server_address[1]}"
        self.proxy = self._open.enter_context(TlsProxy(self._duckduckgo))
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._open.close()

    def play(self, service: str, **changes: Any) -> None:
        """Let *service* behave as *changes* to a fresh ``Part`` say."""
        self.parts[service] = Part(**changes)

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Return the settings under which the providers reach this world; *changes* are put over them."""
        assert self.proxy is not None
        return {
            "searxng_url": f"{self._base}/searxng",
            "wikipedia_base_url": f"{self._base}/wikipedia/{{language}}",
            "ddgs_proxy": self.proxy.url,
            "ddgs_ca_file": self.proxy.ca_file,
            "web_search_timeout": 5.0,
            "web_search_deadline": 8.0,
            **changes,
        }

    def note_cut(self, service: str) -> None:
        """Note a client that has gone before it had its answer."""
        self.cut.append(service)
        self.left.set()

    def times_asked(self, service: str) -> int:
        """Return how many requests *service* has got."""
        return sum(name == service for name, _ in self.asked)

    def answer(self, service: str, query: str, language: str = "ko") -> tuple[int, Mapping[str, str], bytes] | None:
        """Return what *service* sends; None means it cuts the connection. Waits as long as the service is to be slow."""
        part = self.parts[service]
        self.asked.append((service, query))
        self.arrived.set()
        if part.latency_s:
            self.over.wait(part.latency_s)
        what: Any = part.answer or part.failure
        if part.first:
            what, *part.first = part.first
        if isinstance(what, tuple):
            return what
        if what in STATUS_ANSWERS:
            return STATUS_ANSWERS[what]
        if what == "hang" or (what == "drip" and service == "duckduckgo"):  # the TLS proxy sends answers whole
            self.over.wait(MAX_HANG_S)
            return None
        if what == "reset":
            return None
        strict = part.max_words is not None and len(query.split()) > part.max_words
        pages = () if strict or what in ("blocked", "nothing") else tuple(_about(page, query) for page in part.pages)
        return _played(service, query, pages, language, blocked=what == "blocked")

    def _duckduckgo(
        self, method: str, host: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes] | None:
        if host != "html.duckduckgo.com":
            return 404, {"content-type": "text/plain"}, b"only DuckDuckGo is played here"
        return self.answer("duckduckgo", parse_qs(body.decode()).get("q", [""])[0])


def pages(count: int, host: str = "press.example.kr") -> tuple[Page, ...]:
    """Return *count* different pages on *host*, newest first, for searches with long lists."""
    return tuple(
        Page(
            title=f"{{query}} {TURNS[number % len(TURNS)]} {number + 1}",
            url=f"https://{host}/articles/{1000 + number}",
            snippet=f"{{query}}에 관한 {number + 1}번째 글입니다. {TURNS[number % len(TURNS)]}과 그 배경을 다룹니다.",
            published=f"2026-{11 - number % 10:02d}-{28 - number % 27:02d}T00:00:00",
        )
        for number in range(count)
    )


def _played(
    service: str, query: str, pages: tuple[Page, ...], language: str, *, blocked: bool
) -> tuple[int, Mapping[str, str], bytes]:
    if service == "duckduckgo":
        return (202, {"content-type": HTML_TYPE}, CHALLENGE) if blocked else (200, {"content-type": HTML_TYPE}, _ddg(pages))
    if service == "searxng":
        return 200, {"content-type": JSON_TYPE}, _searxng(query, pages, blocked=blocked)
    return STATUS_ANSWERS["403"] if blocked else (200, {"content-type": JSON_TYPE}, _wikipedia(query if pages else "", language))


def _about(page: Page, query: str) -> Page:
    return Page(
        title=page.title.replace("{query}", query),
        url=page.url,
        snippet=page.snippet.replace("{query}", query),
        published=page.published,
    )


def _wikipedia(query: str, language: str) -> bytes:
    if not query:
        return json.dumps({"pages": []}).encode()
    title = query.split()[0]
    excerpt = f'<span class="searchmatch">{html.escape(title)}</span>' + (
        "에 관한 백과사전 문서이다." if language == "ko" else " is the subject of this encyclopedia article."
    )
    page = {
        "id": 1,
        "key": title,
        "title": title,
        "excerpt": excerpt,
        "matched_title": None,
        "description": None,
        "thumbnail": None,
    }
    return json.dumps({"pages": [page]}, ensure_ascii=False).encode()


def _searxng(query: str, pages: tuple[Page, ...], *, blocked: bool) -> bytes:
    results = [
        {
            "url": page.url,
            "title": page.title,
            "content": page.snippet,
            "engine": "mojeek",
            "engines": ["mojeek"],
            "score": 1.0,
            "publishedDate": page.published or None,
        }
        for page in pages
    ]
    unresponsive = [["google", "CAPTCHA"], ["qwant", "Suspended: too many requests"]] if blocked else []
    payload = {
        "query": query,
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": unresponsive,
    }
    return json.dumps(payload, ensure_ascii=False).encode()


def _ddg(pages: tuple[Page, ...]) -> bytes:
    blocks = [_ddg_block(page) for page in pages] or ['<div class="result result--no-result">No results.</div>']
    advertisement = (
        '<div class="result results_links result--ad"><div class="links_main links_deep result__body"><h2 class="result__title">'
        '<a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">광고</a></h2>'
        '<a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">지금 사세요</a></div></div>'
    )
    body = "".join([advertisement, *blocks] if pages else blocks)
    head = '<!doctype html><html><head><meta charset="utf-8"></head>'
    page = f'{head}<body><div id="links" class="results">{body}</div></body></html>'
    return page.encode()


def _ddg_block(page: Page) -> str:
    link = html.escape(f"//duckduckgo.com/l/?uddg={quote(page.url, safe='')}&rut=0a1b2c")
    stamp = f"<span>&nbsp; &nbsp; {page.published}.0000000</span>" if page.published else ""
    return (
        '<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">'
        f'<h2 class="result__title"><a rel="nofollow" class="result__a" href="{link}">{html.escape(page.title)}</a></h2>'
        f'<div class="result__extras"><div class="result__extras__url"><a class="result__url" href="{link}">'
        f"{html.escape(page.url.partition('://')[2])}</a>{stamp}</div></div>"
        f'<a class="result__snippet" href="{link}">{html.escape(page.snippet)}</a><div class="clear"></div></div></div>'
    )


class _Server(ThreadingHTTPServer):
    """Plays the services spoken to over plain http, each under a path of its own name."""

    daemon_threads = True

    def __init__(self, world: World) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.world = world
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, name="world", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self._thread.join(5)
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet: clients that go away are part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else every answer takes 40 ms longer than it is told to
    server: _Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        _, service, *rest = parts.path.split("/")
        world = self.server.world
        if service not in world.parts:
            self._send(404, {"content-type": "text/plain"}, b"no such service")
            return
        query = parse_qs(parts.query).get("q", [""])[0]
        answer = world.answer(service, query, rest[0] if rest else "ko")
        try:
            if answer is None:
                self._cut(world, service)
            elif world.parts[service].failure == "drip":
                self._drip(world, *answer)
            else:
                self._send(*answer)
        except OSError:
            world.note_cut(service)

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, world: World, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Send one byte at a time, slowly enough that the whole never arrives in time."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        for byte in body:
            if world.over.wait(DRIP_PAUSE_S):
                return
            self.wfile.write(bytes([byte]))

    def _cut(self, world: World, service: str) -> None:
        """Reset the connection instead of closing it politely; a client that has gone already is noted."""
        self.close_connection = True
        self.connection.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            if self.connection.recv(1) == b"":
                world.note_cut(service)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""
