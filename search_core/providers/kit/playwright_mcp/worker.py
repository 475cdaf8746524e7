"""The browser on a loop of its own: started when needed, one errand at a time, ended by idleness, ``close`` or the program."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.failures import failure
from search_core.providers.kit.playwright_mcp.configuration import Launch
from search_core.providers.kit.playwright_mcp.tab import SessionBrokenError, Tab
from search_core.runtime import LoopThread

if TYPE_CHECKING:
    from search_core.providers.kit.playwright_mcp.session import Session

logger = logging.getLogger(__name__)
T = TypeVar("T")

IDLE_S = 300.0
"""An unused Chromium holds some 570 MB; the next search after this long starts a new one, which takes about a second."""


class PlaywrightBrowser:
    """Runs errands in a real Chromium from any event loop; its processes live only while they are used."""

    def __init__(self, launch: Callable[[], Launch], *, idle_s: float = IDLE_S) -> None:
        """Take a function that returns what a session is started with, or raises ProviderError when parts are missing."""
        self._launch = launch
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._loop: LoopThread | None = None
        self._turn = asyncio.Lock()
        self._session: Session | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    async def run(self, errand: Callable[[Tab], Awaitable[T]], timeout_s: float) -> T:
        """Return what *errand* brings, waiting behind others included, at most *timeout_s* seconds from now.

        Raises what the errand raises, and ProviderError(TIMEOUT) at the deadline. At the deadline, and when the task is
        cancelled, the session is killed with all its processes; the next errand gets a new one.
        """
        launch = self._launch()
        with self._lock:
            if self._loop is None:
                self._loop, self._turn = LoopThread(), asyncio.Lock()
                atexit.register(self.close)
            future = self._loop.start(self._do(errand, launch, timeout_s))
        done = asyncio.wrap_future(future)
        try:
            ended, _ = await asyncio.wait([done], timeout=timeout_s)  # nobody waits for the session to be killed
        finally:
            future.cancel()  # what is done already stays so
        if not ended:
            raise _late(timeout_s)
        if done.cancelled():
            raise failure(SearchStatus.UNKNOWN_ERROR, "The browser was closed.")
        return done.result()

    def close(self) -> None:
        """End the session and its processes; what is under way fails."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            atexit.unregister(self.close)
            try:
                loop.close()
            except TimeoutError:
                logger.error("The browser's loop does not end")

    async def _do(self, errand: Callable[[Tab], Awaitable[T]], launch: Launch, timeout_s: float) -> T:
        try:
            async with asyncio.timeout(timeout_s), self._turn:
                if self._idle is not None:
                    self._idle.cancel()
                return await self._do_next(errand, launch)
        except TimeoutError:
            raise _late(timeout_s) from None

    async def _do_next(self, errand: Callable[[Tab], Awaitable[T]], launch: Launch) -> T:
        usable = False
        try:
            if self._session is None:
                from search_core.providers.kit.playwright_mcp.session import Session  # the MCP SDK; see there

                self._session = Session(launch)
            found = await errand(await self._session.opened)
            usable = True
        except ProviderError as error:
            usable = not isinstance(error, SessionBrokenError) and self._session is not None and self._session.lives
            raise
        except Exception as error:
            logger.warning("An errand in the browser failed: %s", type(error).__name__)
            raise
        finally:
            if usable:
                self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._be_idle)
            else:
                await self._end()
        return found

    def _be_idle(self) -> None:
        self._ending = asyncio.create_task(self._end_in_turn())

    async def _end_in_turn(self) -> None:
        async with self._turn:
            await self._end()

    async def _end(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.end()


def _late(timeout_s: float) -> ProviderError:
    return failure(SearchStatus.TIMEOUT, f"The browser did not get its answer within {timeout_s:g} s.")
