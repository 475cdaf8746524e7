"""``/healthz`` and ``/metrics`` for operators' tools; neither asks a search service."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from search_core.api.allowed_hosts import digest, is_bearer, is_on_this_machine
from search_core.api.problems import NO_STORE, problem_of, unauthorized_error

if TYPE_CHECKING:
    from search_core.core import SearchCore

_AT_ONCE = 2


def monitoring_routes(core: Callable[[], SearchCore]) -> list[BaseRoute]:
    """Return the routes; *core* returns the search core and may block or raise SettingsError.

    They have threads of their own, so that monitors need not wait behind hundreds of other requests.
    """
    threads = anyio.CapacityLimiter(_AT_ONCE)

    async def answer(compute: Callable[[], Response]) -> Response:
        try:
            return await anyio.to_thread.run_sync(compute, limiter=threads)
        except Exception as error:  # noqa: BLE001  whatever keeps the core from answering is logged and answered with 503
            return problem_of(error).response()

    async def healthz(_: Request) -> Response:
        return await answer(lambda: _healthz(core()))

    async def metrics(request: Request) -> Response:
        return await answer(lambda: _metrics(core(), request))

    return [Route("/healthz", healthz, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]


def _healthz(core: SearchCore) -> Response:
    (overall, by_name), problems = core.monitor.states(), core.storage_problems()
    status = "degraded" if problems and overall == "ok" else overall
    broken = {"storage": dict(problems)} if problems else {}
    return JSONResponse({"status": status, "providers": by_name, **broken}, headers=NO_STORE)


def _metrics(core: SearchCore, request: Request) -> Response:
    authorization = request.headers.get("authorization", "")
    if not is_on_this_machine(request.scope) and not any(
        is_bearer(authorization, digest(token)) for token in core.settings.tokens
    ):
        raise unauthorized_error(
            "metrics",
            "Only this machine is answered without a token; send a token of API_TOKENS as a bearer token.",
            "다른 컴퓨터에서는 API_TOKENS에 적은 토큰을 Bearer로 보내 주세요.",
        )
    text, content_type = core.monitor.exposition()
    return Response(text, headers={**NO_STORE, "Content-Type": content_type})
