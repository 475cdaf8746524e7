"""``/healthz`` and ``/metrics``, which an operator's tools ask."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.testclient import TestClient

from search_core.api import routes
from search_core.errors import SettingsError
from search_core.health.assemble import overall
from search_core.health.report import ProviderState

TEXT = b"web_search_total 1.0\n"
CONTENT_TYPE = "text/plain; version=1.0.0; charset=utf-8"
TOKEN = "monitoring-비밀"
SOON_S = 30


class PlayedCore:
    """Answers what the routes ask of the core."""

    def __init__(self, *, token: str = "", broken: Mapping[str, str] = MappingProxyType({}), **states: str) -> None:
        self.broken = broken
        self.settings = SimpleNamespace(tokens={token: "monitor"} if token else {})
        by_name = {name: ProviderState(state) for name, state in states.items()}
        now = (overall(by_name.values()), by_name)
        self.monitor = SimpleNamespace(states=lambda: now, exposition=lambda: (TEXT, CONTENT_TYPE))

    def storage_problems(self) -> Mapping[str, str]:
        return self.broken


def client(core: Callable[[], Any], address: str = "127.0.0.1") -> TestClient:
    app = Starlette(routes=routes(core))
    return TestClient(app, base_url="http://localhost", client=(address, 50_000))


def refuse() -> Any:
    raise SettingsError("SEARCH_PROVIDERS: no service is named tvly-secret at /srv/maekrak", korean="설정이 틀렸어요.")


def break_down() -> Any:
    raise RuntimeError("tvly-secret at /srv/maekrak")


DAMAGED = {"library": "자료 저장소가 손상되었어요."}


@pytest.mark.parametrize(
    ("states", "broken", "status"),
    [
        ({"library": "healthy", "tavily": "unasked", "brave": "absent"}, {}, "ok"),
        ({"library": "healthy", "tavily": "degraded"}, {}, "degraded"),
        ({"tavily": "cooling_down", "brave": "absent"}, {}, "down"),
        ({}, {}, "down"),
        ({"tavily": "healthy"}, DAMAGED, "degraded"),
    ],
)
def test_healthz_names_each_state(states: dict[str, str], broken: dict[str, str], status: str):
    """The whole, each service and damaged storage by name, without a token and always with 200: the process is alive."""
    answer = client(lambda: PlayedCore(token=TOKEN, broken=broken, **states)).get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": status, "providers": states, **({"storage": broken} if broken else {})}
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("core", "kind"), [(refuse, "settings"), (break_down, "internal")])
def test_a_core_that_cannot_be_had_is_a_typed_503(core: Callable[[], Any], kind: str, caplog: pytest.LogCaptureFixture):
    """The answer is never a 500, and holds neither the value of a setting nor a path; an unexpected fault is logged."""
    for path in ("/healthz", "/metrics", "/api/openapi.json"):
        answer = client(core).get(path, headers={"Host": "localhost"})
        assert (path, answer.status_code, answer.json()["error"]["type"]) == (path, 503, kind)
        assert "tvly" not in answer.text
        assert "/srv" not in answer.text
    assert ("could not answer" in caplog.text) is (kind == "internal")


def test_metrics_open_to_this_machine_and_to_the_right_token():
    """This machine gets the text without a token; others, and what a proxy passes on, only with one in the header."""
    answer = client(PlayedCore).get("/metrics")
    assert (answer.status_code, answer.content) == (200, TEXT)
    assert answer.headers["content-type"] == CONTENT_TYPE
    assert answer.headers["cache-control"] == "no-store"
    assert client(PlayedCore).get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 401
    assert client(PlayedCore, "203.0.113.7").get("/metrics").status_code == 401
    guarded = client(lambda: PlayedCore(token=TOKEN), "203.0.113.7")
    for scheme in ("Bearer", "bearer"):
        assert guarded.get("/metrics", headers={"Authorization": f"{scheme} {TOKEN}".encode()}).content == TEXT
    guarded.cookies.set("Authorization", "Bearer x")
    assert guarded.get("/metrics", params={"token": TOKEN, "access_token": TOKEN}).status_code == 401
    answer = guarded.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}x".encode()})
    assert (answer.status_code, answer.json()["error"]["type"]) == (401, "unauthorized")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "web_search" not in answer.text


def test_requests_that_wait_for_threads_keep_no_monitor_waiting():
    """With more requests under way than there are threads for them, /healthz is answered all the same."""
    release = threading.Event()

    async def ask() -> int:
        app = Starlette(routes=routes(lambda: PlayedCore(library="healthy")))
        others = [asyncio.create_task(run_in_threadpool(release.wait)) for _ in range(200)]
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(SOON_S), httpx.AsyncClient(transport=httpx.ASGITransport(app)) as monitor:
                return (await monitor.get("http://localhost/healthz")).status_code
        finally:
            release.set()
            await asyncio.gather(*others)

    assert asyncio.run(ask()) == 200
