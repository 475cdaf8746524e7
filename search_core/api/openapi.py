"""``GET /api/openapi.json``: FastAPI describes addresses and bodies; here stands what answers, streams and refusals hold."""

from __future__ import annotations

from fastapi import FastAPI

from search_core.api.bodies import MAX_BODY_BYTES
from search_core.api.schemas import Schema, answer_schemas, ref
from search_core.version import VERSION

Responses = dict[int | str, Schema]

_ABOUT = (
    "Answers about videos, from the video and from the web, every line attributed. Texts are what models, videos and web pages "
    "wrote, as Markdown at most, and may hold links and pictures of anybody's: show them as text, or make them safe first. "
    "A number in brackets names one of the sources."
)
_SECURITY = "A token of API_TOKENS. Where none are set, callers on the server's own machine need none, and others are refused."
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
_RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}
LOCATION: Schema = {"Location": {"description": "Address of the run.", "schema": {"type": "string"}}}


class Api(FastAPI):
    """The application under ``/api``; *root* is the address below which a client finds it."""

    def __init__(self, root: str) -> None:
        super().__init__(
            title="Maekrak",
            version=VERSION,
            description=_ABOUT,
            openapi_url=None,
            redirect_slashes=False,
            responses={**refusals(401, 403, 429, 500, 503), "default": answer("Any other refusal.", "Problem")},
        )
        self._root = root

    def openapi(self) -> Schema:
        """Return the description as values for JSON."""
        if self.openapi_schema is None:
            described = super().openapi()
            described["paths"] = {f"{self._root}{path}": item for path, item in described["paths"].items()}
            described["components"]["schemas"] |= answer_schemas(described["paths"])
            described["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "description": _SECURITY}}
            described["security"] = [{"token": []}, {}]
        return super().openapi()


def answer(text: str, *shapes: str) -> Schema:
    """Return the description of an answer in JSON, of one of *shapes*."""
    schemas = [ref(shape) for shape in shapes]
    schema = {"anyOf": schemas} if len(schemas) > 1 else schemas[0]
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def stream(text: str, event: str, *shapes: str) -> Schema:
    """Return the description of a stream of events, in whose place an answer in JSON, of one of *shapes*, may stand."""
    schema = {"type": "string", "contentMediaType": "application/json", "contentSchema": ref(event)}
    beside = answer(text, *shapes)["content"] if shapes else {}
    return {"description": text, "content": {"text/event-stream": {"schema": schema}, **beside}}


def refusals(*codes: int) -> Responses:
    """Return how refusals of these codes are described."""
    described: Responses = {code: answer(_REFUSED[code], "Problem") for code in codes}
    if 429 in described:
        described[429]["headers"] = _RETRY
    return described


BODY_REFUSED = refusals(400, 404, 408, 413, 415)
"""What every address that takes a body can say."""
