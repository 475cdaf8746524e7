"""Requests of any content: each is answered in one form, and nothing is left behind."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.search_core.api.served import QUESTION, Served

JSON = {"Content-Type": "application/json"}
FOREIGN_TYPES = (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp")
NOWHERE = ("/api", "/api/", "/api/nowhere", "/api/chat/", "/api/sessions/", "/api/sessions/a/b", "/api//chat")
DEEP = b"[" * 20_000 + b"]" * 20_000


def body(**fields: Any) -> bytes:
    return json.dumps({"query": QUESTION, **fields}).encode()


BAD_JSON = (
    *(b"{", b'{"query": "\xff\xfe"}'),
    *(b'{"query": ' + DEEP + b"}", b'{"query": ' + b"9" * 5_000 + b"}"),
)
UNUSABLE: tuple[tuple[bytes, str], ...] = (
    *((raw, "bad_json") for raw in BAD_JSON),
    *((raw, "bad_value") for raw in (b"[]", b'"query"', b"null")),
    *((body(query=value), "bad_value") for value in (None, 7, ["x"], {"x": 1}, "")),
    *((raw, "bad_value") for raw in (b"", b'{"query": "\\ud800"}', b'{"query": NaN}')),
    (b"{}", "missing"),
    (b'{"query": "  \\u0000 "}', "bad_question"),
    (body(query="가" * 501), "bad_question"),
    (body(query="가" * 5_000), "too_long"),
    (body(session_id=True), "bad_value"),
    (body(session_id="x" * 5_000), "too_long"),
    (body(sesion_id="x"), "unknown_field"),
    *((body(moment_s=value), "bad_value") for value in (-1, "1:02:07", True, 1e9)),
)


def test_a_body_that_cannot_be_used_is_a_typed_400(server: Served):
    """Whatever is wrong with a body, the answer describes it in English and Korean, and nothing is started."""
    with server.client() as client:
        for path in ("chat", "web-search"):
            for raw, kind in UNUSABLE:
                answer = client.post(f"/api/{path}", content=raw, headers=JSON)
                error = answer.json()["error"]
                assert (raw[:60], answer.status_code, error["type"]) == (raw[:60], 400, kind)
                assert error["message"]
                assert error["korean"].endswith("요.")
    assert server.answers.questions == []
    assert server.checks.requests == []


OUT_OF_BOUNDS: tuple[tuple[str, Any], ...] = (
    *(("threshold", value) for value in (1.5, "0.5", True)),
    *(("max_results", value) for value in (0, 2.5, 10**30)),
    *(("providers", value) for value in ("tavily", [], [1], ["x"] * 51)),
    *(("verbatim", 1), ("video", []), ("video", "dQw4w9WgXcQ")),
)
TOO_LONG = (
    ({"video": {"title": "a" * 60_000}}, "video.title has 60000 characters; at most 300 are taken.", "60,000자. 300자까지"),
    ({"video": {"speakers": ["a" * 201]}}, "video.name has 201 characters; at most 200", "이름 201자. 200자까지"),
    ({"video": {"chapters": [[0, "a"]] * 1_001}}, "video.chapters has 1001 entries; at most 1000", "1,001개. 1,000개까지"),
    ({"video_id": "a" * 201}, "video_id has 201 characters; at most 200", "201자. 200자까지"),
    ({"providers": ["a"] * 51}, "providers has 51 entries; at most 50", "51개. 50개까지"),
)


def test_options_of_a_search_have_bounds(server: Served):
    """An option out of bounds or of another type is a 400 that names it; of too long a text it says how long it may be."""
    with server.client() as client:
        for name, value in OUT_OF_BOUNDS:
            answer = client.post("/api/search", content=body(**{name: value}), headers=JSON)
            assert (name, value, answer.status_code) == (name, value, 400)
            assert name in answer.json()["error"]["message"]
        for fields, message, korean in TOO_LONG:
            error = client.post("/api/search", content=body(**fields), headers=JSON).json()["error"]
            assert error["type"] == "too_long"
            assert error["message"].startswith(message)
            assert korean in error["korean"]


def test_a_body_is_read_up_to_its_limit(server: Served):
    """1 MB is read; one byte more, or many, is a 413 that its sender can read, also where no size was told."""
    most, empty = 1024 * 1024, len(body(padding=""))
    with server.client() as client:
        fits = client.post("/api/chat", content=body(padding="x" * (most - empty)), headers=JSON)
        assert fits.json()["error"]["type"] == "unknown_field"
        for size in (most + 1, 2 * most, 20 * most):
            answer = client.post("/api/chat", content=body(padding="x" * (size - empty)), headers=JSON)
            assert (answer.status_code, answer.json()["error"]["type"]) == (413, "too_large")
        answer = client.post("/api/chat", content=(b"x" * 1_000_000 for _ in range(3)), headers=JSON)
        assert (answer.status_code, answer.json()["error"]["type"]) == (413, "too_large")
        assert client.get("/api/openapi.json").status_code == 200


def test_only_json_is_read(server: Served):
    """A content type that pages of other sites may send is refused."""
    with server.client() as client:
        for kind in FOREIGN_TYPES:
            answer = client.post("/api/chat", content=body(), headers={"Content-Type": kind} if kind else {})
            assert (answer.status_code, answer.json()["error"]["type"]) == (415, "wrong_type")
        assert server.answers.questions == []
        for kind in ("application/json; charset=utf-8", "Application/JSON"):
            assert client.post("/api/chat", content=body(), headers={"Content-Type": kind}).status_code == 200


def test_other_methods_and_addresses_are_refused(server: Served):
    """Another method is a 405 that names one there is, any other address a 404 without a redirect."""
    with server.client() as client:
        for method, path, allowed in (("GET", "/api/chat", "POST"), ("POST", "/api/sessions", "GET")):
            answer = client.request(method, path)
            assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
            assert answer.json()["error"]["type"] == "wrong_method"
            assert "access-control-allow-origin" not in answer.headers
        for path in NOWHERE:
            for method in ("GET", "POST", "DELETE"):
                answer = client.request(method, path)
                assert (path, answer.status_code, answer.json()["error"]["type"]) == (path, 404, "not_found")


def test_an_unexpected_error_is_a_typed_500(server: Served, monkeypatch: pytest.MonkeyPatch):
    """The answer to an error of ours holds nothing of its inner words."""

    def broken(*_: object) -> None:
        raise RuntimeError("tvly-planted at /srv")

    monkeypatch.setattr(server, "core", SimpleNamespace(chat=SimpleNamespace(conversations=broken)))
    with server.client() as client:
        answer = client.get("/api/sessions")
    assert (answer.status_code, answer.json()["error"]["type"]) == (500, "internal")
    assert "planted" not in answer.text
