"""An ASGI application that is built at the first request, because building it takes a second or two."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from search_core.runtime import Lazy


class LazyApp:
    """Passes requests to the application that *make* returns, called once and off the event loop."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._app = Lazy(make)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; requests that come while it is built wait."""
        app = self._app.made
        if app is None:
            app = await run_in_threadpool(self._app)
        await app(scope, receive, send)
