"""Everything under ``/api``, behind its guard."""

from __future__ import annotations

import logging
from collections.abc import Callable

from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp

from search_core.answers.chat.job import ConversationBusyError, TooManyAnswersError
from search_core.api.answers import SEARCHES_AT_ONCE, STARTED_AT_ONCE, sessions
from search_core.api.answers import router as answers
from search_core.api.bodies import MAX_BODY_BYTES, bad_json_error, too_large_error, value_problem
from search_core.api.guard import Guard
from search_core.api.problems import ApiError, internal_error, problem_of
from search_core.api.runs import claims_router, research_router
from search_core.core import SearchCore
from search_core.errors import MaekrakError
from search_core.package import VERSION
from search_core.runs.run_kind import RunNotFoundError, RunStateError, RunsUnavailableError

logger = logging.getLogger(__name__)

_ABOUT = (
    "Answers about videos, from the video and from the web, every line attributed. Texts are what models, videos and web pages "
    "wrote, as Markdown at most, and may hold links and pictures of anybody's: show them as text, or make them safe first. "
    "A number in brackets names one of the sources. A token of API_TOKENS is sent as a bearer token."
)
_REFUSALS = {
    404: ("not_found", "There is no such address.", "없는 주소예요."),
    405: ("wrong_method", "The address is not asked in this way.", "이 주소에는 쓸 수 없는 요청 방식이에요."),
}


def create_api(core: Callable[[], SearchCore]) -> ASGIApp:
    """Return the API behind its guard; *core* returns the search core and may block or raise."""
    return Guard(build_api(core), core)


def build_api(core: Callable[[], SearchCore]) -> FastAPI:
    """Return the application without its guard; FastAPI documents its routes and parameters, docs/api.md the answers."""
    api = FastAPI(
        title="Maekrak",
        version=VERSION,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        max_body_size=MAX_BODY_BYTES,
        responses={"default": {"description": "Why the request is refused, in English and in Korean, under `error`."}},
    )
    api.state.core = core
    api.state.starters, api.state.waiters = CapacityLimiter(STARTED_AT_ONCE), CapacityLimiter(SEARCHES_AT_ONCE)
    for router in (answers, sessions, research_router, claims_router):
        api.include_router(router)

    for error, answer in _HANDLERS.items():
        api.add_exception_handler(error, answer)
    return api


async def _answer_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # FastAPI could not read the body
        return bad_json_error().response()
    if error.status_code == 413:
        return too_large_error().response()
    kind, message, korean = _REFUSALS.get(error.status_code, ("refused", error.detail, "요청을 처리할 수 없어요."))
    return ApiError(error.status_code, kind, message, korean, headers=error.headers).response()


async def _answer_error(_: Request, error: Exception) -> Response:
    match error:
        case ConversationBusyError():
            problem = ApiError(409, "busy", str(error), error.korean)
        case TooManyAnswersError():
            problem = ApiError(503, "overloaded", str(error), error.korean, headers={"Retry-After": "5"})
        case RunNotFoundError():
            problem = ApiError(404, "unknown_run", str(error), error.korean)
        case RunStateError():
            problem = ApiError(409, "wrong_state", str(error), error.korean)
        case RunsUnavailableError():
            logger.error("Runs are not there for the API: %s", error)
            message = "Runs cannot be used now; the log says why."
            problem = ApiError(503, "runs_unavailable", message, error.korean)
        case _:
            problem = problem_of(error)
    return problem.response()


async def _answer_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return value_problem(error).response()


async def _answer_unexpected(_: Request, __: Exception) -> Response:
    return internal_error(500).response()  # Starlette raises the error again, and the server logs it


async def _answer_nobody(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # the client is gone


_HANDLERS = {
    HTTPException: _answer_http_error,
    RequestValidationError: _answer_invalid,
    ApiError: _answer_error,
    MaekrakError: _answer_error,
    ClientDisconnect: _answer_nobody,
    Exception: _answer_unexpected,
}
