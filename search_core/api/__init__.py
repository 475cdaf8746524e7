"""HTTP routes beside the pages: health, metrics, and the API under ``/api``."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from search_core.api.allowed_hosts import AllowedHosts, digest, is_bearer, is_on_this_machine
from search_core.api.problems import NO_STORE, problem_of, unauthorized_error
from search_core.runtime import Lazy

if TYPE_CHECKING:
    from search_core.core import SearchCore

__all__ = ["ROOT", "AllowedHosts", "is_on_this_machine", "limit_shutdown", "routes"]

ROOT = "/api"


def routes(core: Callable[[], SearchCore]) -> list[BaseRoute]:
    """Return all routes; *core* returns the search core and may block or raise SettingsError."""

    def make() -> ASGIApp:
        from search_core.api.create_api import create_api  # takes the language tools with it: not before the first paint

        return create_api(core)

    api = _LazyApp(make)
    return [*monitoring_routes(core), Route(ROOT, api), Mount(ROOT, app=api)]


class _LazyApp:
    """Passes requests to the application, which *make* builds at the first request; on a thread, as that takes a second."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._app = Lazy(make)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; requests during the building wait."""
        app = self._app.made
        if app is None:
            app = await run_in_threadpool(self._app)
        await app(scope, receive, send)


GRACE_S = 5
"""Seconds that open requests have at shutdown; without a limit, a client that reads nothing would keep the server running."""


def limit_shutdown() -> None:
    """Have uvicorn wait at most ``GRACE_S`` at shutdown, unless it was started with a limit; Streamlit has no setting for that.

    The running server is found by its signal handler, which uvicorn installs before the lifespan begins.
    """
    from uvicorn import Server

    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if isinstance(server, Server) and server.config.timeout_graceful_shutdown is None:
        server.config.timeout_graceful_shutdown = GRACE_S


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
