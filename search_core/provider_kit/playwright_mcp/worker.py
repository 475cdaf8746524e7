"""The thread that owns the browser: started when needed, one job at a time, ended by idleness, ``close`` or the interpreter."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar, cast

from search_core.domain import SearchStatus
from search_core.provider_kit.failures import failure
from search_core.provider_kit.playwright_mcp.configuration import Launch
from search_core.provider_kit.playwright_mcp.tab import Job, Tab
from search_core.runtime import call_on

if TYPE_CHECKING:
    from search_core.provider_kit.playwright_mcp.session import Session

logger = logging.getLogger(__name__)
T = TypeVar("T")

IDLE_S = 300.0
"""An unused Chromium holds some 570 MB; the next search after this long starts a new one, which takes about a second."""
CLOSE_S = 4.0


class PlaywrightBrowser:
    """Runs errands in a real Chromium from any event loop; its processes live only while they are used."""

    def __init__(self, launch: Callable[[], Launch], *, idle_s: float = IDLE_S) -> None:
        """Take a function that returns what a session is started with, or raises ProviderError when parts are missing."""
        self._launch = launch
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._thread: WorkerThread | None = None

    async def run(self, errand: Callable[[Tab], Awaitable[T]], timeout_s: float) -> T:
        """Return what *errand* brings, waiting behind others included, at most *timeout_s* seconds from now.

        Raises what the errand raises, and ProviderError(TIMEOUT) at the deadline. At the deadline, and when the task is
        cancelled, the session is killed with all its processes; the next errand gets a new one.
        """
        job = Job(errand, timeout_s)
        thread = self._hand_over(job)
        try:
            async with asyncio.timeout(timeout_s):
                return cast("T", await asyncio.wrap_future(job.answer))
        except TimeoutError:
            raise failure(SearchStatus.TIMEOUT, f"The browser did not get its answer within {timeout_s:g} s.") from None
        finally:
            if job.answer.cancel():  # False when there is an answer
                thread.let_go(job)

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """End the session and its processes, at most *timeout_s* seconds from now; what is under way fails."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.close(timeout_s)

    def _hand_over(self, job: Job) -> WorkerThread:
        with self._lock:
            if self._thread is None or not self._thread.take(job):
                self._thread = WorkerThread(self._launch(), self._idle_s)
                self._thread.start(job)
            return self._thread


class WorkerThread:
    """One thread with one event loop, serving jobs in one session after the other; it ends when it has been idle."""

    def __init__(self, launch: Launch, idle_s: float) -> None:
        self._launch = launch
        self._idle_s = idle_s
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="maekrak-browser", daemon=True)
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._woken = asyncio.Event()
        self._current: Job | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._session: Session | None = None
        self._idle = False
        self._over = False

    def start(self, job: Job) -> None:
        """Begin with *job*; the thread is a daemon, so that it never holds up the end of the interpreter."""
        self._waiting.append(job)
        atexit.register(self.close)
        self._thread.start()

    def take(self, job: Job) -> bool:
        """Queue *job* and return whether this thread still takes jobs."""
        with self._lock:
            if self._over:
                return False
            self._waiting.append(job)
            call_on(self._loop, self._woken.set)
            return True

    def let_go(self, job: Job) -> None:
        """Stop working at *job*, which has no caller any more; costs nothing when it is done."""
        call_on(self._loop, self._abandon, job)

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """Take no more jobs, fail those there are, kill the session and wait for the end of the thread."""
        with self._lock:
            self._over = True
        call_on(self._loop, self._stop)
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            logger.error("The browser's thread does not end within %g s", timeout_s)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            with self._lock:
                self._over = True
                self._loop.close()
            for job in (*self._waiting, *([self._current] if self._current else [])):
                job.fail(failure(SearchStatus.UNKNOWN_ERROR, "The browser was closed."))
            atexit.unregister(self.close)

    async def _serve(self) -> None:
        from search_core.provider_kit.playwright_mcp.session import Session  # the MCP SDK; see there

        while (job := await self._next()) is not None:
            self._session = Session(self._launch)
            await self._session.serve(job, self._next)
            self._session = None

    async def _next(self) -> Job | None:
        """Return the next job that has a caller, or None after the longest idle time, or when no more jobs are taken."""
        self._idle = False
        timer = self._loop.call_later(self._idle_s, self._be_idle)
        try:
            while True:
                with self._lock:
                    job = self._first_wanted()
                    if job is not None or self._over:
                        return job
                    if self._idle:
                        self._over = True
                        return None
                    self._woken.clear()
                await self._woken.wait()
        finally:
            timer.cancel()

    def _first_wanted(self) -> Job | None:
        while self._waiting and not self._over:
            job = self._waiting.popleft()
            if not job.over:
                self._current = job
                if self._watch is not None:
                    self._watch.cancel()
                # The caller keeps time as well; this is for jobs without one.
                self._watch = self._loop.call_later(max(job.deadline_s - time.monotonic(), 0), self._expire, job)
                return job
        return None

    def _be_idle(self) -> None:
        self._idle = True
        self._woken.set()

    def _expire(self, job: Job) -> None:
        if not job.over:
            job.fail(failure(SearchStatus.TIMEOUT, "The browser did not get its answer in time."))
            self._abandon(job)

    def _abandon(self, job: Job) -> None:
        if job is self._current and self._session is not None:
            self._session.stop()

    def _stop(self) -> None:
        self._woken.set()
        if self._session is not None:
            self._session.stop()
