"""Promises every search provider keeps, whatever its service sends; a new file in ``providers/`` is tested here by itself.

The services are played by ``tests/loopback/``; a provider whose service is not played there yet fails.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
import socket
import time
import traceback
from datetime import datetime
from typing import Any

import pytest

from search_core.domain import SearchResult, SearchStatus
from search_core.errors import ProviderError, StorageError
from search_core.provider_kit import SearchProvider, SearchRequest
from search_core.provider_kit.payload import web_url
from search_core.providers import build, catalogue
from search_core.settings import Settings
from tests.contracts import odd_answers
from tests.loopback.world import PLAYED, SERVICES, World

TIMEOUT_S = 0.3
"""What a service that never answers gets; all others get as long as a busy machine needs."""
LONG_S = 10.0
GRACE_S = 5.0
"""Two busy cores may be late by this much; a provider without a bound of its own would wait until the world gives up."""
NEVER_ENDING = ("hang", "drip")
REQUEST = SearchRequest(query="메모리 대역폭이란?", limit=10)
NEWS_REQUEST = SearchRequest(query="메모리 대역폭이란?", limit=10, news=True, freshness="week")
LOCAL = ("library", "browser")
"""Providers that ask no service over HTTP; the world does not play them, they have tests of their own."""
ASKING = sorted(set(catalogue()) - set(LOCAL))
FAILING = [(name, failure) for name in SERVICES for failure in PLAYED[name].failures()]
KEYS = [key for service in PLAYED.values() for key in service.keys]


class Shelf:
    """A document index with one document, or a broken one."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        if self.broken:
            raise StorageError("the index is broken", korean="색인이 망가졌어요.")
        return [SearchResult(title="문서", url="https://example.org/doc", snippet=query, source="example.org")]

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        return self.search(question, limit, samples=samples), []

    def count(self, *, samples: bool = True) -> int:
        if self.broken:
            raise StorageError("the index is broken", korean="색인이 망가졌어요.")
        return 1


def provider_of(name: str, settings: dict[str, Any]) -> SearchProvider:
    return build(Settings(**{**settings, "search_providers": name}), Shelf())[name]


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


def assert_tells_nothing(told: str) -> None:
    """Hold that neither the query nor a planted key stands in *told*."""
    assert not re.search("메모리|%EB%A9%94", told, re.IGNORECASE)
    assert not [key for key in KEYS if key in told]


@pytest.fixture(scope="module", params=ASKING)
def name(request: pytest.FixtureRequest) -> str:
    """The name of each provider that asks a service."""
    assert request.param in SERVICES, f"tests/loopback/services/ does not play {request.param} yet"
    return request.param


async def outcome(provider: SearchProvider, request: SearchRequest = REQUEST) -> tuple[SearchResult, ...] | ProviderError:
    try:
        return await provider.search(request)
    except ProviderError as error:
        return error


def asked_once(provider: SearchProvider, request: SearchRequest = REQUEST) -> tuple[SearchResult, ...] | ProviderError:
    async def ask() -> tuple[SearchResult, ...] | ProviderError:
        try:
            return await outcome(provider, request)
        finally:
            await provider.aclose()

    return asyncio.run(ask())


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
    odd = {**odd_answers.COMMON, **odd_answers.of_html(), **odd_answers.of_json(PLAYED[name])}
    found = outcomes(provider, world, {label: (200, {"content-type": content_type}, body) for label, body in odd.items()})
    for label, result in found.items():
        if isinstance(result, ProviderError):
            assert not result.status.answered, label
            assert result.korean, label
        else:
            assert_presentable(result)
    for label in ("no body", "random bytes", "too large", "null", "empty object", "list is a number", "list of strings"):
        assert isinstance(found[label], ProviderError), label


@pytest.mark.parametrize("request_", [REQUEST, NEWS_REQUEST], ids=["web", "news"])
def test_the_world_is_read_right(name: str, world: World, request_: SearchRequest):
    """A healthy service gives results that hold the query's words, for news as well."""
    world.play(name)
    results = asked_once(provider_of(name, world.settings()), request_)
    assert not isinstance(results, ProviderError), results
    assert_presentable(results)
    assert results
    assert any("메모리" in result.title + result.snippet for result in results)


@pytest.mark.parametrize(("name", "failure"), FAILING)
def test_every_way_to_fail_is_typed_and_in_time(name: str, world: World, failure: str, caplog: pytest.LogCaptureFixture):
    """Each failure has the status its service's sheet gives it, in time, and neither text nor log holds the query or a key."""
    caplog.set_level(logging.DEBUG)
    provider = provider_of(name, world.settings(web_search_timeout=TIMEOUT_S if failure in NEVER_ENDING else LONG_S))
    world.play(name, failure=failure)

    async def ask() -> tuple[tuple[SearchResult, ...] | ProviderError, float]:
        started = time.perf_counter()
        found = await outcome(provider)
        took_s = time.perf_counter() - started
        await provider.aclose()
        return found, took_s

    found, took_s = asyncio.run(ask())
    expected = PLAYED[name].failures()[failure]
    if expected is SearchStatus.NO_RESULTS:
        assert found == ()
        return
    assert isinstance(found, ProviderError)
    assert found.status is expected
    if failure in NEVER_ENDING:
        assert took_s < TIMEOUT_S + GRACE_S
    assert_tells_nothing("".join(traceback.format_exception(found)) + found.korean + found.advice + caplog.text)
    if failure not in PLAYED[name].answers:
        assert found.retry_after_s == (7.0 if failure == "429-after" else None)


def test_a_refused_connection_is_a_network_error(name: str, world: World):
    """A port where nobody listens gives network_error within the time."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    nowhere = PLAYED[name].settings(f"http://127.0.0.1:{port}")
    found = asked_once(provider_of(name, world.settings(**{**nowhere, "web_search_timeout": LONG_S})))
    assert isinstance(found, ProviderError)
    assert found.status is SearchStatus.NETWORK_ERROR


@pytest.mark.parametrize("name", [name for name in SERVICES if PLAYED[name].keys])
def test_a_redirect_to_another_host_gets_no_key(name: str, world: World):
    """A service that sends us elsewhere is not followed there, whatever the kind of redirect."""
    elsewhere = world.base_url.replace("127.0.0.1", "localhost")
    for status in (301, 302, 303, 307, 308):
        world.requests[name].clear()
        world.play(name, answer=(status, {"location": f"{elsewhere}/{name}/elsewhere"}, b""))
        found = asked_once(provider_of(name, world.settings()))
        assert isinstance(found, ProviderError)
        assert world.requests[name], "the service itself was not asked"
        assert [asked for asked in world.requests[name] if asked.path == "/elsewhere"] == []


@pytest.mark.parametrize("status", [200, 301, 400, 401, 403, 404, 422, 429, 432, 500, 503])
def test_what_an_answer_repeats_is_told_nowhere(name: str, world: World, status: int, caplog: pytest.LogCaptureFixture):
    """An answer that holds the query and the keys, where errors have their texts and codes, leaves neither in error or log."""
    caplog.set_level(logging.DEBUG)
    said = " ".join([REQUEST.query, *PLAYED[name].keys])
    error = {"code": said, "errorCode": said, "message": said, "detail": said, "details": said, "status": said, "reason": said}
    told = {**error, "error": {**error, "errors": [error], "details": [error]}, "errors": [error], "detail": {"error": said}}
    headers = {"content-type": "application/json", "www-authenticate": "Basic realm", "retry-after": "x".join(PLAYED[name].keys)}
    world.play(name, answer=(status, headers, json.dumps(told, ensure_ascii=False).encode()))
    found = asked_once(provider_of(name, world.settings()))
    assert isinstance(found, ProviderError)
    assert_tells_nothing("".join(traceback.format_exception(found)) + found.korean + found.advice + caplog.text)


@pytest.mark.parametrize("name", [name for name in ASKING if catalogue()[name].keys])
def test_without_a_key_a_provider_is_absent_by_choice(name: str, world: World):
    """Each missing key makes it absent, by a Korean sentence that names the setting."""
    for key in catalogue()[name].keys:
        provider = provider_of(name, world.settings(**{key.lower(): ""}))
        assert key in (provider.absent_because() or "")
        assert not provider.is_available()


def test_no_answer_at_all_of_the_library_is_typed(world: World):
    """A library that cannot be read raises ProviderError, and does not pass for an empty one."""
    settings = Settings(**world.settings(search_providers="library"))
    provider = build(settings, Shelf(broken=True))["library"]
    assert provider.is_available()
    assert provider.fault() == "색인이 망가졌어요."
    assert build(settings, Shelf())["library"].fault() == ""
    found = asyncio.run(outcome(provider))
    assert isinstance(found, ProviderError)
    assert found.status is SearchStatus.INVALID_RESPONSE


@pytest.mark.parametrize("provider_name", sorted(catalogue()))
def test_every_provider_keeps_the_contract_of_its_class(provider_name: str, world: World):
    """Each provider has a Korean label, is there when it is set up, and puts no secret into the cache key."""
    kind = catalogue()[provider_name]
    provider = provider_of(provider_name, world.settings())
    assert kind.name == provider_name
    assert kind.label
    assert 50 <= kind.max_query_chars <= 2000
    assert inspect.getdoc(kind)
    assert all(key == key.upper() and key.lower() in Settings.model_fields for key in kind.keys)
    if provider_name in SERVICES:
        assert provider.absent_because() is None
    assert_tells_nothing(json.dumps(provider.cache_key()) + repr(provider))


@pytest.mark.parametrize("name", [name for name in SERVICES if PLAYED[name].dated])
def test_dates_are_read_where_the_service_has_them(name: str, world: World):
    """Results carry their dates, time zone aware."""
    world.play(name)
    found = asked_once(provider_of(name, world.settings()))
    assert not isinstance(found, ProviderError)
    assert found[0].publish_date == datetime.fromisoformat("2026-11-12T00:00:00+00:00")
