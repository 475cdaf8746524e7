"""The search services on loopback: one server, and a TLS proxy for services with hard-coded hosts.

    with World() as world:
        settings = Settings(**world.settings())
        world.play("searxng", failure="hang")

Each file of ``services/`` plays one service. It answers any query with a few Korean results that hold its words. ``play`` changes
how a service behaves from the next request on: slower, failing in one of the ways of ``PLAYED[name].failures()``, or with a given
answer. Services that hang wait on an event that ends with the world, so no test sleeps. Requests are listed in ``requests``.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

from tests.loopback import services
from tests.loopback.http_server import LoopbackServer, QuietHandler
from tests.loopback.played import HTML_TYPE, JSON_TYPE, Answer, Asked, Page, about, discover
from tests.loopback.tls_proxy import TlsProxy

__all__ = ["HTML_TYPE", "JSON_TYPE", "PLAYED", "SERVICES", "Asked", "Page", "Part", "World", "pages"]

PLAYED = discover(services)
"""Every played service by name."""
SERVICES = tuple(PLAYED)
DRIP_PAUSE_S = 0.05
MAX_HANG_S = 30

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
    failure: str | None = None
    answer: Answer | None = None
    """Sent as it is, whatever is asked."""
    first: Sequence[Answer | str] = ()
    """Answers sent or failures suffered once each, before the rest applies."""
    pages: tuple[Page, ...] = DEFAULT_PAGES
    max_words: int | None = None
    """Nothing is found for queries of more words, as where every word must match."""
    empty_for: str | None = None
    """Nothing is found for this query, whatever others suffer."""


@dataclass(slots=True)
class World:
    """Plays the services while its ``with`` block runs; ``asked`` lists (service, query) in order."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    requests: defaultdict[str, list[Asked]] = field(default_factory=lambda: defaultdict(list))
    """What each service was sent, in order."""
    cut: list[str] = field(default_factory=list)
    """Services whose client closed the connection before it had the answer."""
    parts: dict[str, Part] = field(default_factory=lambda: {name: Part() for name in SERVICES})
    arrived: threading.Event = field(default_factory=threading.Event)
    """Set when the first request is in ``asked``."""
    left: threading.Event = field(default_factory=threading.Event)
    """Set when the first client is noted in ``cut``."""
    over: threading.Event = field(default_factory=threading.Event)
    _open: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    base_url: str = ""
    """The address of the server; each service is under a path of its own name."""
    proxy: TlsProxy | None = None
    """Plays the services with a ``tls_host``."""

    def __enter__(self) -> Self:
        self.base_url = self._open.enter_context(LoopbackServer(self, _Handler)).url
        self.proxy = self._open.enter_context(TlsProxy(self.behind_tls))
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._open.close()

    def play(self, service: str, **changes: Any) -> None:
        """Let *service* behave as *changes* to a fresh ``Part`` say; raises ValueError for a failure it cannot play."""
        part = Part(**changes)
        for failure in (part.failure, *part.first):
            if isinstance(failure, str) and failure not in PLAYED[service].failures():
                raise ValueError(f"{service} cannot play {failure!r}.")
        self.parts[service] = part

    def play_all(self, **changes: Any) -> None:
        """Let every service behave alike."""
        for service in self.parts:
            self.play(service, **changes)

    def reset(self, **changes: Any) -> None:
        """Let every service behave alike, as at first where *changes* is empty, and forget what was asked."""
        self.play_all(**changes)
        for noted in (self.asked, self.requests, self.cut, self.arrived, self.left, self.proxy.hosts):
            noted.clear()

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Return the settings under which the providers reach this world; *changes* are put over them."""
        reached: dict[str, Any] = {"web_search_timeout": 5.0, "web_search_deadline": 8.0}
        for name, service in PLAYED.items():
            reached |= service.settings(self.proxy.url if service.tls_host else f"{self.base_url}/{name}")
            if service.tls_host:
                reached["proxy_ca_file"] = self.proxy.ca_file
        return {**reached, **changes}

    def note_cut(self, service: str) -> None:
        """Note a client that has gone before it had its answer."""
        self.cut.append(service)
        self.left.set()

    def answer(self, name: str, asked: Asked) -> Answer | None:
        """Return what the service *name* sends; None means it cuts the connection. Waits as long as it is to be slow."""
        service, part = PLAYED[name], self.parts[name]
        query = service.query(asked)
        self.requests[name].append(asked)
        self.asked.append((name, query))
        self.arrived.set()
        if part.latency_s:
            self.over.wait(part.latency_s)
        what: Answer | str | None = part.answer or part.failure
        if part.first:
            what, *part.first = part.first
        elif query == part.empty_for:
            what = "nothing"
        if isinstance(what, tuple):
            return what
        if what == "hang" or (what == "drip" and service.tls_host):  # the TLS proxy sends answers whole
            self.over.wait(MAX_HANG_S)
            return None
        if what == "reset":
            return None
        strict = part.max_words is not None and len(query.split()) > part.max_words
        return service.answer(what, () if strict or what == "nothing" else about(part.pages, query), asked)

    def behind_tls(self, method: str, host: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer | None:
        """Answer for the services with a ``tls_host``, and for no other host."""
        name = next((name for name, service in PLAYED.items() if service.tls_host == host), None)
        if name is None:
            return 404, {"content-type": "text/plain"}, b"this host is not played"
        return self.answer(name, _asked(method, target, headers, body))


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


def _asked(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Asked:
    parts = urlsplit(target)
    params = dict(parse_qsl(parts.query, keep_blank_values=True))
    names = {name.lower(): value for name, value in headers.items()}
    return Asked(method=method, path=parts.path, params=params, headers=names, body=body)


class _Handler(QuietHandler):
    """Plays the services spoken to over plain http, each under a path of its own name."""

    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        body = self.read_body()
        world, service = self.server.played, self.path.split("/")[1].partition("?")[0]
        if service not in world.parts:
            self.respond(404, (("content-type", "text/plain"),), b"no such service")
            return
        answer = world.answer(service, _asked(self.command, self.path[len(service) + 1 :], self.headers, body))
        try:
            if answer is None:
                self._cut(world, service)
            elif world.parts[service].failure == "drip":
                self._drip(world, *answer)
            else:
                status, headers, sent = answer
                self.respond(status, headers.items(), sent)
        except OSError:
            world.note_cut(service)

    def _drip(self, world: World, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Send one byte at a time, slowly enough that the whole never arrives in time."""
        self.respond(status, headers.items(), b"", promised=len(body))
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
