"""Which requests the API answers: by address, host, origin, token and rate."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from search_core.api import routes
from search_core.settings import Settings
from tests.search_core.api.served import ME, OTHER, QUESTION, TOKENS, Served, served, told

SESSIONS = "/api/sessions"
LOCAL = "127.0.0.1"
PROXY = "10.0.0.1"
"""Believed when it names the address it calls for, as uvicorn believes callers of its own machine."""


def ask_all(headers: list[dict[str, str]], client: tuple[str, int] | None = (LOCAL, 5), **settings: Any) -> list[httpx.Response]:
    """Ask once for each of *headers*, without a socket, as a client of that address."""
    core: Any = SimpleNamespace(settings=Settings(**settings), chat=SimpleNamespace(conversations=lambda _: ()))
    app: Any = ProxyHeadersMiddleware(Starlette(routes=routes(lambda: core)), trusted_hosts=PROXY)

    async def each() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, client=client)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8501") as asking:
            return [await asking.get(SESSIONS, headers=given) for given in headers]

    return asyncio.run(each())


def statuses(headers: list[dict[str, str]], **more: Any) -> list[int]:
    return [answer.status_code for answer in ask_all(headers, **more)]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a server with two tokens."""
    folder = tmp_path_factory.mktemp("guarded")
    with served(folder, api_tokens=TOKENS, api_rate_limit="") as server:
        yield server


def test_this_machine_needs_no_token_where_there_is_none():
    """Callers of this machine that ask for it by its own name are answered."""
    hosts = ("localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:8501", "LOCALHOST")
    for address in (LOCAL, "127.8.8.8", "::1", "::ffff:127.0.0.1"):
        assert statuses([{"Host": host} for host in hosts], client=(address, 5)) == [200] * 5


STRANGERS: tuple[tuple[str, dict[str, str]], ...] = (
    *((address, {}) for address in ("192.168.0.7", "::ffff:192.168.0.7", "fe80::1%eth0", "testclient", "")),
    ("203.0.113.9", {"X-Forwarded-For": LOCAL}),
    *((LOCAL, {"X-Forwarded-For": address}) for address in ("203.0.113.9", LOCAL)),
    *((LOCAL, headers) for headers in ({"Forwarded": "for=127.0.0.1"}, {"X-Real-IP": LOCAL})),
    *((LOCAL, {"Host": host}) for host in ("maekrak.example", "localhost.evil.example", "127.0.0.1.evil.example")),
    *((LOCAL, {"Host": host}) for host in ("localhost@evil.example", "[::1", "")),
)


def test_others_learn_how_to_get_a_token():
    """Another machine, a proxy, a foreign name pointed at this machine and a caller without an address are all 401."""
    for address, headers in STRANGERS:
        [answer] = ask_all([headers], client=(address, 5) if address else None)
        assert (address, headers, answer.status_code) == (address, headers, 401)
        assert "API_TOKENS" in answer.json()["error"]["message"]
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_where_there_are_tokens_they_alone_decide():
    """The right token opens from anywhere, a wrong one from nowhere, and the answer repeats nothing of it."""
    right = {"Authorization": f"Bearer {ME}", "Host": "maekrak.example"}
    wrong = ("", f"Basic {ME}", f"Bearer {ME}x", f"Bearer {ME[:-1]}", "Bearer", f"Bearer minsu:{ME}", ME)
    for address in ("203.0.113.9", LOCAL):
        assert statuses([right], client=(address, 5), api_tokens=TOKENS) == [200]
        for answer in ask_all([{"Authorization": each} for each in wrong], client=(address, 5), api_tokens=TOKENS):
            assert answer.status_code == 401
            assert ME not in answer.text


def test_pages_of_other_sites_are_refused():
    """An Origin, where there is one, is the host that is asked; a token does not open to other origins."""
    own = ("http://localhost:8501", "https://localhost:8501")
    others = ("http://localhost:3000", "http://evil.example", "null", "", "http://localhost:8501.evil.example", "file://")
    sent = {"Host": "localhost:8501", "Authorization": f"Bearer {ME}"}
    origins = (*own, *others, "http://localhost:99999")
    for settings in ({}, {"api_tokens": TOKENS}):
        answers = ask_all([{"Origin": origin, **sent} for origin in origins], **settings)
        for origin, answer in zip(origins, answers, strict=True):
            assert (origin, answer.status_code) == (origin, 200 if origin in own else 403)
            assert "access-control-allow-origin" not in answer.headers
    assert statuses([{"Origin": "http://localhost", "Host": "localhost:80"}]) == [200]


def test_nothing_starts_without_a_token(guarded: Served):
    """Every request that makes the app work needs a token in the header; a cookie or a parameter is none."""
    with guarded.client(cookies={"Authorization": f"Bearer {ME}"}) as client:
        for path in ("chat", "web-search", "search"):
            answer = client.post(f"/api/{path}", params={"token": ME, "access_token": ME}, json={"query": QUESTION})
            assert answer.status_code == 401
        assert [client.get(f"/api/{path}").status_code for path in ("sessions", "openapi.json", "nowhere")] == [401] * 3
    assert guarded.answers.questions == []


def test_a_session_belongs_to_its_token(guarded: Served):
    """Another caller's session is answered like one that never was, whatever is done with it."""
    with guarded.client(ME) as mine, guarded.client(OTHER) as theirs:
        session = told(mine.post("/api/chat", json={"query": QUESTION}))[-1]["session_id"]
        assert guarded.chat.open(session, "minsu").messages
        assert mine.get(f"/api/sessions/{session}").status_code == 200
        assert theirs.get("/api/sessions").json() == {"sessions": []}
        foreign = [theirs.get(f"/api/sessions/{session}")]
        asked = {"query": QUESTION, "session_id": session}
        foreign += [theirs.post(f"/api/{path}", json=asked) for path in ("chat", "web-search")]
        never = theirs.get("/api/sessions/never-was")
    assert never.status_code == 404
    assert [(answer.status_code, answer.content) for answer in foreign] == [(404, never.content)] * 3
    assert len(guarded.chat.open(session, "minsu").messages) == 2


def test_too_many_requests_say_when_to_come_again(tmp_path: Path):
    """The request after the last that is allowed is 429 with Retry-After in the window; others are counted apart."""
    with served(tmp_path, api_tokens=TOKENS, api_rate_limit="3/hour") as server, server.client(ME) as mine:
        assert [mine.get("/api/sessions").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
        refused = mine.post("/api/chat", json={"query": QUESTION})
        assert (refused.status_code, refused.json()["error"]["type"]) == (429, "too_many_requests")
        assert 3500 < int(refused.headers["retry-after"]) <= 3600
        assert server.answers.questions == []
        with server.client(OTHER) as theirs:
            assert theirs.get("/api/sessions").status_code == 200


def test_guessing_tokens_is_slowed_down():
    """After 30 wrong tokens an address gets 429 in place of 401; the right token opens."""
    wrong, right = {"Authorization": "Bearer wrong-token-12345"}, {"Authorization": f"Bearer {ME}"}
    assert statuses([wrong] * 32 + [right], api_tokens=TOKENS) == [401] * 30 + [429] * 2 + [200]
