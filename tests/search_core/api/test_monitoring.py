"""What an operator's tools ask."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.testclient import TestClient

from search_core.api import StreamRules, routes
from search_core.errors import SettingsError
from search_core.health import ProviderState, ServiceStates, overall

TEXT = b"web_search_total 1.0\n"
CONTENT_TYPE = "text/plain; version=1.0.0; charset=utf-8"
TOKEN = "monitoring-비밀"
SOON_S = 30


class PlayedCore:
    """Answers what the routes ask of the core."""

    def __init__(self, *, token: str = "", broken: Mapping[str, str] = MappingProxyType({}), **states: str) -> None:
        self.broken = broken
        self.settings = SimpleNamespace(metrics_token=SecretStr(token))
        self.states = {name: ProviderState(state) for name, state in states.items()}
        self.threads: list[str] = []

    def service_states(self) -> ServiceStates:
        self.threads.append(threading.current_thread().name)
        return ServiceStates(overall=overall(self.states.values()), by_name=self.states)

    def storage_problems(self) -> Mapping[str, str]:
        return self.broken

    def metrics(self) -> tuple[bytes, str]:
        self.threads.append(threading.current_thread().name)
        return TEXT, CONTENT_TYPE


def client(core: Callable[[], Any]) -> TestClient:
    return TestClient(Starlette(routes=routes(core, StreamRules())))


def refuse() -> Any:
    raise SettingsError("SEARCH_PROVIDERS: no service is named tvly-secret at /srv/maekrak", korean="설정이 틀렸어요.")


def break_down() -> Any:
    raise RuntimeError("tvly-secret at /srv/maekrak")


@pytest.mark.parametrize(
    ("states", "status"),
    [
        ({"library": "healthy", "tavily": "unasked", "brave": "absent"}, "ok"),
        ({"library": "healthy", "tavily": "degraded"}, "degraded"),
        ({"tavily": "cooling_down", "brave": "absent"}, "down"),
        ({}, "down"),
    ],
)
def test_healthz_tells_each_state(states: dict[str, str], status: str):
    """The whole and each service by name, always with 200: the process itself is alive."""
    answer = client(lambda: PlayedCore(**states)).get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": status, "providers": states}
    assert answer.headers["cache-control"] == "no-store"


def test_healthz_says_what_is_broken():
    """What is kept and cannot be used is named with what to do, and the whole is no longer well; the process is alive."""
    answer = client(lambda: PlayedCore(broken={"library": "자료 저장소가 손상되었어요."}, tavily="healthy")).get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "degraded",
        "providers": {"tavily": "healthy"},
        "storage": {"library": "자료 저장소가 손상되었어요."},
    }


@pytest.mark.parametrize(("core", "kind"), [(refuse, "settings"), (break_down, "internal")])
@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_a_core_that_cannot_be_had_is_a_typed_503(path: str, core: Callable[[], Any], kind: str):
    """Never a 500, and neither the value of a setting nor a path of the machine is told."""
    answer = client(core).get(path)
    assert answer.status_code == 503
    assert answer.json()["error"]["type"] == kind
    assert set(answer.json()["error"]) == {"type", "message", "korean"}
    assert "tvly" not in answer.text
    assert "/srv" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_metrics_are_given_as_they_are():
    """Without a token set, everybody who reaches the app gets the text with its content type."""
    answer = client(PlayedCore).get("/metrics")
    assert (answer.status_code, answer.content) == (200, TEXT)
    assert answer.headers["content-type"] == CONTENT_TYPE
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_the_right_token_opens(scheme: str):
    """The token of the settings as a bearer token gives the text, however the scheme is written."""
    header = f"{scheme} {TOKEN}".encode()
    assert client(lambda: PlayedCore(token=TOKEN)).get("/metrics", headers={"Authorization": header}).content == TEXT


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN},{TOKEN}",
    ],
)
def test_any_other_token_is_refused(header: str | None):
    """A missing, wrong, shortened or differently sent token is 401, with what to send and without the text."""
    headers = {} if header is None else {"Authorization": header.encode()}
    answer = client(lambda: PlayedCore(token=TOKEN)).get("/metrics", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["error"]["type"] == "unauthorized"
    assert TOKEN not in answer.text
    assert "web_search" not in answer.text


def test_a_cookie_or_a_query_is_no_token():
    """Only the header counts."""
    guarded = client(lambda: PlayedCore(token=TOKEN))
    guarded.cookies.set("Authorization", "Bearer x")
    assert guarded.get("/metrics", params={"token": TOKEN, "access_token": TOKEN}).status_code == 401


def test_healthz_asks_for_no_token():
    """A load balancer has none."""
    assert client(lambda: PlayedCore(token=TOKEN, library="healthy")).get("/healthz").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_only_reading_is_possible(path: str):
    """HEAD works like GET without a body; everything that could change something is 405."""
    open_to_all = client(lambda: PlayedCore(library="healthy"))
    assert open_to_all.head(path).status_code == 200
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        answer = open_to_all.request(method, path)
        assert answer.status_code == 405
        assert set(answer.headers["allow"].replace(" ", "").split(",")) == {"GET", "HEAD"}


def test_the_core_is_asked_off_the_event_loop():
    """Building and asking the core may take its time; other requests go on meanwhile."""
    entered, gate, core = threading.Event(), threading.Event(), PlayedCore(library="healthy")

    def slow() -> PlayedCore:
        if not entered.is_set():
            entered.set()
            assert gate.wait(20)
        return core

    with client(slow) as shared:
        first: list[int] = []
        waiting = threading.Thread(target=lambda: first.append(shared.get("/healthz").status_code))
        waiting.start()
        assert entered.wait(20)
        assert shared.get("/healthz").status_code == 200
        assert first == []
        gate.set()
        waiting.join(20)
    assert first == [200]


def test_requests_that_wait_for_threads_keep_no_monitor_waiting():
    """With more requests under way than there are threads for them, /healthz is answered all the same."""
    release = threading.Event()

    async def ask() -> int:
        app = Starlette(routes=routes(lambda: PlayedCore(library="healthy"), StreamRules()))
        others = [asyncio.create_task(run_in_threadpool(release.wait)) for _ in range(200)]
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(SOON_S), httpx.AsyncClient(transport=httpx.ASGITransport(app)) as monitor:
                return (await monitor.get("http://localhost/healthz")).status_code
        finally:
            release.set()
            await asyncio.gather(*others)

    assert asyncio.run(ask()) == 200
