"""``/healthz`` and ``/metrics``: what an operator's tools ask; neither asks a search service."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from search_core.api.callers import digest, is_bearer
from search_core.api.problems import NO_STORE, ApiError, internal_error, problem_of
from search_core.errors import SettingsError

if TYPE_CHECKING:
    from search_core.core import SearchCore

logger = logging.getLogger(__name__)


def monitoring_routes(core: Callable[[], SearchCore]) -> list[BaseRoute]:
    """Return the routes; *core* gives the one search core of the process and may take its time or raise SettingsError."""

    async def healthz(_: Request) -> Response:
        return await _answer_safely(lambda: _healthz(core()))

    async def metrics(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        return await _answer_safely(lambda: _metrics(core(), given))

    return [Route("/healthz", healthz, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]


def _healthz(core: SearchCore) -> Response:
    states, problems = core.service_states(), core.storage_problems()
    overall = "degraded" if problems and states.overall == "ok" else states.overall
    broken = {"storage": dict(problems)} if problems else {}
    return JSONResponse({"status": overall, "providers": dict(states.by_name), **broken}, headers=NO_STORE)


def _metrics(core: SearchCore, given: str) -> Response:
    token = core.settings.metrics_token.get_secret_value()
    if token and not is_bearer(given, digest(token)):
        raise ApiError(
            401,
            "unauthorized",
            "Send the token of METRICS_TOKEN as a bearer token.",
            "METRICS_TOKEN에 적은 토큰을 Bearer로 보내 주세요.",
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
        )
    text, content_type = core.metrics()
    return Response(text, headers={**NO_STORE, "Content-Type": content_type})


async def _answer_safely(answer: Callable[[], Response]) -> Response:
    """Return what *answer* returns, computed on a thread; errors are answered without details."""
    try:
        return await run_in_threadpool(answer)
    except (ApiError, SettingsError) as error:
        return problem_of(error).response()
    except Exception:  # operators' tools get a 503, whatever keeps the core from answering
        logger.exception("The monitoring could not be answered")
        return internal_error().response()
