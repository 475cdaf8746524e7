"""Answers no service should send, in the shape of each."""

from __future__ import annotations

import json

from tests.loopback.played import Asked, PlayedService

NOW = "2026-11-01T09:00:00"
GOOD = {"url": "https://example.org/a", "title": "좋은 글", "snippet": "본문", "published": NOW}
DATES = ("", "어제", "0000-00-00", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00-14:00", 10**30, -1, 1e308, True, [], {})

COMMON: dict[str, bytes] = {
    "null": b"null",
    "empty object": b"{}",
    "no body": b"",
    "broken json": b'{"results": [{"url": ',
    "deep nesting": b"[" * 100_000,
    "random bytes": bytes(range(256)) * 4,
    "unclosed html": b"<html><div class='result__body'><h2><a href='",
    "too large": b'{"results": "' + b"x" * 3_000_000 + b'"}',
}


def of_html() -> dict[str, bytes]:
    """Return pages that look like DuckDuckGo's and are odd."""
    return {
        "html result without address": _block("제목", "").encode(),
        "html javascript address": _block("제목", "javascript:alert(1)").encode(),
        "html broken address": _block("제목", "http://[::1").encode(),
        "html odd date": _block("제목", "https://example.org/a", span="2026-99-99T00:00:00").encode(),
        "html deep nesting": b"<div class='body'>" * 20_000,
    }


def of_json(service: PlayedService) -> dict[str, bytes]:
    """Return payloads with the names and the nesting of *service* and odd things in them."""

    def listed(content: object) -> bytes:
        return json.dumps(service.envelope(content, Asked())).encode()

    def entries(*changes: dict[str, object]) -> bytes:
        return listed([service.entry({**GOOD, **change}) for change in changes])

    good = service.entry(GOOD)
    return {
        "utf-16": json.dumps(service.envelope([], Asked())).encode("utf-16"),
        "huge number": listed([]).replace(b"[]", b"9" * 6000, 1),
        "list is null": listed(None),
        "list is a number": listed(7),
        "list of strings": listed(["https://example.org"]),
        "odd one among good": listed([None, 3, good, [], "x"]),
        "entry without fields": listed([{}]),
        "all fields numbers": entries(dict.fromkeys(GOOD, 7)),
        "every value a number": listed([dict.fromkeys(good, 7)]),
        "javascript address": entries({"url": "javascript:alert(1)"}),
        "address with password": entries({"url": "https://user:secret@example.org/"}),
        "broken address": entries({"url": "https://[::1"}),
        "title of tags": entries({"title": "<b></b><script>alert(1)</script>"}),
        "lone surrogate": entries({"url": "https://example.org/\ud800", "title": "\udfff a", "snippet": "\ud800"}),
        "invisible letters": entries({"title": "\u3164\u200b\u202e\ufeff", "snippet": "\u115f"}),
        "very long texts": entries({"title": "가" * 200_000, "snippet": "<" * 200_000}),
        "dates of all kinds": entries(
            *({"url": f"https://example.org/{number}", "published": value} for number, value in enumerate(DATES))
        ),
    }


def _block(title: str, href: str, snippet: str = "본문", span: str = "") -> str:
    return (
        f'<div class="web-result"><div class="links_main result__body"><h2><a class="result__a" href="{href}">{title}</a></h2>'
        f'<div class="result__extras__url"><span>{span}</span></div>'
        f'<a class="result__snippet" href="{href}">{snippet}</a></div></div>'
    )
