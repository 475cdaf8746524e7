"""Planted keys turn up nowhere: not in logs, replies, events, kept answers, exports, metrics or tracebacks.

All keys hold the word CANARY. Each test looks for it, for the ends of the keys and for what base64 and hexadecimal make of them,
in everything that a search leaves behind, however it fails.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from redis import Redis
from starlette.applications import Starlette
from starlette.testclient import TestClient

from search_core.api import StreamRules, routes
from search_core.core import SearchCore
from search_core.domain import ProviderReply, Question, SearchEvent, SearchReport, SearchResult, SearchStatus
from search_core.errors import ProviderError
from search_core.gathering import MultiProviderSearchManager
from search_core.presenting import health_text
from search_core.providers import build
from search_core.redaction import install
from search_core.settings import Settings
from search_core.video.youtube_failure import YouTubeError
from search_core.video.youtube_page import ask_data_api
from tests.loopback.redis_server import RedisServer
from tests.loopback.world import PLAYED, Page, World
from tests.search_core.gathering.scripted_providers import ScriptedProvider

LLM_KEY = "sk-CANARY-llm-e81f0d5b7a"
METRICS_TOKEN = "CANARY-metrics-c5d2a7f913"
REDIS_PASSWORD = "CANARY-redis/+=9b3e61"
SEARXNG_PASSWORD = "CANARY-searxng-4f7c02ab"
PROXY_PASSWORD = "CANARY-proxy-d8813e5f"
PLANTED = (
    *(key for service in PLAYED.values() for key in service.keys),
    LLM_KEY,
    METRICS_TOKEN,
    REDIS_PASSWORD,
    SEARXNG_PASSWORD,
    PROXY_PASSWORD,
)
KEYED = tuple(name for name, service in PLAYED.items() if service.keys)

NO_SUCH_HOST = ".".join(["x" * 63] * 4 + ["invalid"])
"""Longer than names can be: refused without asking anybody."""
PAGES = (
    Page(
        title="Memory bandwidth and why it matters",
        url="https://docs.example.org/bandwidth",
        snippet="Memory bandwidth is the rate at which data can be read from or stored into memory by a processor.",
    ),
)
"""In English, so that the language model is asked for a summary."""
QUESTION = Question(text="메모리 대역폭은 왜 중요한가?")
MODES = (
    "healthy", "401", "echo-key", "bad-key", "quota", "429", "500", "broken-json", "html", "hang", "reset", "redirect",
    "refused", "dns", "tls", "cancelled",
)  # fmt: skip


def in_base64(text: str) -> Iterator[str]:
    """Yield the letters of base64 that *text* alone decides, for its three places in a group of bytes."""
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + text.encode()).decode().rstrip("=")
        yield encoded[{0: 0, 1: 2, 2: 3}[before] : -1]


ENDS = tuple(key[-8:] for key in PLANTED)
NEEDLES = (
    "CANARY",
    b"CANARY".hex(),
    *in_base64("CANARY"),
    *ENDS,
    *(quote(end, safe="") for end in ENDS),
    *(form for end in ENDS for form in in_base64(end)),
)


def found_in(text: str) -> list[str]:
    return [needle for needle in NEEDLES if needle in text]


class Echo(BaseHTTPRequestHandler):
    """Refuses every request and repeats the key it came with, as language model services do."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        key = self.headers["authorization"]
        self.server.keys.append(key)  # type: ignore[attr-defined]
        body = json.dumps({"error": {"message": f"Incorrect API key provided: {key}", "code": "invalid_api_key"}}).encode()
        self.send_response(401)
        self.send_header("content-type", "application/json")
        self.send_header("x-key", key)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@dataclass(kw_only=True)
class Outside:
    """All that is outside of Maekrak, and the settings to reach it."""

    world: World
    elsewhere: World
    llm: ThreadingHTTPServer
    redis: RedisServer

    def settings(self, folder: Path, **changes: Any) -> Settings:
        reached = self.world.settings(web_search_timeout=20.0, web_search_deadline=30.0)
        for name, password in (("searxng_url", SEARXNG_PASSWORD), ("ddgs_proxy", PROXY_PASSWORD)):
            reached[name] = reached[name].replace("://", f"://somebody:{password}@")
        return Settings(
            **{
                **reached,
                "maekrak_data_dir": folder,
                "maekrak_log_level": "DEBUG",
                "embedding_model": "kiwi",
                "library_samples": False,
                "search_providers": ",".join(PLAYED),
                "openai_api_key": LLM_KEY,
                "openai_base_url": f"http://127.0.0.1:{self.llm.server_port}/v1",
                "openai_model": "m",
                "relevance_threshold": 0.0,
                "metrics_token": METRICS_TOKEN,
                "redis_url": f"redis://:{quote(REDIS_PASSWORD, safe='')}@127.0.0.1:{self.redis.port}/0",
                **changes,
            }
        )

    def play(self, mode: str) -> dict[str, Any]:
        """Let all services behave as *mode* says and forget what was before; return the settings to go with it."""
        self.world.requests.clear()
        self.world.arrived.clear()
        self.redis.say("FLUSHALL")
        for name, service in PLAYED.items():
            self.world.play(name, pages=PAGES)
            if mode == "redirect":
                path = "searxng/search?moved=yes"
                self.world.play(name, answer=(302, {"location": f"{self.elsewhere.base_url}/{path}"}, b""))
            elif mode in ("hang", "cancelled"):
                self.world.play(name, failure="hang")
            elif mode in service.failures():
                self.world.play(name, failure=mode)
        if mode == "hang":
            return {"web_search_timeout": 0.5}
        if mode == "refused":
            return self.reached("http://127.0.0.1:1")
        if mode == "dns":
            return self.reached(f"http://{NO_SUCH_HOST}")
        if mode == "tls":  # speaks http, and so answers no greeting of TLS
            return self.reached(self.world.base_url.replace("http://", "https://"))
        return {}

    def reached(self, base_url: str) -> dict[str, Any]:
        return {
            setting: value
            for service in PLAYED.values()
            if not service.tls_host
            for setting, value in service.settings(base_url).items()
        }

    def in_redis(self) -> str:
        """Return all that stands in Redis."""
        with contextlib.closing(Redis(port=self.redis.port, password=REDIS_PASSWORD)) as client:
            held = [client.lrange(key, 0, -1) if client.type(key) == b"list" else client.get(key) for key in client.scan_iter()]
        return told_by(held)


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with World() as world, World() as elsewhere, RedisServer(password=REDIS_PASSWORD) as redis:
        llm = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        llm.keys = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=llm.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield Outside(world=world, elsewhere=elsewhere, llm=llm, redis=redis)
        llm.shutdown()
        thread.join(5)
        llm.server_close()


def told_by(value: object) -> str:
    """Return *value* as text; bytes that are compressed are unpacked."""
    if isinstance(value, bytes):
        with contextlib.suppress(zlib.error):
            value = zlib.decompress(value)
        return value.decode("latin-1") + value.decode("utf-8", "replace")
    if isinstance(value, list | tuple):
        return "\n".join(told_by(one) for one in value)
    return str(value)


def on_disk(folder: Path) -> str:
    """Return all files under *folder* as they are, and every value of every table in them."""
    told = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        told += [path.name, told_by(path.read_bytes())]
        if path.read_bytes().startswith(b"SQLite format 3"):
            with contextlib.closing(sqlite3.connect(path)) as database:
                for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    told.append(told_by(database.execute(f'SELECT * FROM "{table}"').fetchall()))
    return "\n".join(told)


def left_behind(core: SearchCore, report: SearchReport | None) -> dict[str, str]:
    """Return by name all that *core* shows, exports and serves after a search."""
    health = core.health()
    sinks = {
        "settings": f"{core.settings!r} {core.settings!s}",
        "health": f"{health!r} {health_text(health, health.until)}",
        "health csv": told_by(core.export_health(health, "csv").data),
        "health json": told_by(core.export_health(health, "json").data),
        "providers": repr(core.providers()),
        "metrics": told_by(core.metrics()[0]),
    }
    with TestClient(Starlette(routes=routes(lambda: core, StreamRules()))) as client:
        for path in ("/metrics", "/healthz"):
            for token in (METRICS_TOKEN, "wrong"):
                answer = client.get(path, headers={"authorization": f"Bearer {token}"})
                sinks[f"{path} {token == METRICS_TOKEN}"] = f"{answer.status_code} {answer.headers} {answer.text}"
    if report is not None:
        sinks |= {
            "report": repr(report),
            "page": f"{core.headline(report)} {core.ledger(report)!r} {core.format_report(report)}",
            "markdown": told_by(core.export(report, "markdown").data),
            "csv": told_by(core.export(report, "csv").data),
            "json": told_by(core.export(report, "json").data),
        }
    return sinks


def traces(sinks: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: found for name, text in sinks.items() if (found := found_in(text))}


def test_traces_are_found_in_every_form():
    """What looks for keys finds each planted one whole, cut, percent-encoded, in base64 wherever it begins, and compressed."""
    for key in PLANTED:
        for before in ("", "x", "xy"):
            assert found_in(base64.b64encode(f"{before}{key}:".encode()).decode())
        assert found_in(quote(key, safe=""))
        assert found_in(key[:14])
        assert found_in(key[5:])
        assert found_in(told_by(zlib.compress(f'{{"key": "{key}"}}'.encode())))
    assert not found_in(json.dumps([str(status) for status in SearchStatus]))


@pytest.mark.parametrize("kept", ["on disk", "in redis"])
@pytest.mark.parametrize("mode", MODES)
def test_no_planted_key_turns_up_anywhere(
    outside: Outside,
    mode: str,
    kept: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
):
    """Whatever the services do, at the most talkative log level, no planted key is in anything a search leaves behind."""
    caplog.set_level(logging.DEBUG)
    changes = outside.play(mode)
    if kept == "on disk":
        changes["redis_url"] = ""
    core = SearchCore.from_settings(outside.settings(tmp_path / "data", **changes))
    report = None
    try:
        if mode == "cancelled":
            job = core.start_search(QUESTION)
            assert outside.world.arrived.wait(30)
            job.cancel()
            assert job.wait(30)
        else:
            report = core.search(QUESTION)
        sinks = left_behind(core, report)
    finally:
        core.close()
    in_redis, disk = outside.in_redis(), on_disk(tmp_path)
    assert ("provider" in in_redis) == (kept == "in redis" and mode != "cancelled")
    sinks |= {"disk": disk, "redis": in_redis, "log": caplog.text}
    sinks |= dict(zip(("stdout", "stderr"), capfd.readouterr(), strict=True))
    assert mode == "cancelled" or "search_core" in sinks["log"]
    assert traces(sinks) == {}

    if mode not in ("refused", "dns", "tls", "cancelled"):
        for name in KEYED:
            assert any(asked.holds(key) for asked in outside.world.requests[name] for key in PLAYED[name].keys), name
    if mode == "healthy":
        login = base64.b64encode(f"somebody:{SEARXNG_PASSWORD}".encode()).decode()
        assert any(asked.holds(login) for asked in outside.world.requests["searxng"])
        assert outside.llm.keys  # type: ignore[attr-defined]
    if report is not None:
        assert {reply.provider for reply in report.replies} == set(PLAYED)
    assert outside.elsewhere.asked == []


def test_a_redis_that_dies_tells_nothing(outside: Outside, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """When Redis dies under the search, neither log nor health report names its password."""
    caplog.set_level(logging.DEBUG)
    outside.play("healthy")
    core = SearchCore.from_settings(outside.settings(tmp_path / "data"))
    try:
        outside.redis.kill()
        report = core.search(QUESTION)
        sinks = left_behind(core, report)
    finally:
        core.close()
        outside.redis.start()
    assert report.results
    assert traces({**sinks, "log": caplog.text, "disk": on_disk(tmp_path)}) == {}
    assert "Redis" in sinks["health"]


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_no_redirect_carries_a_key_away(outside: Outside, code: int, host: str, tmp_path: Path):
    """A service that sends us to another host, or to another port of its own, has nobody follow."""
    outside.play("healthy")
    target = outside.elsewhere.base_url.replace("127.0.0.1", host)
    for name in PLAYED:
        outside.world.play(name, answer=(code, {"location": f"{target}/searxng/search?q=x"}, b""))
    replies = asked(outside.settings(tmp_path))
    assert not [reply.provider for reply in replies if reply.status.answered]
    assert outside.elsewhere.asked == []
    assert outside.elsewhere.requests == {}


def asked(settings: Settings) -> tuple[ProviderReply, ...]:
    """Return what every provider says under *settings*."""
    install(settings)
    providers = build(settings, Shelf())

    async def ask() -> tuple[ProviderReply, ...]:
        manager = MultiProviderSearchManager(providers, timeout_s=20, deadline_s=30)
        try:
            return await manager.search("메모리 대역폭")
        finally:
            await manager.aclose()

    return asyncio.run(ask())


class Shelf:
    """A library without documents."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        return []

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        return [], []

    def count(self, *, samples: bool = True) -> int:
        return 0


def test_unexpected_errors_tell_nothing(outside: Outside, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A provider that breaks with a key in its error text is logged with a traceback, and the key is not in it."""
    caplog.set_level(logging.DEBUG)
    install(outside.settings(tmp_path))
    key = PLAYED["google"].keys[0]
    request = httpx.Request("GET", "https://search.example/", params={"key": key}, headers={"x-key": key})
    refused = httpx.HTTPStatusError(f"403 for url {request.url}", request=request, response=httpx.Response(403))
    careless = ProviderError(SearchStatus.BLOCKED, f"refused {key[:12]}… of {request.url}", korean=key, advice=f"{key} 확인")
    providers = {
        "broken": ScriptedProvider("broken", refused),
        "careless": ScriptedProvider("careless", careless),
        "well": ScriptedProvider("well"),
    }
    events: list[SearchEvent] = []
    manager = MultiProviderSearchManager(providers, record=events.append)
    replies = asyncio.run(manager.search("맥락"))
    assert [str(reply.status) for reply in replies] == ["unknown_error", "blocked", "success"]
    assert replies[1].error_message == "refused ***… of https://search.example/?key=***"
    assert traces({"log": caplog.text, "replies": repr(replies), "events": repr(events)}) == {}
    assert "HTTPStatusError: 403 for url https://search.example/?key=***" in caplog.text


def test_a_rotated_key_is_used_at_once_and_the_old_one_stays_secret(
    outside: Outside, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """After a change of settings services get the new key alone, and neither is ever logged."""
    caplog.set_level(logging.DEBUG)
    outside.play("healthy")
    old, new = PLAYED["tavily"].keys[0], "tvly-CANARY-rotated-5d1c7e"
    for key in (old, new):
        outside.world.requests.clear()
        asked(outside.settings(tmp_path, search_providers="tavily", tavily_api_key=key))
        assert all(request.holds(key) for request in outside.world.requests["tavily"])
        logging.getLogger("somebody").warning("old %s new %s", old, new) if key == new else None
    assert not any(request.holds(old) for request in outside.world.requests["tavily"])
    assert outside.world.requests["tavily"]
    assert "old *** new ***" in caplog.text
    assert found_in(caplog.text) == []


@pytest.mark.parametrize("mode", ["echo-key", "bad-key", "reset", "html", "refused", "dns"])
def test_reading_a_video_tells_nothing(outside: Outside, mode: str, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """The YouTube Data API takes its key in the address; neither log nor traceback of a failing video holds it."""
    caplog.set_level(logging.DEBUG)
    settings = outside.settings(tmp_path, **outside.play(mode))
    install(settings)
    with pytest.raises(YouTubeError) as caught:
        ask_data_api(settings, "dQw4w9WgXcQ")
    logging.getLogger("somebody").error("The video cannot be read", exc_info=caught.value)
    assert "YouTubeError" in caplog.text
    assert traces({"log": caplog.text, "error": f"{caught.value} {caught.value!r}"}) == {}
