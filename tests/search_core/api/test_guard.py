"""Who gets past the API's door."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from search_core.api import StreamRules, routes
from search_core.errors import SettingsError
from search_core.settings import Settings
from tests.search_core.api.served import ME, OTHER, QUESTION, TOKENS, Served, served, telling, told
from tests.search_core.chat.scripted_chat import Gate, from_video, token

DESCRIPTION = "/api/openapi.json"


def ask(
    core: Any = None, client: tuple[str, int] | None = ("127.0.0.1", 5), headers: dict[str, str] | None = None, **settings: Any
) -> httpx.Response:
    """Ask once, as a client of that address; the host of the request is a name of this machine unless *headers* say otherwise."""
    core = core or SimpleNamespace(settings=Settings(**settings))
    app = Starlette(routes=routes(lambda: core, StreamRules()))

    async def once() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=client)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8501") as asking:
            return await asking.get(DESCRIPTION, headers=headers or {})

    return asyncio.run(once())


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a server with two tokens."""
    folder = tmp_path_factory.mktemp("guarded")
    with served(folder, api_tokens=TOKENS, api_rate_limit="", api_streams_per_caller=2) as server:
        yield server


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:8501", "LOCALHOST"])
def test_this_machine_needs_no_token_where_there_is_none(address: str, host: str):
    """Callers of this machine that ask for it by its own name are answered."""
    assert ask(client=(address, 5), headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("192.168.0.7", {}),
        ("203.0.113.9", {"X-Forwarded-For": "127.0.0.1"}),
        ("::ffff:192.168.0.7", {}),
        ("fe80::1%eth0", {}),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}),
        ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}),
        ("127.0.0.1", {"X-Real-IP": "127.0.0.1"}),
        ("127.0.0.1", {"Host": "maekrak.example"}),
        ("127.0.0.1", {"Host": "localhost.evil.example"}),
        ("127.0.0.1", {"Host": "127.0.0.1.evil.example"}),
        ("127.0.0.1", {"Host": "localhost@evil.example"}),
        ("127.0.0.1", {"Host": "[::1"}),
        ("127.0.0.1", {"Host": ""}),
        ("testclient", {}),
    ],
)
def test_others_are_told_how_to_get_a_token(address: str, headers: dict[str, str]):
    """Another machine, a proxy that speaks for one, and a foreign name that was pointed at this machine are all 401."""
    answer = ask(client=(address, 5), headers=headers)
    assert answer.status_code == 401
    assert "API_TOKENS" in answer.json()["error"]["message"]
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_caller_without_an_address_is_nobody():
    """A server that does not know who calls lets nobody in without a token."""
    assert ask(client=None).status_code == 401


@pytest.mark.parametrize("address", ["203.0.113.9", "127.0.0.1"])
def test_a_token_opens_from_anywhere(address: str):
    """Where there are tokens, they alone decide."""
    headers = {"Authorization": f"Bearer {ME}", "Host": "maekrak.example"}
    assert ask(client=(address, 5), headers=headers, api_tokens=TOKENS).status_code == 200


@pytest.mark.parametrize("header", ["", f"Basic {ME}", f"Bearer {ME}x", f"Bearer {ME[:-1]}", "Bearer", f"Bearer minsu:{ME}", ME])
def test_a_wrong_token_is_refused_even_here(header: str):
    """With tokens set, this machine needs one, too; the answer repeats nothing of what was sent."""
    answer = ask(headers={"Authorization": header} if header else {}, api_tokens=TOKENS)
    assert answer.status_code == 401
    assert ME not in answer.text


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("http://localhost:8501", "localhost:8501", 200),
        ("http://localhost", "localhost:80", 200),
        ("http://localhost:3000", "localhost:8501", 403),
        ("https://localhost:8501", "localhost:8501", 200),
        ("http://evil.example", "localhost:8501", 403),
        ("null", "localhost:8501", 403),
        ("", "localhost:8501", 403),
        ("http://localhost:8501.evil.example", "localhost:8501", 403),
        ("http://localhost:99999", "localhost:8501", 403),
        ("file://", "localhost:8501", 403),
    ],
)
def test_pages_of_other_sites_are_refused(origin: str, host: str, status: int):
    """An Origin, where there is one, is the host that is asked."""
    answer = ask(headers={"Origin": origin, "Host": host})
    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


def test_a_page_of_another_site_with_a_token_is_refused():
    """A token does not open to foreign pages."""
    headers = {"Authorization": f"Bearer {ME}", "Origin": "http://evil.example"}
    assert ask(headers=headers, api_tokens=TOKENS).status_code == 403


def test_settings_that_cannot_be_used_are_a_typed_503():
    """No detail of the setting is told."""

    def refuse() -> Any:
        raise SettingsError("API_TOKENS: token-of-minsu at /srv", korean="설정이 틀렸어요.")

    class Refusing:
        settings = property(lambda _: refuse())

    answer = ask(Refusing())
    assert (answer.status_code, answer.json()["error"]["type"]) == (503, "settings")
    assert "minsu" not in answer.text


def test_what_breaks_the_core_is_a_typed_503(caplog: pytest.LogCaptureFixture):
    """What nobody thought of is logged, not told."""

    class Broken:
        @property
        def settings(self) -> Settings:
            raise RuntimeError("tvly-planted")

    answer = ask(Broken())
    assert (answer.status_code, answer.json()["error"]["type"]) == (503, "internal")
    assert "planted" not in answer.text
    assert "could not answer" in caplog.text


@pytest.mark.parametrize("path", ["chat", "web-search", "search"])
def test_nobody_without_a_token_starts_anything(guarded: Served, path: str):
    """Every way to make the app work asks for a token first; cookies and addresses are none."""
    with guarded.client(cookies={"Authorization": f"Bearer {ME}"}) as client:
        answer = client.post(f"/api/{path}", params={"token": ME, "access_token": ME}, json={"query": QUESTION})
        assert answer.status_code == 401
        assert client.get("/api/sessions").status_code == 401
        assert client.get("/api/nowhere").status_code == 401
    assert guarded.answers.questions == []


def test_a_session_belongs_to_its_token(guarded: Served):
    """Somebody else's session is answered like one that never was, whatever is done with it."""
    with guarded.client(ME) as mine, guarded.client(OTHER) as theirs:
        session = told(mine.post("/api/chat", json={"query": QUESTION}))[-1]["session_id"]
        assert guarded.chat.open(session, "minsu").messages
        assert mine.get(f"/api/sessions/{session}").status_code == 200
        assert theirs.get("/api/sessions").json() == {"sessions": []}
        foreign = [theirs.get(f"/api/sessions/{session}")]
        foreign += [
            theirs.post(f"/api/{path}", json={"query": QUESTION, "session_id": session}) for path in ("chat", "web-search")
        ]
        never = theirs.get("/api/sessions/never-was")
    assert never.status_code == 404
    assert [(answer.status_code, answer.content) for answer in foreign] == [(404, never.content)] * 3
    assert len(guarded.chat.open(session, "minsu").messages) == 2


def test_only_so_many_streams_of_one_caller(guarded: Served):
    """One more than allowed is 429 with Retry-After; another caller goes on, and an ended stream makes room."""
    gate = Gate()
    guarded.answers.steps = (token("기다려요"), gate)
    body = {"query": QUESTION}
    with guarded.client(ME) as mine, guarded.client(OTHER) as theirs:
        with mine.stream("POST", "/api/chat", json=body) as first, mine.stream("POST", "/api/chat", json=body) as second:
            open_streams = [telling(first), telling(second)]
            assert [next(events)["type"] for events in open_streams] == ["token", "token"]
            third = mine.post("/api/search", json=body)
            assert (third.status_code, third.json()["error"]["type"]) == (429, "too_many_streams")
            assert int(third.headers["retry-after"]) >= 1
            assert mine.get("/api/sessions").status_code == 200
            gate.open()
            assert told(theirs.post("/api/chat", json=body))[-1]["type"] == "done"
            assert [list(events)[-1]["state"] for events in open_streams] == ["complete", "complete"]
        guarded.wait_idle()
        guarded.answers.steps = from_video("네.")
        assert told(mine.post("/api/chat", json=body))[-1]["state"] == "complete"


def test_too_many_requests_are_told_when_to_come_again(tmp_path: Path):
    """The request after the last that is allowed is 429 with Retry-After in the window; others are counted apart."""
    with served(tmp_path, api_tokens=TOKENS, api_rate_limit="3/hour") as server, server.client(ME) as mine:
        assert [mine.get("/api/sessions").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
        refused = mine.post("/api/chat", json={"query": QUESTION})
        assert (refused.status_code, refused.json()["error"]["type"]) == (429, "too_many_requests")
        assert 3500 < int(refused.headers["retry-after"]) <= 3600
        assert server.answers.questions == []
        with server.client(OTHER) as theirs:
            assert theirs.get("/api/sessions").status_code == 200


def test_guessing_tokens_is_slowed_down(tmp_path: Path):
    """After so many wrong tokens an address gets 429 in place of 401; who has the right one goes on."""
    with served(tmp_path, api_tokens=TOKENS) as server, server.client("wrong-token-12345") as guessing:
        codes = [guessing.get(DESCRIPTION).status_code for _ in range(32)]
        assert codes == [401] * 30 + [429] * 2
        with server.client(ME) as mine:
            assert mine.get(DESCRIPTION).status_code == 200


def test_naming_another_address_each_time_does_not_help_guessing(tmp_path: Path):
    """Who calls from this machine in the name of ever new addresses gets 429 after so many wrong tokens of all of them."""
    with served(tmp_path, api_tokens=TOKENS) as server, server.client("wrong-token-12345") as guessing:
        addresses = [f"203.0.{number // 250}.{number % 250 + 1}" for number in range(122)]
        codes = [guessing.get(DESCRIPTION, headers={"X-Forwarded-For": address}).status_code for address in addresses]
        assert codes == [401] * 120 + [429] * 2
        with server.client(ME) as mine:
            assert mine.get(DESCRIPTION, headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 200


def test_neither_questions_nor_tokens_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Whatever the guard and the streams log, what was asked and who asked is not in it."""
    caplog.set_level(logging.DEBUG)
    logging.getLogger("httpx").setLevel(logging.ERROR)
    with served(tmp_path, api_tokens=TOKENS) as server, server.client(ME) as mine, server.client("guess-of-a-token-1") as guess:
        told(mine.post("/api/chat", json={"query": "아무도모르는질문"}))
        mine.post("/api/chat", json={"query": "아무도모르는질문", "session_id": "없는대화"})
        guess.get(DESCRIPTION)
    hidden = (ME, hashlib.sha256(ME.encode()).hexdigest(), "guess-of-a-token", "아무도모르는질문")
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("search_core", "sse", "uvicorn"))]
    assert [line for line in ours if any(secret in line for secret in hidden)] == []
