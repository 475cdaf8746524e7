from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from search_core.runtime import Lazy, LoopThread, Stopwatch


@pytest.fixture
def loop():
    thread = LoopThread()
    yield thread
    thread.close()


def test_a_coroutine_runs_on_the_loop_thread(loop: LoopThread):
    """The result comes back, and the work is done on the thread that owns the loop."""

    async def where() -> str:
        return threading.current_thread().name

    assert loop.run(where()) == "maekrak-loop"


def test_an_exception_comes_back(loop: LoopThread):
    """What the coroutine raises is raised to the caller."""

    async def fail() -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        loop.run(fail())


def test_cancelling_the_future_reaches_the_task(loop: LoopThread):
    """A cancelled future cancels the coroutine where it waits, so that it can clean up."""
    waiting, cleaned = threading.Event(), threading.Event()

    async def wait() -> None:
        try:
            waiting.set()
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    future = loop.start(wait())
    assert waiting.wait(5)
    future.cancel()
    assert cleaned.wait(5)
    with pytest.raises(CancelledError):
        future.result(5)


def test_running_out_of_time_cancels_the_task(loop: LoopThread):
    """``run`` with a timeout raises TimeoutError and leaves nothing under way."""
    cleaned = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    with pytest.raises(TimeoutError):
        loop.run(wait(), timeout_s=0.05)
    assert cleaned.wait(5)


def test_closing_cancels_what_is_under_way():
    """``close`` cancels running coroutines and ends the thread; closing twice does no harm."""
    loop, waiting, cleaned = LoopThread(), threading.Event(), threading.Event()

    async def wait() -> None:
        try:
            waiting.set()
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    loop.start(wait())
    assert waiting.wait(5)
    loop.close()
    loop.close()
    assert cleaned.is_set()
    assert not any(
        thread.name == "maekrak-loop" and thread is loop._thread and thread.is_alive() for thread in threading.enumerate()
    )


def test_a_stopwatch_adds_up():
    """Two timed blocks give a total no smaller than either."""
    watch = Stopwatch()
    with watch:
        first = sum(range(1000))
    once = watch.total_ms
    with watch:
        first += sum(range(1000))
    assert 0 < once < watch.total_ms


def test_something_lazy_is_made_once_for_all_who_ask():
    """Threads that ask at the same moment get the one thing; what could not be made is tried anew."""
    made: list[int] = []
    all_ask = threading.Barrier(8)

    def make() -> list[int]:
        made.append(len(made))
        if len(made) == 1:
            raise OSError("not yet")
        return [len(made)]

    lazy = Lazy(make)
    with pytest.raises(OSError, match="not yet"):
        lazy()
    assert lazy.made is None
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: (all_ask.wait(5), lazy())[1], range(8)))
    assert all(each is given[0] for each in given)
    assert made == [0, 1]
    assert lazy.made is given[0]
