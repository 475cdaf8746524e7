"""What every provider promises, tried on each file of ``providers/`` against odd answers and every way to fail."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
import socket
import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from search_core.domain import SearchResult, SearchStatus
from search_core.errors import ProviderError, StorageError
from search_core.provider_kit import ProviderTools, SearchProvider, SearchRequest
from search_core.provider_kit.payload import web_url
from search_core.providers import build, catalogue
from search_core.settings import Settings
from tests.loopback.world import SERVICES, World

TIMEOUT_S = 0.3
GRACE_S = 0.7
"""Two busy cores may be late by this much; a provider without a bound of its own would be late by seconds."""
REQUEST = SearchRequest(query="메모리 대역폭이란?", limit=10)
LOCAL = ("library",)
"""Providers that ask no service; the world does not play them."""

NOW = "2026-11-01T09:00:00"
GOOD = {
    "url": "https://example.org/a",
    "key": "Good",
    "title": "좋은 글",
    "content": "본문",
    "excerpt": "본문",
    "publishedDate": NOW,
}


class Shelf:
    """Is a document index with one document, or a broken one."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken

    def search(self, query: str, limit: int) -> list[SearchResult]:
        if self.broken:
            raise StorageError("the index is broken", korean="색인이 망가졌어요.")
        return [SearchResult(title="문서", url="https://example.org/doc", snippet=query, source="example.org")]

    def count(self) -> int:
        if self.broken:
            raise StorageError("the index is broken", korean="색인이 망가졌어요.")
        return 1


def entries(*changes: object) -> bytes:
    """Return an answer whose lists, under the name of any service, hold *changes*."""
    return json.dumps({"results": changes, "pages": changes, "unresponsive_engines": []}).encode()


def block(title: str, href: str, snippet: str = "본문", span: str = "") -> str:
    return (
        f'<div class="web-result"><div class="links_main result__body"><h2><a class="result__a" href="{href}">{title}</a></h2>'
        f'<div class="result__extras__url"><span>{span}</span></div>'
        f'<a class="result__snippet" href="{href}">{snippet}</a></div></div>'
    )


ODD: dict[str, bytes] = {
    "null": b"null",
    "list": b"[]",
    "number": b"42",
    "string": b'"results"',
    "true": b"true",
    "empty object": b"{}",
    "no body": b"",
    "white space": b" \n\t ",
    "broken json": b'{"results": [{"url": ',
    "deep nesting": b"[" * 100_000,
    "huge number": b'{"results": ' + b"9" * 6000 + b"}",
    "nul bytes": b"\x00" * 100,
    "random bytes": bytes(range(256)) * 4,
    "utf-16": json.dumps({"results": []}).encode("utf-16"),
    "latin-1": '{"results": [{"url": "https://example.org", "title": "café"}]}'.encode("latin-1"),
    "html instead of json": "<!doctype html><h1>안녕하세요</h1>".encode(),
    "unclosed html": b"<html><div class='result__body'><h2><a href='",
    "xml with declaration": b'<?xml version="1.0" encoding="utf-8"?><html><body/></html>',
    "too large": b'{"results": "' + b"x" * 3_000_000 + b'"}',
    "list is null": b'{"results": null, "pages": null}',
    "list is object": b'{"results": {"a": 1}, "pages": {"a": 1}}',
    "list of nulls": entries(None, None),
    "list of strings": entries("https://example.org"),
    "list of lists": entries([["url", "https://example.org"]]),
    "odd one among good": entries(None, 3, GOOD, [], "x"),
    "entry without fields": entries({}),
    "all fields null": entries(dict.fromkeys(GOOD)),
    "all fields numbers": entries(dict.fromkeys(GOOD, 7)),
    "all fields lists": entries({key: ["a"] for key in GOOD}),
    "all fields objects": entries({key: {"a": "b"} for key in GOOD}),
    "javascript address": entries({**GOOD, "url": "javascript:alert(1)", "key": "javascript:alert(1)"}),
    "data address": entries({**GOOD, "url": "data:text/html,<script>1</script>"}),
    "file address": entries({**GOOD, "url": "file:///etc/passwd"}),
    "address with password": entries({**GOOD, "url": "https://user:secret@example.org/"}),
    "broken address": entries({**GOOD, "url": "https://[::1", "key": "[::1"}),
    "bad port": entries({**GOOD, "url": "https://example.org:99999999/"}),
    "spaces in address": entries({**GOOD, "url": "https://example.org/a b\"c'<d>", "key": "a b\"c'<d>"}),
    "empty title": entries({**GOOD, "title": ""}),
    "title of tags": entries({**GOOD, "title": "<b></b><script>alert(1)</script>"}),
    "emoji": entries({**GOOD, "title": "👩‍👩‍👧 🇰🇷 ❤️", "content": "🎉" * 500, "excerpt": "🎉" * 500}),
    "lone surrogate": b'{"results": [{"url": "https://example.org/\\ud800", "title": "\\udfff a", "content": "\\ud800"}],'
    b' "pages": [{"key": "\\ud800", "title": "\\udfff a", "excerpt": "\\ud800"}]}',
    "invisible letters": entries({**GOOD, "title": "\u3164\u200b\u202e\ufeff", "content": "\u115f"}),
    "very long texts": entries({**GOOD, "title": "가" * 200_000, "content": "<" * 200_000}),
    "very long address": entries({**GOOD, "url": "https://example.org/" + "a" * 100_000, "key": "a" * 100_000}),
    "dates of all kinds": entries(
        *({**GOOD, "url": f"https://example.org/{n}", "publishedDate": value} for n, value in enumerate(
            ["", "어제", "0000-00-00", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00-14:00", 10**30, -1, 1e308, True, [], {}]
        ))
    ),
    "html result": (block("제목", "https://example.org/a", span="2026-11-01T00:00:00.0000000")).encode(),
    "html result without title": block("", "https://example.org/a").encode(),
    "html result without address": block("제목", "").encode(),
    "html javascript address": block("제목", "javascript:alert(1)").encode(),
    "html empty redirect": block("제목", "//duckduckgo.com/l/?rut=1").encode(),
    "html broken address": block("제목", "http://[::1").encode(),
    "html odd date": block("제목", "https://example.org/a", span="2026-99-99T00:00:00").encode(),
    "html latin-1": block("café", "https://example.org/a", snippet="thé").encode("latin-1"),
    "html many attributes": ("<div " + " ".join(f"a{n}=1" for n in range(2000)) + ">").encode(),
    "html deep nesting": b"<div class='body'>" * 20_000,
}  # fmt: skip


def provider_of(name: str, settings: dict[str, object]) -> SearchProvider:
    return build(Settings(search_providers=name, **settings), ProviderTools(library=Shelf()))[name]


def assert_presentable(results: object) -> None:
    assert isinstance(results, tuple)
    assert len(results) <= REQUEST.limit
    for place, result in enumerate(results, start=1):
        assert isinstance(result, SearchResult)
        assert result.title.strip()
        assert result.url == web_url(result.url)
        assert result.source
        assert result.ranks == ((result.providers[0], place),)
        assert result.publish_date is None or result.publish_date.tzinfo is not None
        for shown in (result.title, result.snippet, result.url, result.source):
            shown.encode("utf-8")
            assert not any(ord(char) < 32 or char in "\u200b\u202e\u3164\u115f" for char in shown)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World() as played:
        yield played


@pytest.fixture(scope="module", params=sorted(set(catalogue()) - set(LOCAL)))
def name(request: pytest.FixtureRequest) -> str:
    """Is the name of each provider that asks a service."""
    assert request.param in SERVICES, f"tests/loopback/world.py does not play {request.param} yet"
    return request.param


async def outcome(provider: SearchProvider) -> tuple[SearchResult, ...] | ProviderError:
    try:
        return await provider.search(REQUEST)
    except ProviderError as error:
        return error


def outcomes(provider: SearchProvider, world: World, answers: dict[str, tuple[int, dict[str, str], bytes]]) -> dict[str, object]:
    """Return how *provider* takes each answer; any other exception than ProviderError ends the test."""

    async def all_of_them() -> dict[str, object]:
        found: dict[str, object] = {}
        for label, answer in answers.items():
            world.play(provider.name, answer=answer)
            try:
                found[label] = await outcome(provider)
            except Exception as error:
                raise AssertionError(f"{provider.name} let {type(error).__name__} out for {label!r}") from error
        await provider.aclose()
        return found

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "text/html; charset=utf-8"])
def test_odd_answers_give_results_or_a_typed_error(name: str, world: World, content_type: str):
    """Whatever a service sends, a provider returns presentable results or raises ProviderError, and nothing else."""
    provider = provider_of(name, world.settings(web_search_timeout=5))
    found = outcomes(provider, world, {label: (200, {"content-type": content_type}, body) for label, body in ODD.items()})
    for label, result in found.items():
        if isinstance(result, ProviderError):
            assert not result.status.answered, label
            assert result.korean, label
        else:
            assert_presentable(result)
    assert isinstance(found["no body"], ProviderError)
    assert isinstance(found["random bytes"], ProviderError)
    assert isinstance(found["too large"], ProviderError)


def test_the_world_is_read_right(name: str, world: World):
    """A healthy service gives results that hold the query's words."""
    provider = provider_of(name, world.settings())
    world.play(name)

    async def ask() -> tuple[SearchResult, ...]:
        try:
            return await provider.search(REQUEST)
        finally:
            await provider.aclose()

    results = asyncio.run(ask())
    assert_presentable(results)
    assert results
    assert any("메모리" in result.title + result.snippet for result in results)


EXPECTED = {
    "hang": {SearchStatus.TIMEOUT},
    "drip": {SearchStatus.TIMEOUT},
    "reset": {SearchStatus.NETWORK_ERROR},
    "401": {SearchStatus.BLOCKED, SearchStatus.INVALID_API_KEY},
    "403": {SearchStatus.BLOCKED},
    "429": {SearchStatus.RATE_LIMITED},
    "429-after": {SearchStatus.RATE_LIMITED},
    "500": {SearchStatus.NETWORK_ERROR},
    "503": {SearchStatus.NETWORK_ERROR},
    "html": {SearchStatus.INVALID_RESPONSE},
    "empty": {SearchStatus.INVALID_RESPONSE},
    "broken-json": {SearchStatus.INVALID_RESPONSE},
    "blocked": {SearchStatus.BLOCKED},
}


@pytest.mark.parametrize("failure", EXPECTED)
def test_every_way_to_fail_is_typed_and_in_time(name: str, world: World, failure: str, caplog: pytest.LogCaptureFixture):
    """Each failure of a service has its own status, comes within the time given, and neither text nor log holds the query."""
    caplog.set_level(logging.DEBUG)
    provider = provider_of(name, world.settings(web_search_timeout=TIMEOUT_S))
    world.play(name, failure=failure)

    async def ask() -> tuple[object, float]:
        started = time.perf_counter()
        found = await outcome(provider)
        took_s = time.perf_counter() - started
        await provider.aclose()
        return found, took_s

    found, took_s = asyncio.run(ask())
    assert isinstance(found, ProviderError)
    assert found.status in EXPECTED[failure]
    assert took_s < TIMEOUT_S + GRACE_S
    assert not re.search("메모리|%EB%A9%94", str(found) + caplog.text, re.IGNORECASE)
    assert found.retry_after_s == (7.0 if failure == "429-after" else None)


def test_a_service_that_finds_nothing_gives_no_results(name: str, world: World):
    """Found none is an empty answer, not an error."""
    provider = provider_of(name, world.settings())
    world.play(name, failure="nothing")

    async def ask() -> object:
        found = await outcome(provider)
        await provider.aclose()
        return found

    assert asyncio.run(ask()) == ()


def test_a_refused_connection_is_a_network_error(name: str, world: World):
    """A port where nobody listens gives network_error within the time."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    nobody = f"http://127.0.0.1:{port}"
    settings = world.settings(web_search_timeout=1.0, searxng_url=nobody, wikipedia_base_url=nobody, ddgs_proxy=nobody)
    provider = provider_of(name, settings)

    async def ask() -> object:
        found = await outcome(provider)
        await provider.aclose()
        return found

    found = asyncio.run(ask())
    assert isinstance(found, ProviderError)
    assert found.status is SearchStatus.NETWORK_ERROR


def test_no_answer_at_all_of_the_library_is_typed(world: World):
    """A library that cannot be read raises ProviderError, and does not pass for an empty one."""
    settings = Settings(search_providers="library", **world.settings())
    provider = build(settings, ProviderTools(library=Shelf(broken=True)))["library"]
    assert provider.is_available()
    found = asyncio.run(outcome(provider))
    assert isinstance(found, ProviderError)
    assert found.status is SearchStatus.INVALID_RESPONSE


@pytest.mark.parametrize("provider_name", sorted(catalogue()))
def test_every_provider_keeps_the_contract_of_its_class(provider_name: str, world: World):
    """Each provider has a Korean label, says why it is absent, and puts no secret into the cache key."""
    kind = catalogue()[provider_name]
    provider = provider_of(provider_name, world.settings())
    assert kind.name == provider_name
    assert kind.label
    assert 50 <= kind.max_query_chars <= 2000
    assert inspect.getdoc(kind)
    assert provider.absent_because() is None
    assert json.dumps(provider.cache_key())


def test_dates_are_read_where_the_service_has_them(world: World):
    """SearXNG and DuckDuckGo results carry their dates, time zone aware."""
    for service in ("searxng", "duckduckgo"):
        world.play(service)
        provider = provider_of(service, world.settings())

        async def ask(provider: SearchProvider = provider) -> tuple[SearchResult, ...]:
            try:
                return await provider.search(REQUEST)
            finally:
                await provider.aclose()

        first = asyncio.run(ask())[0]
        assert first.publish_date == datetime.fromisoformat("2026-11-12T00:00:00+00:00")
