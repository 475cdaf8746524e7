"""Promises every search provider keeps, whatever its service sends; a new file in ``providers/`` is tested here by itself.

The services are played over real sockets by ``tests/loopback/``; a provider whose service is not played there yet fails.
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
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import pytest

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError, StorageError
from search_core.providers import build, provider_class, provider_names
from search_core.providers.kit.contract import SearchProvider, SearchRequest
from search_core.providers.kit.payload import web_url
from search_core.settings import Settings
from tests.contracts import odd_answers
from tests.loopback.played import HTML_TYPE, JSON_TYPE
from tests.loopback.world import PLAYED, SERVICES, World
from tests.search_core.providers.provider_calls import ScriptedLibrary, provider_of

SHORT_S = 0.2
"""What a service that never answers gets; all others get as long as a busy machine needs."""
LONG_S = 10.0
GRACE_S = 10.0
"""How late two busy cores may be."""
NEVER_ENDING = ("hang", "drip")
REQUEST = SearchRequest(query="메모리 대역폭이란?", limit=10)
LOCAL = ("library", "browser")
"""Providers that ask no service over HTTP; the world does not play them, they have tests of their own."""
ASKING = sorted(set(provider_names()) - set(LOCAL))
KEYS = [key for service in PLAYED.values() for key in service.keys]


class BrokenLibrary(ScriptedLibrary):
    """A library whose index cannot be read."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        raise StorageError("the index is broken", korean="색인이 망가졌어요.")

    def count(self, *, samples: bool = True) -> int:
        raise StorageError("the index is broken", korean="색인이 망가졌어요.")


def assert_presentable(results: object) -> None:
    assert isinstance(results, tuple)
    assert len(results) <= REQUEST.limit
    for rank, result in enumerate(results, start=1):
        assert isinstance(result, SearchResult)
        assert result.title.strip()
        assert result.url == web_url(result.url)
        assert result.source
        assert result.ranks == ((result.providers[0], rank),)
        assert result.publish_date is None or result.publish_date.tzinfo is not None
        for shown in (result.title, result.snippet, result.url, result.source):
            shown.encode("utf-8")
            assert not any(ord(char) < 32 or char in "\u200b\u202e\u3164\u115f" for char in shown)


def assert_no_secret(text: str) -> None:
    """Hold that neither the query nor a planted key is in *text*."""
    assert not re.search("메모리|%EB%A9%94", text, re.IGNORECASE)
    assert not [key for key in KEYS if key in text]


def assert_error_without_secret(error: object, log: str) -> None:
    assert isinstance(error, ProviderError)
    assert_no_secret("".join(traceback.format_exception(error)) + error.korean + error.advice + log)


@pytest.fixture(scope="module", params=ASKING)
def name(request: pytest.FixtureRequest) -> str:
    """The name of each provider that asks a service."""
    assert request.param in SERVICES, f"tests/loopback/services/ does not play {request.param} yet"
    return request.param


Outcome = tuple[SearchResult, ...] | ProviderError


async def ask(provider: SearchProvider, request: SearchRequest = REQUEST) -> Outcome:
    try:
        return await provider.search(request)
    except ProviderError as error:
        return error


def ask_once(provider: SearchProvider, request: SearchRequest = REQUEST) -> Outcome:
    async def one() -> Outcome:
        try:
            return await ask(provider, request)
        finally:
            await provider.aclose()

    return asyncio.run(one())


def ask_each(provider: SearchProvider, world: World, played: Iterable[dict[str, Any]]) -> list[Outcome]:
    """Return how *provider* takes each behaviour of its service; any other exception than ProviderError ends the test."""

    async def all_of_them() -> list[Outcome]:
        outcomes = []
        for changes in played:
            world.play(provider.name, **changes)
            outcomes.append(await ask(provider))
        await provider.aclose()
        return outcomes

    return asyncio.run(all_of_them())


ODD = {
    "another shape": (200, {"content-type": JSON_TYPE}, b'{"unexpected": [1, {"a": null}]}'),
    "no UTF-8": (200, {"content-type": JSON_TYPE}, b'{"results": "\xff\xfe'),
}
"""Answers that no service has of its own, and that cannot be read."""


def test_every_way_to_fail_has_its_status(name: str, world: World, caplog: pytest.LogCaptureFixture):
    """Each failure ends in the status its service's sheet gives it, in time, and no error or log holds the query or a key."""
    caplog.set_level(logging.DEBUG)
    sheet = PLAYED[name].failures()
    ways: dict[str, dict[str, Any]] = {failure: {"failure": failure} for failure in sheet}
    ways |= {label: {"answer": answer} for label, answer in ODD.items()}
    ended: dict[str, Outcome] = {}
    for timeout_s, failures in ((LONG_S, [way for way in ways if way not in NEVER_ENDING]), (SHORT_S, NEVER_ENDING)):
        started = time.perf_counter()
        provider = provider_of(name, world.settings(web_search_timeout=timeout_s))
        ended |= dict(zip(failures, ask_each(provider, world, (ways[failure] for failure in failures)), strict=True))
    assert time.perf_counter() - started < len(NEVER_ENDING) * SHORT_S + GRACE_S
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    ended["refused"] = ask_once(provider_of(name, world.settings(**PLAYED[name].settings(f"http://127.0.0.1:{port}"))))

    assert ended.pop("nothing") == ()
    expected = {**sheet, **dict.fromkeys(ODD, SearchStatus.INVALID_RESPONSE), "refused": SearchStatus.NETWORK_ERROR}
    del expected["nothing"]
    assert {way: getattr(error, "status", error) for way, error in ended.items()} == expected
    for error in ended.values():
        assert_error_without_secret(error, caplog.text)
    pauses = {way: error.retry_after_s for way, error in ended.items() if way not in PLAYED[name].answers}
    assert {way: pause_s for way, pause_s in pauses.items() if pause_s is not None} == {"429-after": 7.0}


def test_odd_answers_give_results_or_a_typed_error(name: str, world: World):
    """Whatever a service sends, a provider returns presentable results or raises ProviderError, and nothing else."""
    provider = provider_of(name, world.settings(web_search_timeout=5))
    odd = {**odd_answers.COMMON, **(odd_answers.of_html() if PLAYED[name].tls_host else odd_answers.of_json(PLAYED[name]))}
    headers = {"content-type": HTML_TYPE if PLAYED[name].tls_host else JSON_TYPE}
    found = dict(zip(odd, ask_each(provider, world, ({"answer": (200, headers, body)} for body in odd.values())), strict=True))
    for label, result in found.items():
        if isinstance(result, ProviderError):
            assert not result.status.answered, label
            assert result.korean, label
        else:
            assert_presentable(result)
    for label in ("no body", "random bytes", "too large", "null", "empty object"):
        assert isinstance(found[label], ProviderError), label
    for label in {"list is a number", "list of strings"} & set(found):
        assert isinstance(found[label], ProviderError), label


@pytest.mark.parametrize("asked", [{}, {"news": True, "fresh": True}], ids=["web", "news"])
def test_a_healthy_service_is_read(name: str, world: World, asked: dict[str, Any]):
    """A healthy service gives results that hold the query's words and, where it has them, dates; for news as well."""
    world.play(name)
    results = ask_once(provider_of(name, world.settings()), SearchRequest(query="메모리 대역폭이란?", limit=10, **asked))
    assert not isinstance(results, ProviderError), results
    assert_presentable(results)
    assert any("메모리" in result.title + result.snippet for result in results)
    if PLAYED[name].dated and not asked:
        assert results[0].publish_date == datetime.fromisoformat("2026-11-12T00:00:00+00:00")


def test_what_an_answer_repeats_stays_secret(name: str, world: World, caplog: pytest.LogCaptureFixture):
    """An answer that holds the query and the keys, where errors have their texts and codes, leaves neither in error or log."""
    caplog.set_level(logging.DEBUG)
    secret = " ".join([REQUEST.query, *PLAYED[name].keys])
    error: dict[str, Any] = dict.fromkeys(("code", "errorCode", "message", "detail", "details", "status", "reason"), secret)
    body = {**error, "error": {**error, "errors": [error], "details": [error]}, "errors": [error], "detail": {"error": secret}}
    headers = {"content-type": "application/json", "www-authenticate": "Basic realm", "retry-after": "x".join(PLAYED[name].keys)}
    sent = json.dumps(body, ensure_ascii=False).encode()
    statuses = (200, 301, 400, 401, 403, 404, 422, 429, 432, 500, 503)
    played = ({"answer": (status, headers, sent)} for status in statuses)
    for error in ask_each(provider_of(name, world.settings()), world, played):
        assert_error_without_secret(error, caplog.text)


@pytest.mark.parametrize("provider_name", provider_names())
def test_every_provider_keeps_the_contract_of_its_class(provider_name: str, world: World):
    """Each provider has a Korean label, names its missing key when absent, and keeps secrets out of its cache key."""
    kind = provider_class(provider_name)
    provider = provider_of(provider_name, world.settings())
    assert kind.name == provider_name
    assert kind.label
    assert 50 <= kind.max_query_chars <= 2000
    assert inspect.getdoc(kind)
    assert all(key == key.upper() and key.lower() in Settings.model_fields for key in kind.keys)
    if provider_name in SERVICES:
        assert provider.absent_because() is None
    assert_no_secret(json.dumps(provider.cache_key()) + repr(provider))
    for key in kind.keys:
        keyless = provider_of(provider_name, world.settings(**{key.lower(): ""}))
        assert key in (keyless.absent_because() or "")
        assert not keyless.is_available()


def test_an_unreadable_library_is_not_taken_for_an_empty_one(world: World):
    """A library that cannot be read is available, names its fault, and raises ProviderError."""
    settings = Settings(**world.settings(search_providers="library"))
    provider = build(settings, BrokenLibrary)["library"]
    assert provider.is_available()
    assert provider.fault() == "색인이 망가졌어요."
    assert build(settings, ScriptedLibrary)["library"].fault() == ""
    error = ask_once(provider)
    assert isinstance(error, ProviderError)
    assert error.status is SearchStatus.INVALID_RESPONSE
