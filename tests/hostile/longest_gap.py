"""How long one piece of work lets nobody else run: the threads of the process, and what shares an event loop with it.

Only processor time of one thread counts: that a machine is busy with other things is not the fault of the work.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

TICK_S = 0.01


@dataclass
class Gaps:
    """Holds the longest times, in seconds, in which others had to wait."""

    threads: float = 0.0
    """Of any other thread: something held the lock of the interpreter."""
    loops: float = 0.0
    """Of what shares an event loop: something computed on it."""

    @property
    def longest(self) -> float:
        return max(self.threads, self.loops)


def least_gaps(work: Callable[[], object], loops: list[asyncio.AbstractEventLoop], *, bar_s: float, tries: int = 3) -> Gaps:
    """Return the gaps beside *work*; done again where they are above *bar_s*, for what is not its fault does not come again."""
    found: list[Gaps] = []
    while len(found) < tries and (not found or found[-1].longest > bar_s):
        with watched(loops) as gaps:
            work()
        found.append(gaps)
    return min(found, key=lambda gaps: gaps.longest)


@contextmanager
def watched(loops: list[asyncio.AbstractEventLoop]) -> Iterator[Gaps]:
    """Watch all threads and *loops* during the block; the gaps are whole when it has ended."""
    gaps, over = Gaps(), threading.Event()
    with ExitStack() as stack:
        ticker = threading.Thread(target=_watch_threads, args=(gaps, over), daemon=True)
        ticker.start()
        stack.callback(ticker.join)
        for loop in loops:
            stack.callback(asyncio.run_coroutine_threadsafe(_watch_loop(gaps, over), loop).result)
        stack.callback(over.set)
        yield gaps


def _watch_threads(gaps: Gaps, over: threading.Event) -> None:
    at, used = time.perf_counter(), _processor_time()
    while not over.is_set():
        time.sleep(TICK_S)
        now, using = time.perf_counter(), _processor_time()
        most = max((spent - used.get(thread, 0.0) for thread, spent in using.items()), default=0.0)
        gaps.threads = max(gaps.threads, min(now - at, most))
        at, used = time.perf_counter(), using


async def _watch_loop(gaps: Gaps, over: threading.Event) -> None:
    at = time.thread_time()
    while not over.is_set():
        await asyncio.sleep(TICK_S)
        gaps.loops = max(gaps.loops, time.thread_time() - at)
        at = time.thread_time()


def _processor_time() -> dict[int, float]:
    """Return the processor time that each other thread of this process has used, by its id."""
    used = {}
    for thread in threading.enumerate():
        if thread.ident is not None and thread is not threading.current_thread():
            try:
                used[thread.ident] = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
            except OSError:  # it has just ended
                continue
    return used
