"""Everything under ``/api``, behind its guard."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from search_core.api.answers import Answers
from search_core.api.claim_runs import ClaimRuns
from search_core.api.guard import Guard
from search_core.api.openapi import description
from search_core.api.problems import ApiError, internal_error, problem_of
from search_core.api.researches import Researches
from search_core.api.rules import StreamRules
from search_core.api.searches import Searches
from search_core.api.sessions import Sessions
from search_core.chat import ConversationBusyError, TooManyAnswersError
from search_core.core import SearchCore
from search_core.durable_runs.errors import RunNotFoundError, RunStateError, RunsUnavailableError
from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

Answer = Callable[[Request], Awaitable[Response]]
"""Answers requests for one address."""
_REFUSALS = {
    404: ("not_found", "There is no such address.", "없는 주소예요."),
    405: ("wrong_method", "The address is not asked in this way.", "이 주소에는 쓸 수 없는 요청 방식이에요."),
}


def create_api(core: Callable[[], SearchCore], rules: StreamRules) -> ASGIApp:
    """Return the API behind its guard; *core* gives the one search core of the process and may take its time or raise."""
    answers, sessions = Answers(core, rules), Sessions(core)
    inner = Starlette(
        routes=[
            Route("/web-search", answers.web_search, methods=["POST"]),
            Route("/chat", answers.chat, methods=["POST"]),
            Route("/search", Searches(core, rules.stopping).search, methods=["POST"]),
            Route("/sessions", sessions.all, methods=["GET"]),
            Route("/sessions/{session_id}", sessions.one, methods=["GET"]),
            *_research_routes(Researches(core, rules)),
            *_claim_routes(ClaimRuns(core, rules)),
            Route("/openapi.json", _openapi, methods=["GET"]),
        ],
        exception_handlers={
            HTTPException: _answer_http_error,
            ApiError: _answer_error,
            MaekrakError: _answer_error,
            ClientDisconnect: _answer_nobody,
            Exception: _answer_unexpected,
        },
    )
    inner.router.redirect_slashes = False
    return Guard(inner, core)


def _research_routes(runs: Researches) -> list[Route]:
    one = "/research/{run_id}"
    steered = {"cancel": runs.cancel, "finish": runs.finish, "resume": runs.resume, "agree": runs.agree, "edit": runs.edit}
    return [
        Route("/research", _by_method({"GET": runs.all, "POST": runs.start}), methods=["GET", "POST"]),
        Route(one, _by_method({"GET": runs.one, "DELETE": runs.delete}), methods=["GET", "DELETE"]),
        Route(f"{one}/events", runs.events, methods=["GET"]),
        *(Route(f"{one}/{name}", answer, methods=["POST"]) for name, answer in steered.items()),
    ]


def _claim_routes(runs: ClaimRuns) -> list[Route]:
    one = "/claims/{run_id}"
    steered = {"stop": runs.stop, "finish": runs.finish, "resume": runs.resume}
    return [
        Route("/claims", _by_method({"GET": runs.all, "POST": runs.start}), methods=["GET", "POST"]),
        Route(one, _by_method({"GET": runs.one, "DELETE": runs.delete}), methods=["GET", "DELETE"]),
        Route(f"{one}/events", runs.events, methods=["GET"]),
        *(Route(f"{one}/{name}", answer, methods=["POST"]) for name, answer in steered.items()),
    ]


def _by_method(answers: Mapping[str, Answer]) -> Answer:
    """Return what answers each method in its way: two routes of one path would hide each other's methods."""

    async def answer(request: Request) -> Response:
        return await answers["GET" if request.method == "HEAD" else request.method](request)

    return answer


async def _openapi(_: Request) -> Response:
    return JSONResponse(description())


async def _answer_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
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
            problem = ApiError(503, f"{error.of}_unavailable", message, error.korean)
        case _:
            problem = problem_of(error)
    return problem.response()


async def _answer_unexpected(_: Request, __: Exception) -> Response:
    return internal_error(500).response()  # Starlette raises the error again, and the server logs it


async def _answer_nobody(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # the client is gone
