"""How an address of the API is described: how it is asked, how it answers and how it refuses."""

from __future__ import annotations

import re

from search_core.api.bodies import MAX_BODY_BYTES
from search_core.api.schemas import Schema, ref

_REFUSED = {
    400: "The body is no JSON, or a value in it cannot be used.",
    401: "No right token; or, without API_TOKENS, a caller from elsewhere than this machine.",
    403: "A page of another site calls.",
    404: "No such session, video or run, or one of another caller's: both get this same answer.",
    408: "The body did not arrive in time.",
    409: "The conversation is being answered already, or is about another video; or the run is too far, or not far enough.",
    413: f"The body holds more than {MAX_BODY_BYTES // 1024} KB.",
    415: "The body is not application/json.",
    429: "Too many requests, or too many at the same time; Retry-After says how many seconds to wait.",
    500: "Something unexpected, before any event was sent.",
    503: "The server stops, has too much to do, or cannot use its settings or what it keeps.",
}
_ALWAYS = (401, 403, 429, 500, 503)
_WITH_BODY = (400, 404, 408, 413, 415)
_RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}


def operation(
    name: str,
    summary: str,
    answers: dict[int, Schema],
    *,
    body: str | None = None,
    body_required: bool = True,
    refused: tuple[int, ...] = (),
    parameters: list[Schema] | None = None,
) -> Schema:
    """Return the description of one way to ask an address; *refused* are codes beside those that every address has."""
    codes = {*_ALWAYS, *refused, *(_WITH_BODY if body else ())}
    content = {"application/json": {"schema": ref(body)}} if body else None
    responses = {**{code: refusal(code) for code in codes}, **answers}
    return {
        "operationId": name,
        "summary": summary,
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": {"required": body_required, "content": content}} if content else {}),
        "responses": {str(code): responses[code] for code in sorted(responses)},
    }


def refusal(code: int) -> Schema:
    """Return how a code is described."""
    headers = {"headers": _RETRY} if code == 429 else {}
    return {**answer(_REFUSED[code], "Problem"), **headers}


def answer(text: str, shape: str) -> Schema:
    """Return the description of an answer in JSON."""
    return {"description": text, "content": {"application/json": {"schema": ref(shape)}}}


def stream(shape: str) -> Schema:
    """Return the content of an answer that is a stream of events."""
    schema = {"type": "string", "contentMediaType": "application/json", "contentSchema": ref(shape)}
    return {"text/event-stream": {"schema": schema}}


def with_path_parameters(paths: dict[str, Schema]) -> Schema:
    """Return *paths*, each with the parameters that its address names in braces."""
    return {path: {**methods, **_parameters(re.findall(r"{(\w+)}", path))} for path, methods in paths.items()}


def _parameters(names: list[str]) -> Schema:
    described = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
    return {"parameters": described} if described else {}
