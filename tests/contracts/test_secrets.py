"""Planted keys turn up nowhere: not in logs, replies, events, stored answers, exports, metrics or tracebacks.

Each test looks for traces of them in everything that a search leaves behind, however it fails.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from redis import Redis
from starlette.applications import Starlette
from starlette.testclient import TestClient

from search_core.api import routes
from search_core.core import SearchCore
from search_core.domain.reply import SearchEvent, SearchStatus
from search_core.domain.report import Question, SearchReport
from search_core.errors import ProviderError
from search_core.language.redaction import install
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.presenting.health_text import health_export, health_text
from search_core.search.presenting.ledger import headline
from search_core.settings import Settings
from tests.contracts.planted_keys import (
    MODEL_KEY,
    REDIS_PASSWORD,
    SERVICE_KEYS,
    as_text,
    needles_of,
    on_disk,
    refuse_and_repeat_key,
    traces,
)
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.redis_server import RedisServer
from tests.loopback.world import PLAYED, Page, World
from tests.search_core.search.gathering.scripted_providers import ScriptedProvider

SEARXNG_PASSWORD = "CANARY-searxng-4f7c02ab"
PROXY_PASSWORD = "CANARY-proxy-d8813e5f"
PLANTED = (*SERVICE_KEYS, MODEL_KEY, REDIS_PASSWORD, SEARXNG_PASSWORD, PROXY_PASSWORD)
NEEDLES = needles_of(PLANTED)
PAGES = (
    Page(
        title="Memory bandwidth and why it matters",
        url="https://docs.example.org/bandwidth",
        snippet="Memory bandwidth is the rate at which data can be read from or stored into memory by a processor.",
    ),
)
"""In English, so that the language model is asked for a summary."""
QUESTION = Question(text="메모리 대역폭은 왜 중요한가?")


@dataclass(kw_only=True)
class Outside:
    """All that is outside of Maekrak, and the settings to reach it."""

    world: World
    elsewhere: World
    model: LanguageModelServer
    redis: RedisServer

    def settings(self, folder: Path, **changes: Any) -> Settings:
        reached = self.world.settings(web_search_timeout=20.0, web_search_deadline=30.0)
        for name, password in (("searxng_url", SEARXNG_PASSWORD), ("ddgs_proxy", PROXY_PASSWORD)):
            reached[name] = reached[name].replace("://", f"://login:{password}@")
        own = {
            "maekrak_data_dir": folder,
            "embedding_model": "kiwi",
            "library_samples": False,
            "search_providers": ",".join(PLAYED),
            "openai_api_key": MODEL_KEY,
            "openai_base_url": self.model.url,
            "openai_model": "m",
            "relevance_threshold": 0.0,
            "redis_url": f"redis://:{quote(REDIS_PASSWORD, safe='')}@127.0.0.1:{self.redis.port}/0",
        }
        return Settings(**{**reached, **own, **changes})

    def play(self, mode: str) -> None:
        """Let all services behave as *mode* says and forget what was before."""
        self.world.reset(pages=PAGES)
        self.redis.say("FLUSHALL")
        if mode == "redirect":
            location = f"{self.elsewhere.base_url}/searxng/search?moved=yes"
            self.world.play_all(answer=(302, {"location": location}, b""))
        for name, service in PLAYED.items():
            if mode == "cancelled":
                self.world.play(name, failure="hang")
            elif mode in service.failures():
                self.world.play(name, failure=mode)

    def in_redis(self) -> str:
        """Return all that Redis holds."""
        with closing(Redis(port=self.redis.port, password=REDIS_PASSWORD)) as client:
            return as_text(
                [client.lrange(key, 0, -1) if client.type(key) == b"list" else client.get(key) for key in client.scan_iter()]
            )


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with (
        World() as world,
        World() as elsewhere,
        LanguageModelServer(refuse_and_repeat_key) as model,
        RedisServer(password=REDIS_PASSWORD) as redis,
    ):
        yield Outside(world=world, elsewhere=elsewhere, model=model, redis=redis)


def left_behind(core: SearchCore, report: SearchReport | None) -> dict[str, str]:
    """Return by name all that *core* shows, exports and serves after a search."""
    health = core.health()
    sinks = {
        "settings": f"{core.settings!r} {core.settings!s}",
        "health": f"{health!r} {health_text(health, health.until)}",
        "health json": as_text(health_export(health)),
        "providers": repr(core.providers()),
        "metrics": as_text(core.monitor.exposition()[0]),
    }
    with TestClient(Starlette(routes=routes(lambda: core))) as client:
        for path in ("/metrics", "/healthz"):
            answer = client.get(path, headers={"authorization": "Bearer wrong"})
            sinks[path] = f"{answer.status_code} {answer.headers} {answer.text}"
    if report is not None:
        sinks |= {
            "report": repr(report),
            "page": f"{headline(report.replies, core.provider_labels())} {core.format_report(report)}",
            "markdown": as_text(core.export(report, "markdown")),
            "csv": as_text(core.export(report, "csv")),
            "json": as_text(core.export(report, "json")),
        }
    return sinks


def test_traces_are_found_in_every_form():
    """What looks for keys finds each planted one whole, cut, percent-encoded, in base64 wherever it begins, and compressed."""
    for key in PLANTED:
        forms = [base64.b64encode(f"{before}{key}:".encode()).decode() for before in ("", "x", "xy")]
        forms += [quote(key, safe=""), key[:14], key[5:], as_text(zlib.compress(f'{{"key": "{key}"}}'.encode()))]
        assert [form for form in forms if not traces({"": form}, NEEDLES)] == []


@pytest.mark.parametrize(
    ("mode", "store"),
    [
        *(("healthy", "redis"), ("cancelled", "redis"), ("echo-key", "disk"), ("bad-key", "disk")),
        ("redirect", "disk"),
    ],
)
def test_no_planted_key_turns_up_anywhere(
    outside: Outside,
    mode: str,
    store: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
):
    """Whatever the services do, at the most talkative log level, no planted key is in anything a search leaves behind."""
    caplog.set_level(logging.DEBUG)
    outside.play(mode)
    changes = {"redis_url": ""} if store == "disk" else {}
    report = None
    with closing(SearchCore.from_settings(outside.settings(tmp_path / "data", **changes))) as core:
        if mode == "cancelled":
            job = core.start_search(QUESTION)
            assert outside.world.arrived.wait(30)
            job.cancel()
            assert job.wait(30)
        else:
            report = core.search(QUESTION)
            assert {reply.provider for reply in report.replies} == set(PLAYED)
        sinks = left_behind(core, report)
    in_redis = outside.in_redis()
    assert ("provider" in in_redis) == (mode == "healthy")
    sinks |= {"disk": on_disk(tmp_path), "redis": in_redis, "log": caplog.text}
    sinks |= dict(zip(("stdout", "stderr"), capfd.readouterr(), strict=True))
    assert mode == "cancelled" or "search_core" in sinks["log"]
    assert traces(sinks, NEEDLES) == {}

    if mode != "cancelled":
        keys = {name: service.keys for name, service in PLAYED.items() if service.keys}
        sent = {name: any(asked.holds(key) for asked in outside.world.requests[name] for key in keys[name]) for name in keys}
        assert sent == dict.fromkeys(keys, True)
    if mode == "healthy":
        login = base64.b64encode(f"login:{SEARXNG_PASSWORD}".encode()).decode()
        assert any(asked.holds(login) for asked in outside.world.requests["searxng"])
        assert outside.model.asked
    assert outside.elsewhere.asked == []


def test_unexpected_errors_leave_no_trace(outside: Outside, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A provider that breaks with a key in its error text is logged with a traceback, and the key is not in it."""
    caplog.set_level(logging.DEBUG)
    install(outside.settings(tmp_path))
    key = PLAYED["google"].keys[0]
    request = httpx.Request("GET", "https://search.example/", params={"key": key}, headers={"x-key": key})
    refused = httpx.HTTPStatusError(f"403 for url {request.url}", request=request, response=httpx.Response(403))
    careless = ProviderError(SearchStatus.BLOCKED, f"refused {key} of {request.url}", advice=f"{key} 확인")
    providers = {name: ScriptedProvider(name, error) for name, error in (("broken", refused), ("careless", careless))}
    events: list[SearchEvent] = []
    replies = asyncio.run(MultiProviderSearchManager(providers, record=events.append).search("맥락"))
    assert [str(reply.status) for reply in replies] == ["unknown_error", "blocked"]
    assert replies[1].error_message == "refused *** of https://search.example/?key=***"
    assert traces({"log": caplog.text, "replies": repr(replies), "events": repr(events)}, NEEDLES) == {}
    assert "HTTPStatusError: 403 for url https://search.example/?key=***" in caplog.text
