"""A newspaper on loopback: articles as web pages, with their dates, and what became of asking for them."""

from __future__ import annotations

import html
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.loopback.http_server import PlayedSite, QuietHandler
from tests.loopback.played import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One page of the paper; ``status`` other than 200 is sent in its place, ``hangs`` sends nothing until the end."""

    path: str
    title: str
    paragraphs: tuple[str, ...]
    published: str
    """ISO 8601 day."""
    status: int = 200
    hangs: bool = False


@dataclass
class Press(PlayedSite):
    """Serves articles while its ``with`` block runs; ``asked`` lists the paths in order."""

    articles: tuple[Article, ...]
    host: str = "127.0.0.1"
    """Any address of 127.0.0.0/8 on Linux; a reader asks one host for few pages at a time."""
    asked: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def __exit__(self, *_: object) -> None:
        self.over.set()
        super().__exit__()

    @property
    def place(self) -> str:
        """Return host and port, as READING_ALLOW_PRIVATE takes them."""
        return self.server.place

    def hits(self, paths: Iterable[str] | None = None) -> tuple[Page, ...]:
        """Return the articles as a search service finds them."""
        chosen = [article for article in self.articles if paths is None or article.path in set(paths)]
        return tuple(
            Page(
                title=article.title,
                url=f"http://{self.place}{article.path}",
                snippet=article.paragraphs[0],
                published=f"{article.published}T00:00:00",
            )
            for article in chosen
        )

    def send(self, request: QuietHandler) -> None:
        """Answer one request."""
        path = urlsplit(request.path).path
        self.asked.append(path)
        article = next((article for article in self.articles if article.path == path), None)
        if article is not None and article.hangs:
            self.over.wait(60)
            return
        status = article.status if article is not None else 404
        body = _page(article) if article is not None and status == 200 else "<html><body>없는 기사입니다.</body></html>".encode()
        request.respond(status, (("content-type", "text/html; charset=utf-8"),), body)


def _page(article: Article) -> bytes:
    title = html.escape(article.title)
    text = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in article.paragraphs)
    return (
        f'<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta property="article:published_time" content="{article.published}T00:00:00+09:00"></head>'
        f"<body><nav>홈 뉴스 경제</nav><article><h1>{title}</h1>{text}</article><footer>저작권 안내</footer></body></html>"
    ).encode()
