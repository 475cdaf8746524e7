"""An application whose making takes a second or two: not before somebody asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send


class MadeLate:
    """What *make* returns, made at the first request and off the event loop."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._make = make
        self._made: ASGIApp | None = None
        self._making: asyncio.Task[ASGIApp] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; those that come meanwhile wait."""
        if self._made is None:
            if self._making is None:
                self._making = asyncio.create_task(run_in_threadpool(self._make))
            self._made = await asyncio.shield(self._making)
        await self._made(scope, receive, send)
