"""``GET /api/openapi.json``: the API described, by OpenAPI 3.1."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from search_core.api.bodies import MAX_BODY_BYTES, ChatBody, SearchBody, WebSearchBody
from search_core.api.event_shapes import EVENTS, PLAIN_ERROR, PROBLEM, REPORT, SESSION, SESSIONS, STREAM_ERROR

Schema = dict[str, Any]

_REFUSED = {
    400: "The body is no JSON, or a value in it cannot be used.",
    401: "No right token; or, without API_TOKENS, a caller from elsewhere than this machine.",
    403: "A page of another site calls.",
    404: "No such session or video, or one of somebody else's: both get this same answer.",
    408: "The body did not arrive in time.",
    409: "The conversation is being answered already, or is about another video.",
    413: f"The body holds more than {MAX_BODY_BYTES // 1024} KB.",
    415: "The body is not application/json.",
    429: "Too many requests, or too many at the same time; Retry-After says how many seconds to wait.",
    500: "Something unexpected, before anything was told.",
    503: "The server stops, has too much to do, or cannot use its settings or what it keeps.",
}
_WITH_BODY = (400, 401, 403, 404, 408, 413, 415, 429, 500, 503)
_WITHOUT_BODY = (401, 403, 429, 500, 503)
_RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}
_STREAM_NOTE = (
    "Server-sent events, numbered by `id` from 1; the data of each is one JSON object with its name under `type` (see Event). "
    "`done` ends every stream; a comment line is sent every 15 seconds. A client that leaves stops the answer; what there was "
    "until then is kept in the session."
)


@cache
def description() -> Schema:
    """Return the description as values for JSON."""
    models: tuple[type[BaseModel], ...] = (WebSearchBody, ChatBody, SearchBody)
    _, bodies = models_json_schema([(model, "validation") for model in models], ref_template="#/components/schemas/{model}")
    shapes = {
        "Event": EVENTS,
        "Problem": PROBLEM,
        "NotConfigured": PLAIN_ERROR,
        "StreamError": STREAM_ERROR,
        "Report": REPORT,
        "Session": SESSION,
        "Sessions": SESSIONS,
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Maekrak",
            "version": "1",
            "description": "Answers about videos, from the video and from the web, every line attributed.",
        },
        "paths": _paths(),
        "components": {
            "schemas": {**bodies["$defs"], **shapes},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of API_TOKENS. Where none are set, callers on the server's own machine need none, "
                    "and others are refused.",
                }
            },
        },
        "security": [{"token": []}, {}],
    }


def _paths() -> Schema:
    return {
        "/api/web-search": {
            "post": _operation(
                "webSearch",
                "Search the web for a question, hold what it says against the session so far, and tell both as they come.",
                "WebSearchBody",
                {200: _answered_or_nothing(), 409: _refused(409), 503: _not_configured()},
            )
        },
        "/api/chat": {
            "post": _operation(
                "chat",
                "Answer a question from the video, and from the web where the video says nothing.",
                "ChatBody",
                {200: {"description": _STREAM_NOTE, "content": _events()}, 409: _refused(409)},
            )
        },
        "/api/search": {
            "post": _operation(
                "search",
                "Search the web in the context of a video and answer with the whole report.",
                "SearchBody",
                {200: _json("The report.", "Report")},
            )
        },
        "/api/sessions": {"get": _reading("sessions", "List the caller's sessions, last changed first.", "Sessions")},
        "/api/sessions/{session_id}": {
            "get": _reading("session", "Tell one session with its messages, oldest first.", "Session", (*_WITHOUT_BODY, 404)),
            "parameters": [{"name": "session_id", "in": "path", "required": True, "schema": {"type": "string"}}],
        },
        "/api/openapi.json": {"get": _reading("description", "This description.", None)},
    }


def _operation(name: str, summary: str, body: str, own: dict[int, Schema]) -> Schema:
    refused = {code: _refused(code) for code in _WITH_BODY}
    content = {"application/json": {"schema": _ref(body)}}
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, "content": content},
        "responses": _by_code({**refused, **own}),
    }


def _reading(name: str, summary: str, shape: str | None, codes: tuple[int, ...] = _WITHOUT_BODY) -> Schema:
    answered = _json(summary, shape) if shape else {"description": summary, "content": {"application/json": {"schema": {}}}}
    refused = {code: _refused(code) for code in codes}
    return {"operationId": name, "summary": summary, "responses": _by_code({200: answered, **refused})}


def _by_code(responses: dict[int, Schema]) -> Schema:
    return {str(code): responses[code] for code in sorted(responses)}


def _refused(code: int) -> Schema:
    headers = {"headers": _RETRY} if code == 429 else {}
    return {**_json(_REFUSED[code], "Problem"), **headers}


def _not_configured() -> Schema:
    either = {"anyOf": [_ref("NotConfigured"), _ref("Problem")]}
    return {
        "description": f"No search service of the web is set up. {_REFUSED[503]}",
        "content": {"application/json": {"schema": either}},
    }


def _answered_or_nothing() -> Schema:
    note = f"{_STREAM_NOTE} The first event is `web_sources`. Where there are none, a JSON object says so in place of a stream."
    return {"description": note, "content": {**_events(), "application/json": {"schema": _ref("StreamError")}}}


def _events() -> Schema:
    return {
        "text/event-stream": {
            "schema": {"type": "string", "contentMediaType": "application/json", "contentSchema": _ref("Event")}
        }
    }


def _json(text: str, shape: str) -> Schema:
    return {"description": text, "content": {"application/json": {"schema": _ref(shape)}}}


def _ref(shape: str) -> Schema:
    return {"$ref": f"#/components/schemas/{shape}"}
