"""How long one piece of work lets nobody else run: another thread of the process, or what shares an event loop with it.

Only processor time of one thread counts: that a machine is busy with other things is not the fault of the work.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

TICK_S = 0.01


def longest_gap(work: Callable[[], object], loop: asyncio.AbstractEventLoop, *, bar_s: float, tries: int = 3) -> float:
    """Return the longest wait, in seconds, beside *work*; done again where it is above *bar_s*: chance does not come twice."""
    found: list[float] = []
    while len(found) < tries and (not found or found[-1] > bar_s):
        over = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            threads, turns = pool.submit(_watch_threads, over), asyncio.run_coroutine_threadsafe(_watch_loop(over), loop)
            try:
                work()
            finally:
                over.set()
            found.append(max(threads.result(), turns.result()))
    return min(found)


async def _watch_loop(over: threading.Event) -> float:
    longest, at = 0.0, time.thread_time()
    while not over.is_set():
        await asyncio.sleep(TICK_S)
        longest = max(longest, time.thread_time() - at)
        at = time.thread_time()
    return longest


def _watch_threads(over: threading.Event) -> float:
    longest, at, used = 0.0, time.perf_counter(), _processor_time()
    while not over.is_set():
        time.sleep(TICK_S)
        now, using = time.perf_counter(), _processor_time()
        most = max((spent - used.get(thread, 0.0) for thread, spent in using.items()), default=0.0)
        longest = max(longest, min(now - at, most))
        at, used = time.perf_counter(), using
    return longest


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
