"""One call of a tool: a thread works on it, progress is reported, and it ends before the client gives up."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from search_core.runtime import run_in_thread

T = TypeVar("T")
Stopped = Callable[[], Awaitable[None]]
"""Returns when the server stops."""
Report = Callable[[float, float, str], Awaitable[None]]
"""Tells the client how many seconds of how many have gone, and in words what is being done."""
LOOK_S = 0.5
"""Between two looks at something that goes on."""
STOPPING_S = 5.0
"""How long what was stopped is waited for."""
MAX_CALLS = 64
"""Calls of one process that are worked on at the same time; each has a thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Says how long calls take, in seconds."""

    work_s: float = 25.0
    """Within this a tool returns what it has, or how to go on."""
    given_up_s: float = 29.0
    """After this a call that has not returned is given up."""
    beat_s: float = 4.0
    """How often the client gets progress of a running call, in seconds; on a busy machine it gets it within five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whose agent calls."""

    owner: str = ""
    """The name of its token; empty where the caller is the user of this machine."""
    may_read_files: bool = False
    """Whether a video may be named by a path of this machine."""


TOO_LATE = "The call took too long and was given up. Call again; what was prepared meanwhile is kept."
ENDS = "The server stops. Call again in a moment; runs go on under their ids."
BUSY = "The server works on as many calls as it can. Call again in a few seconds."


class CallRefusedError(Exception):
    """Says to the agent why its call was not worked on, or not to its end: ``TOO_LATE``, ``ENDS`` or ``BUSY``."""


class Call:
    """One call while it is worked on; safe to use from any thread."""

    def __init__(self, caller: Caller, work_s: float, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.caller = caller
        self.message = ""
        """What is being done, in one sentence."""
        self._monotonic = monotonic
        self._ends_at = monotonic() + work_s
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self._cancelled = threading.Event()

    @property
    def left_s(self) -> float:
        """Return the seconds that are left for the work, 0 when it has to return."""
        return max(0.0, self._ends_at - self._monotonic())

    @property
    def cancelled(self) -> bool:
        """Return whether the call was cancelled."""
        return self._cancelled.is_set()

    def report(self, message: str) -> None:
        """Note what is being done."""
        self.message = message

    def look_until(self, look: Callable[[], T], ended: Callable[[T], bool], wait_s: float) -> T:
        """Return what *look* sees when it has *ended*, after *wait_s* seconds, or when the call has to return."""
        until = max(0.0, self.left_s - wait_s)
        while True:
            seen = look()
            if ended(seen) or self.left_s <= until or self.cancelled:
                return seen
            self._cancelled.wait(min(LOOK_S, self.left_s))

    @contextmanager
    def stop_with(self, stop: Callable[[], object]) -> Iterator[None]:
        """Have *stop* called when the call is cancelled while the block runs, at once when it was."""
        with self._lock:
            self._stops.append(stop)
            cancelled = self.cancelled
        if cancelled:
            stop()
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)

    def cancel(self) -> None:
        """Stop the work; a second time does nothing."""
        with self._lock:
            stops = () if self.cancelled else tuple(self._stops)
            self._cancelled.set()
        for stop in stops:
            stop()


class CallRunner:
    """Works on calls, each on a thread of its own; for one event loop."""

    def __init__(self, timing: Timing, stopped: Stopped | None = None, *, most: int = MAX_CALLS) -> None:
        self.timing = timing
        self._stopped = stopped or _never
        self._most = most
        self._running = 0

    async def run(self, work: Callable[[Call], T], caller: Caller, report: Report) -> T:
        """Return what *work* returns; cancelling cancels its call.

        Raises CallRefusedError and what *work* raises.
        """
        if self._running >= self._most:
            raise CallRefusedError(BUSY)
        call = Call(caller, self.timing.work_s)
        done = asyncio.wrap_future(run_in_thread(partial(work, call), "agent-call"))
        done.add_done_callback(_retrieve)
        ending = asyncio.ensure_future(self._stopped())
        self._running += 1
        try:
            return await self._wait(done, ending, call, report)
        finally:
            self._running -= 1
            ending.cancel()
            call.cancel()

    async def _wait(self, done: asyncio.Future[T], ending: asyncio.Future[None], call: Call, report: Report) -> T:
        loop = asyncio.get_running_loop()
        begun, timing = loop.time(), self.timing
        either: set[asyncio.Future[Any]] = {done, ending}
        while True:
            gone = loop.time() - begun
            if gone >= timing.given_up_s:
                raise CallRefusedError(TOO_LATE)
            waits_s = min(timing.beat_s, timing.given_up_s - gone)
            await asyncio.wait(either, timeout=waits_s, return_when=asyncio.FIRST_COMPLETED)
            if done.done():
                return done.result()
            if ending.done():
                raise CallRefusedError(ENDS)
            await report(round(loop.time() - begun, 1), timing.given_up_s, call.message)


async def _never() -> None:
    await asyncio.Event().wait()


def _retrieve(ended: asyncio.Future[T]) -> None:
    """Take the error of abandoned work, which asyncio would report otherwise."""
    if not ended.cancelled():
        ended.exception()
