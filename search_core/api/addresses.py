"""Everything under ``/api``, behind its guard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from search_core.api.answers import Answers
from search_core.api.guard import Guard
from search_core.api.openapi import description
from search_core.api.problems import ApiError, internal, problem_of
from search_core.api.searches import Searches
from search_core.api.sessions import Sessions
from search_core.chat import ConversationBusyError, TooManyAnswersError
from search_core.errors import MaekrakError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from search_core.api.door import Door
    from search_core.api.rules import StreamRules

_REFUSALS = {
    404: ("not_found", "There is no such address.", "없는 주소예요."),
    405: ("wrong_method", "The address is not asked in this way.", "이 주소에는 쓸 수 없는 요청 방식이에요."),
}


def guarded(door: Callable[[], Door], rules: StreamRules) -> ASGIApp:
    """Return the API behind its guard; *door* gives the one search core of the process and may take its time or raise."""
    answers, sessions = Answers(door, rules), Sessions(door)
    inner = Starlette(
        routes=[
            Route("/web-search", answers.web_search, methods=["POST"]),
            Route("/chat", answers.chat, methods=["POST"]),
            Route("/search", Searches(door, rules.stopping).search, methods=["POST"]),
            Route("/sessions", sessions.all, methods=["GET"]),
            Route("/sessions/{session_id}", sessions.one, methods=["GET"]),
            Route("/openapi.json", _openapi, methods=["GET"]),
        ],
        exception_handlers={
            HTTPException: _refused,
            ApiError: _problem,
            ConversationBusyError: _busy,
            TooManyAnswersError: _overloaded,
            MaekrakError: _problem,
            ClientDisconnect: _left,
            Exception: _broken,
        },
    )
    inner.router.redirect_slashes = False
    return Guard(inner, door)


async def _openapi(_: Request) -> Response:
    return JSONResponse(description())


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind, message, korean = _REFUSALS.get(error.status_code, ("refused", error.detail, "요청을 처리할 수 없어요."))
    return ApiError(error.status_code, kind, message, korean, headers=error.headers).response()


async def _problem(_: Request, error: Exception) -> Response:
    return problem_of(error).response()


async def _broken(_: Request, __: Exception) -> Response:
    return internal(500).response()  # Starlette raises the error again, and the server logs it


async def _busy(_: Request, error: Exception) -> Response:
    assert isinstance(error, ConversationBusyError)
    return ApiError(409, "busy", str(error), error.korean).response()


async def _overloaded(_: Request, error: Exception) -> Response:
    assert isinstance(error, TooManyAnswersError)
    return ApiError(503, "overloaded", str(error), error.korean, headers={"Retry-After": "5"}).response()


async def _left(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # nobody is there to read it
