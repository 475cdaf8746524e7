"""HTTP routes beside the pages: health, metrics, and the API under ``/api``."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from search_core.api.allowed_hosts import AllowedHosts, is_on_this_machine
from search_core.api.monitoring import monitoring_routes
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
    """Passes requests to the application that *make* builds on the first one, off the event loop: that takes a second."""

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
    """Have uvicorn wait at most ``GRACE_S`` at shutdown, unless it was started with a limit: Streamlit has no setting.

    uvicorn installs its signal handlers before the lifespan begins; only they lead to the running server.
    """
    from uvicorn import Server

    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if isinstance(server, Server) and server.config.timeout_graceful_shutdown is None:
        server.config.timeout_graceful_shutdown = GRACE_S
