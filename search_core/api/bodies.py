"""What request handlers take: bodies, validated because anybody may send anything, the core and the caller."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from search_core.api.allowed_hosts import caller_of
from search_core.api.problems import ApiError, problem_of
from search_core.checking.claims.service import MAX_CLAIMS
from search_core.core import SearchCore
from search_core.domain.text_limits import QUESTION, REFERENCE, SUBJECT, TextLimit
from search_core.errors import TooLongError

MAX_BODY_BYTES = 1024 * 1024
"""A body may contain a video: six hours of speech, or a third of that with ``\\u`` escapes."""
MAX_PROVIDERS = 50
MAX_RESULTS = 50
DEFAULT_CHECK = 12
_TYPE = "application/json"


class Body(BaseModel):
    """The body of a request; unknown names are refused, as they may be misspelt."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


_MAX_SENT_CHARS = 4 * QUESTION.most
"""Limit of the raw text with white space; the core removes white space and applies the limit ``QUESTION``."""
Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=_MAX_SENT_CHARS,
        description=f"The question, at most {QUESTION.most} characters.",
        json_schema_extra={"maxLength": QUESTION.most},
    ),
]
Id = Annotated[str, Field(max_length=REFERENCE.most)]
SessionId = Annotated[
    Id | None,
    BeforeValidator(lambda given: str(given) if type(given) is int else given, json_schema_input_type=Id | int | None),
    Field(description="Conversation to go on with, as a `done` event named it; a new one is begun without it."),
]
VideoId = Annotated[
    Id | None, Field(description="A sample video, or one that a conversation of the caller is about; nothing is fetched.")
]
Subject = Annotated[str | None, Field(max_length=SUBJECT.most)]
MomentS = Annotated[
    float | None,
    Field(
        ge=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="Where in the video the question is asked, in seconds: “this company” is of this moment.",
    ),
]


class WithVideo(Body):
    """Names or contains the video."""

    video_id: VideoId = None
    video: Annotated[
        dict[str, Any] | None,
        Field(
            description="A video in place of `video_id`: `transcript` (the text of a subtitle file or a plain one, or a list of "
            "segments), `title`, `channel`, `published_at` (without a day nothing can contradict it), url, description, …"
        ),
    ] = None


class QuestionBody(WithVideo):
    """Carries a question about a video, asked in a conversation or by itself."""

    query: Query
    session_id: SessionId = None
    moment_s: MomentS = None


class WebSearchBody(QuestionBody):
    """Asks what the web says about a question, compared with the conversation so far."""

    subject: Annotated[Subject, Field(description="What the question is about; it is put before the query.")] = None
    equipment: Annotated[Subject, Field(description="Another name of `subject`, which goes before it.")] = None

    @property
    def about(self) -> str | None:
        """Return the subject, by either of its names."""
        return self.subject or self.equipment or None


class SearchBody(WithVideo):
    """Asks for web pages about a question."""

    query: Query
    moment_s: MomentS = None
    providers: Annotated[
        list[Id] | None,
        Field(min_length=1, max_length=MAX_PROVIDERS, description="Names of the search services to ask; all without it."),
    ] = None
    threshold: Annotated[
        float | None, Field(ge=0, le=1, allow_inf_nan=False, description="Results scored below it stand under `hidden`.")
    ] = None
    max_results: Annotated[int | None, Field(ge=1, le=MAX_RESULTS, description="Results shown; the others are hidden.")] = None
    verbatim: Annotated[bool, Field(description="Search for the question as it is, without the video.")] = False


class ClaimsBody(WithVideo):
    """Asks to check claims of a video on the web."""

    claim_ids: Annotated[
        list[Id] | None,
        Field(min_length=1, max_length=MAX_CLAIMS, description="Claims of the transcript to check, by the ids of a dry run."),
    ] = None
    check: Annotated[
        int, Field(ge=1, le=MAX_CLAIMS, description="How many of those found are checked: the ones most worth it.")
    ] = DEFAULT_CHECK
    fresh: Annotated[bool, Field(description="Search past what is kept of earlier searches.")] = False
    dry_run: Annotated[bool, Field(description="Answer with the claims and what checking them takes, and check nothing.")] = False


def value_problem(error: RequestValidationError) -> ApiError:
    """Return the first problem of a request; it repeats known field names and nothing else from it."""
    if isinstance(error.body, bytes):  # FastAPI reads JSON alone, and only where it is sent as that
        message, korean = f"Send the body as {_TYPE}.", f"본문을 {_TYPE} 형식으로 보내 주세요."
        return ApiError(415, "wrong_type", message, korean, headers={"Accept": _TYPE})
    first = error.errors()[0]
    where, kind = ".".join(map(str, first["loc"][1:])), first["type"]
    if kind in ("string_too_long", "too_long"):
        counts = "characters" if kind == "string_too_long" else "entries"
        return problem_of(TooLongError(TextLimit(where, where, first["ctx"]["max_length"], counts), len(first["input"])))
    if kind == "extra_forbidden":
        return ApiError(400, "unknown_field", "The body has a field that is not known.", "요청 본문에 모르는 항목이 있어요.")
    if kind == "json_invalid":
        return bad_json_error()
    return ApiError(
        400,
        "missing" if kind == "missing" and where else "bad_value",
        f"{where or 'The body'}: {first['msg']}",
        f"{where or '본문'} 값을 쓸 수 없어요. API 설명을 확인해 주세요.",
    )


def too_large_error() -> ApiError:
    """Return the refusal of a body beyond ``MAX_BODY_BYTES``."""
    most_kb = MAX_BODY_BYTES // 1024
    return ApiError(413, "too_large", f"The body may hold {most_kb} KB at most.", f"요청 본문은 {most_kb}KB까지 보낼 수 있어요.")


def bad_json_error() -> ApiError:
    """Return the refusal of a body that is no JSON."""
    message, korean = "The body is not readable JSON in UTF-8.", "요청 본문을 UTF-8 JSON으로 읽을 수 없어요."
    return ApiError(400, "bad_json", message, korean)


def _core(request: Request) -> SearchCore:
    core: SearchCore = request.app.state.core()  # may block: FastAPI calls what is no coroutine on a thread
    return core


async def _owner(request: Request) -> str:
    return caller_of(request.scope).owner


Core = Annotated[SearchCore, Depends(_core)]
Owner = Annotated[str, Depends(_owner)]
