"""What is sent may be anything: it is answered in one form, and nothing breaks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.search_core.api.served import QUESTION, Served

JSON = {"Content-Type": "application/json"}
FOREIGN_TYPES = (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp")
NOWHERE = ("/api", "/api/", "/api/nowhere", "/api/chat/", "/api/sessions/", "/api/sessions/a/b", "/api//chat")
HALF = b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
DEEP = b"[" * 20_000 + b"]" * 20_000


def body(**fields: Any) -> bytes:
    return json.dumps({"query": QUESTION, **fields}).encode()


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"", "bad_json"),
        (b"{", "bad_json"),
        (b"\xff\xfe{\x00}\x00", "bad_json"),
        (b'{"query": "\xff\xfe"}', "bad_json"),
        (b'{"query": "\\ud800"}', "bad_json"),
        (b'{"query": NaN}', "bad_json"),
        (b'{"query": "x", "threshold": Infinity}', "bad_json"),
        (b'{"query": ' + DEEP + b"}", "bad_json"),
        (b'{"query": ' + b"9" * 5_000 + b"}", "bad_json"),
        (b"[]", "bad_value"),
        (b'"query"', "bad_value"),
        (b"null", "bad_value"),
        (b"{}", "missing"),
        (b'{"query": null}', "bad_value"),
        (b'{"query": 7}', "bad_value"),
        (b'{"query": ["x"]}', "bad_value"),
        (b'{"query": {"x": 1}}', "bad_value"),
        (b'{"query": ""}', "bad_value"),
        (b'{"query": "  \\u0000 "}', "bad_question"),
        (body(query="가" * 501), "bad_question"),
        (body(query="가" * 5_000), "bad_value"),
        (body(session_id=True), "bad_value"),
        (body(session_id="x" * 5_000), "bad_value"),
        (body(sesion_id="x"), "unknown_field"),
    ],
)
@pytest.mark.parametrize("path", ["chat", "web-search"])
def test_a_body_that_cannot_be_used_is_a_typed_400(server: Served, path: str, raw: bytes, kind: str):
    """Whatever is wrong with the body, the answer says what, in English and Korean, and nothing is started."""
    with server.client() as client:
        answer = client.post(f"/api/{path}", content=raw, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == kind
    assert answer.json()["error"]["message"]
    assert answer.json()["error"]["korean"].endswith("요.")
    assert server.answers.questions == []
    assert server.checks.requests == []


@pytest.mark.parametrize(
    "fields",
    [
        {"threshold": 1.5},
        {"threshold": "0.5"},
        {"threshold": True},
        {"max_results": 0},
        {"max_results": 2.5},
        {"max_results": 10**30},
        {"providers": "tavily"},
        {"providers": []},
        {"providers": [1]},
        {"providers": ["x"] * 51},
        {"verbatim": 1},
        {"video": []},
        {"video": "dQw4w9WgXcQ"},
    ],
)
def test_options_of_a_search_have_bounds(server: Served, fields: dict[str, Any]):
    """An option that is out of bounds or of another type is a 400 that names it."""
    with server.client() as client:
        answer = client.post("/api/search", content=body(**fields), headers=JSON)
    assert answer.status_code == 400
    assert next(iter(fields)) in answer.json()["error"]["message"]


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1_000_000])
def test_a_large_body_is_a_typed_413(server: Served, size: int):
    """More than 64 KB is refused, and its sender gets to read why."""
    with server.client() as client:
        answer = client.post("/api/web-search", content=body(query="가" * 10, padding="x" * size), headers=JSON)
        assert (answer.status_code, answer.json()["error"]["type"]) == (413, "too_large")
        assert client.get("/api/openapi.json").status_code == 200


def test_a_body_just_within_the_limit_is_read(server: Served):
    """64 KB are not too many."""
    raw = body(padding="")
    raw = raw.replace(b'"padding": ""', b'"padding": "' + b"x" * (64 * 1024 - len(raw)) + b'"')
    assert len(raw) == 64 * 1024
    with server.client() as client:
        assert client.post("/api/chat", content=raw, headers=JSON).json()["error"]["type"] == "unknown_field"


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
)
def test_only_json_is_taken(server: Served, kind: str | None):
    """What a page of another site may send without asking is refused by its type, before it is read."""
    with server.client() as client:
        answer = client.post("/api/chat", content=body(), headers={"Content-Type": kind} if kind else {})
    assert (answer.status_code, answer.json()["error"]["type"]) == (415, "wrong_type")
    assert server.answers.questions == []


@pytest.mark.parametrize("kind", ["audio/mpeg", "video/mp4; codecs=avc1"])
def test_sound_is_refused_with_what_to_do(server: Served, kind: str):
    """A recording is refused by its type, and the answer says how its words are handed in."""
    with server.client() as client:
        answer = client.post("/api/search", content=b"\0" * 1000, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["error"]["type"]) == (415, "sound_not_taken")
    assert "search_core transcribe" in answer.text


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON"])
def test_json_may_be_written_in_other_ways(server: Served, kind: str):
    """Parameters and capitals do not matter."""
    with server.client() as client:
        assert client.post("/api/chat", content=body(), headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/chat", {"POST"}),
        ("OPTIONS", "/api/web-search", {"POST"}),
        ("PUT", "/api/search", {"POST"}),
        ("HEAD", "/api/chat", {"POST"}),
        ("POST", "/api/sessions", {"GET", "HEAD"}),
        ("DELETE", "/api/sessions/x", {"GET", "HEAD"}),
        ("OPTIONS", "/api/openapi.json", {"GET", "HEAD"}),
    ],
)
def test_another_method_is_a_typed_405(server: Served, method: str, path: str, allowed: set[str]):
    """Each address says how it may be asked; nothing is allowed to pages of other sites."""
    with server.client() as client:
        answer = client.request(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].replace(" ", "").split(",")) == allowed
    assert "access-control-allow-origin" not in answer.headers
    if method != "HEAD":
        assert answer.json()["error"]["type"] == "wrong_method"


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nowhere", "/api/chat/", "/api/sessions/", "/api/sessions/a/b", "/api//chat"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_address_is_a_typed_404(server: Served, path: str, method: str):
    """Under /api nothing but the API answers, and no address leads on to another."""
    with server.client() as client:
        answer = client.request(method, path)
    assert answer.status_code == 404
    assert answer.json()["error"]["type"] == "not_found"


def test_reading_works_without_a_body(server: Served):
    """HEAD is GET without the text."""
    with server.client() as client:
        for path in ("/api/sessions", "/api/openapi.json"):
            answer = client.head(path)
            assert (answer.status_code, answer.content) == (200, b"")


def test_what_nobody_thought_of_is_a_typed_500(server: Served, monkeypatch: pytest.MonkeyPatch):
    """An error of ours tells nothing of its inner words."""

    def broken(*_: object) -> None:
        raise RuntimeError("tvly-planted at /srv")

    chat = type("Broken", (), {"conversations": broken})()
    monkeypatch.setattr(server, "core", type(server.core)(**{**vars(server.core), "chat": chat}))
    with server.client() as client:
        answer = client.get("/api/sessions")
    assert (answer.status_code, answer.json()["error"]["type"]) == (500, "internal")
    assert "planted" not in answer.text


def test_answers_are_not_kept_in_between(server: Served):
    """No cache keeps what belongs to who asked."""
    with server.client() as client:
        for answer in (
            client.get("/api/sessions"),
            client.get("/api/sessions/x"),
            client.post("/api/chat", json={"query": QUESTION}),
        ):
            assert answer.headers["cache-control"] == "no-store"


def test_half_a_body_and_gone(server: Served):
    """A client that leaves in the middle of its body leaves nothing behind."""
    with server.connect() as connection:
        connection.sendall(
            b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
        )
    server.wait_idle()
    with server.client() as client:
        assert client.get("/api/openapi.json").status_code == 200
    assert server.answers.questions == []
