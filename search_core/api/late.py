"""An application whose making takes a second or two: not before somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from search_core.runtime import Lazy


class LazyApp:
    """What *make* returns, made at the first request and off the event loop."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._app = Lazy(make)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; those that come meanwhile wait."""
        app = self._app.made
        if app is None:
            app = await run_in_threadpool(self._app)
        await app(scope, receive, send)
