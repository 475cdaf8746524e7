"""One call of a tool: whose it is, how long it may take, and how its client hears what is being done."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

from search_core.runtime import run_in_thread

T = TypeVar("T")
Report = Callable[[float, float, str], Awaitable[None]]
"""Tells the client how many seconds of how many have gone, and in words what is being done."""
STOPPING_S = 5.0
"""How long what was stopped is waited for."""
LOOK_S = 0.5
"""Between two looks at something that goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Says how long calls take, in seconds."""

    work_s: float = 25.0
    """Within this a tool returns what it has, or how to go on."""
    given_up_s: float = 29.0
    """After this a call that has not returned is given up."""
    beat_s: float = 4.0
    """How often the client gets progress of a running call; on a busy machine it gets it within five seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whose agent calls."""

    owner: str = ""
    """The name of its token; empty where the caller is the user of this machine."""
    may_read_files: bool = False
    """Whether a video may be named by a path of this machine."""


class StillReadingError(Exception):
    """Says that what was begun goes on when the call has to return."""


class Call:
    """One call while it is worked on; what blocks runs on threads, which are left behind when the call is cancelled."""

    def __init__(self, caller: Caller, report: Report, timing: Timing) -> None:
        self.caller = caller
        self.message = ""
        """What is being done, in one sentence."""
        self._report = report
        self._timing = timing
        self._begun = self._told_at = time.monotonic()

    @property
    def left_s(self) -> float:
        """Return the seconds that are left for the work, 0 when it has to return."""
        return max(0.0, self._begun + self._timing.work_s - time.monotonic())

    async def run(self, work: Callable[[], T]) -> T:
        """Return what *work* returns, done on a thread."""
        return await self.result(run_in_thread(work, "agent-call"))

    async def result(self, begun: Future[T], within_s: float = math.inf) -> T:
        """Return the result of what was *begun* on a thread; raises StillReadingError when that takes longer than *within_s*."""
        ends = time.monotonic() + within_s
        waiting = asyncio.wrap_future(begun)
        waiting.add_done_callback(_retrieve)
        while True:
            left = ends - time.monotonic()
            await asyncio.wait({waiting}, timeout=max(0.0, min(self._timing.beat_s, left)))
            if waiting.done():
                return waiting.result()
            if left <= 0:
                raise StillReadingError
            await self._tell()

    async def look_until(self, look: Callable[[], T], ended: Callable[[T], bool], wait_s: float) -> T:
        """Return what *look* sees when it has *ended*, after *wait_s* seconds, or when the call has to return."""
        until = max(0.0, self.left_s - wait_s)
        while True:
            seen = await self.run(look)
            if ended(seen) or self.left_s <= until:
                return seen
            await asyncio.sleep(min(LOOK_S, self._timing.beat_s))
            await self._tell()

    async def _tell(self) -> None:
        """Report progress where the client has not heard for a while."""
        now = time.monotonic()
        if now - self._told_at >= self._timing.beat_s:
            self._told_at = now
            await self._report(round(now - self._begun, 1), self._timing.given_up_s, self.message)


def _retrieve(ended: asyncio.Future[T]) -> None:
    """Take the error of abandoned work, which asyncio would report otherwise."""
    if not ended.cancelled():
        ended.exception()
