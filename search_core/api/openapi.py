"""``GET /api/openapi.json``: the OpenAPI 3.1 description of the API."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from search_core.api.bodies import AgreeBody, ChatBody, EditBody, ResearchBody, SearchBody, WebSearchBody
from search_core.api.claim_bodies import ClaimsBody
from search_core.api.claim_paths import claim_paths
from search_core.api.operations import answer, operation, refusal, stream, with_path_parameters
from search_core.api.research_paths import research_paths
from search_core.api.schemas import REF, Schema, answer_schemas, ref
from search_core.version import VERSION

_STREAM_NOTE = (
    "Server-sent events, numbered by `id` from 1; the data of each is one JSON object with its name under `type` (see Event). "
    "`done` ends every stream; a comment line is sent every 15 seconds. A client that leaves stops the answer; what there was "
    "until then is kept in the session. The stream cannot be taken up again: `Last-Event-ID` changes nothing here."
)
_MODELS: tuple[type[BaseModel], ...] = (WebSearchBody, ChatBody, SearchBody, ResearchBody, AgreeBody, EditBody, ClaimsBody)


@cache
def description() -> Schema:
    """Return the description as values for JSON."""
    _, bodies = models_json_schema([(model, "validation") for model in _MODELS], ref_template=REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Maekrak",
            "version": VERSION,
            "description": "Answers about videos, from the video and from the web, every line attributed. Texts are what models, "
            "videos and web pages wrote, as Markdown at most, and may hold links and pictures of anybody's: show them as text, "
            "or make them safe first. A number in brackets names one of the sources.",
        },
        "paths": with_path_parameters(_paths()),
        "components": {
            "schemas": {**bodies["$defs"], **answer_schemas()},
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
    itself = {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {}}}}
    return {
        "/api/web-search": {
            "post": operation(
                "webSearch",
                "Search the web for a question, compare it with the session so far, and stream sources and answer.",
                {200: _answered_or_nothing(), 503: _not_configured()},
                body="WebSearchBody",
                refused=(409,),
            )
        },
        "/api/chat": {
            "post": operation(
                "chat",
                "Answer a question from the video, and from the web where the video says nothing.",
                {200: {"description": _STREAM_NOTE, "content": stream("Event")}},
                body="ChatBody",
                refused=(409,),
            )
        },
        "/api/search": {
            "post": operation(
                "search",
                "Search the web in the context of a video and answer with the whole report.",
                {200: answer("The report.", "Report")},
                body="SearchBody",
            )
        },
        "/api/sessions": {
            "get": operation("sessions", "List the caller's sessions, last changed first.", {200: answer("All.", "Sessions")})
        },
        "/api/sessions/{session_id}": {
            "get": operation(
                "session",
                "Return one session with its messages, oldest first.",
                {200: answer("The session.", "Session")},
                refused=(404,),
            )
        },
        **research_paths(),
        **claim_paths(),
        "/api/openapi.json": {"get": operation("description", "Return this description.", {200: itself})},
    }


def _not_configured() -> Schema:
    either = {"anyOf": [ref("NotConfigured"), ref("Problem")]}
    return {
        "description": f"No search service of the web is set up. {refusal(503)['description']}",
        "content": {"application/json": {"schema": either}},
    }


def _answered_or_nothing() -> Schema:
    note = f"{_STREAM_NOTE} The first event is `web_sources`. Where there are none, a JSON object says so in place of a stream."
    return {"description": note, "content": {**stream("Event"), "application/json": {"schema": ref("StreamError")}}}
