"""The browser on a loop of its own: started for each errand and ended after it, one errand at a time."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.playwright_mcp.configuration import Launch
from search_core.providers.kit.playwright_mcp.tab import Tab
from search_core.runtime import LoopThread

logger = logging.getLogger(__name__)
T = TypeVar("T")


class PlaywrightBrowser:
    """Runs errands in a real Chromium from any event loop, one at a time: two would take more than a gigabyte."""

    def __init__(self, launch: Callable[[], Launch]) -> None:
        """Take a function that returns the launch of a session, or raises ProviderError for missing parts."""
        self._launch = launch
        self._lock = threading.Lock()
        self._loop: LoopThread | None = None
        self._turn = asyncio.Lock()

    async def run(self, errand: Callable[[Tab], Awaitable[T]], timeout_s: float) -> T:
        """Return the result of *errand* within *timeout_s* seconds, including the wait for earlier ones.

        Raises what the errand raises, and ProviderError(TIMEOUT) at the deadline.
        """
        launch = self._launch()
        with self._lock:
            if self._loop is None:
                self._loop, self._turn = LoopThread(), asyncio.Lock()
                atexit.register(self.close)
            future = self._loop.start(self._do(errand, launch))
        done = asyncio.wrap_future(future)
        try:
            ended, _ = await asyncio.wait([done], timeout=timeout_s)  # nobody waits for the session to be killed
        finally:
            future.cancel()  # does nothing once it is done
        if not ended:
            raise ProviderError(SearchStatus.TIMEOUT, f"The browser did not get its answer within {timeout_s:g} s.")
        if done.cancelled():
            raise ProviderError(SearchStatus.UNKNOWN_ERROR, "The browser was closed.")
        return done.result()

    def close(self) -> None:
        """End the session and its processes; a running errand fails."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            atexit.unregister(self.close)
            try:
                loop.close()
            except TimeoutError:
                logger.error("The browser's loop does not end")

    async def _do(self, errand: Callable[[Tab], Awaitable[T]], launch: Launch) -> T:
        from search_core.providers.kit.playwright_mcp.session import Session  # the MCP SDK; see there

        async with self._turn:
            session = Session(launch)
            try:
                return await errand(await session.opened)
            finally:
                await session.end()
