"""The one HTTP client: bounds, second tries, redirects, what its errors say, and what only real sockets show."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import zlib
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
import trustme

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.http import HttpAnswer, HttpClient
from tests.search_core.reading.loopback_site import LoopbackSite

MIB = 1024 * 1024
URL = "http://service.example/search"
NO_SUCH_HOST = ".".join(["x" * 63] * 4 + ["invalid"])
"""Longer than names can be, so that every resolver refuses it by itself."""
Sent = tuple[int, Mapping[str, str], bytes]


def get(url: str = URL, *answers: Sent, timeout_s: float = 5.0, params: Mapping[str, str] | None = None) -> tuple[Any, int]:
    """Return what one request ends in, answered by *answers* in turn, the last one for ever, and how often was asked."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        status, headers, body = answers[min(len(asked), len(answers) - 1)]
        asked.append(request)
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))

    async def one() -> HttpAnswer | ProviderError:
        transport = httpx.MockTransport(answer) if answers else None
        client = HttpClient(timeout_s=timeout_s, agent="Maekrak (test)", transport=transport)
        try:
            return await client.get(url, params=params)
        except ProviderError as error:
            return error
        finally:
            await client.aclose()

    return asyncio.run(one()), len(asked)


def refused(*given: Any, **options: Any) -> tuple[ProviderError, int]:
    """Return the error that one request ends in, and how often was asked."""
    error, asked = get(*given, **options)
    assert isinstance(error, ProviderError)
    return error, asked


def test_an_answer_is_read_whole():
    """Status, headers in lower case and body come back, gzip and deflate unpacked."""
    answer, asked = get(URL, (200, {"X-Thing": "1"}, '{"가": 1}'.encode()))
    assert (answer.status, answer.host, asked) == (200, "service.example", 1)
    assert (answer.json(), answer.headers["x-thing"]) == ({"가": 1}, "1")
    for encoding, pack in (("gzip", gzip.compress), ("deflate", zlib.compress)):
        answer, _ = get(URL, (200, {"content-encoding": encoding}, pack(b"[1, 2]" * 1000)))
        assert answer.body == b"[1, 2]" * 1000


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"x" * (3 * MIB)),
        ({"content-encoding": "gzip"}, gzip.compress(b"\0" * (64 * MIB))),
        ({"content-encoding": "gzip, gzip"}, gzip.compress(gzip.compress(b"\0" * MIB))),
        ({"content-encoding": "br"}, b"\x0b\x02\x80"),
        ({"content-encoding": "gzip"}, b"no gzip at all"),
    ],
    ids=["large", "bomb", "nested", "not asked for", "broken"],
)
def test_too_large_and_oddly_packed_answers_cannot_be_read(headers: dict[str, str], body: bytes):
    """Neither wire nor unpacked bytes pass the bound, and only what was asked for is unpacked."""
    error, _ = refused(URL, (200, headers, body))
    assert error.status is SearchStatus.INVALID_RESPONSE


@pytest.mark.parametrize(
    ("status", "after", "tries", "pause_s"),
    [(429, "0", 2, 0.0), (429, "3", 1, 3.0), (429, "soon", 1, None), (503, "0", 1, 0.0), (500, "", 1, None), (403, "", 1, None)],
)
def test_a_limit_is_asked_once_more(status: int, after: str, tries: int, pause_s: float | None):
    """Once, and what is still refused is handed on with the pause that was asked for; only trouble of its own is out of order."""
    error, asked = refused(URL, (status, {"retry-after": after}, b""))
    assert (asked, error.retry_after_s, error.out_of_order) == (tries, pause_s, status >= 500)
    answer, asked = get(URL, (429, {"retry-after": "0"}, b""), (200, {}, b"[1]"))
    assert (answer.json(), asked) == ([1], 2)


def test_no_redirect_is_followed():
    """Our headers go to no address but the configured one, and nothing of the other is repeated."""
    error, asked = refused(URL, (308, {"location": "http://service.example/?key=geheim"}, b""), (200, {}, b"[1]"))
    assert (error.status, asked, "geheim" in str(error)) == (SearchStatus.INVALID_RESPONSE, 1, False)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'<div class="g-recaptcha"></div>', SearchStatus.BLOCKED),
        (b"<p>Our systems have detected unusual traffic</p>", SearchStatus.BLOCKED),
        (b"<p>hello</p>", SearchStatus.INVALID_RESPONSE),
    ],
)
def test_a_challenge_page_instead_of_json_is_a_block(body: bytes, status: SearchStatus):
    """A page that asks for a human says blocked; any other page says unreadable."""
    answer, _ = get(URL, (200, {"content-type": "text/html"}, body))
    with pytest.raises(ProviderError) as caught:
        answer.json()
    assert caught.value.status is status


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:1/x?key=geheim", "http://[::1/x?key=geheim", "ftp://127.0.0.1/?key=geheim"),
        f"http://{NO_SUCH_HOST}/?key=geheim",
    ],
)
def test_unreachable_and_impossible_addresses_are_network_errors(url: str):
    """No address makes the client raise anything else, and no error text holds the query."""
    error, _ = refused(url, params={"q": "geheim"}, timeout_s=2)
    assert (error.status, error.__cause__) == (SearchStatus.NETWORK_ERROR, None)
    assert "geheim" not in str(error)


def test_an_untrusted_certificate_is_refused():
    """A TLS server whose authority is unknown gets no request."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with LoopbackSite(b"", context) as site:
        error, _ = refused(f"https://127.0.0.1:{site.port}/")
    assert (error.status, site.heads) == (SearchStatus.NETWORK_ERROR, [])
    assert "SSL_CERT_FILE" in error.korean
