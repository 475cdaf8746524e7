from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from search_core.runtime import (
    COMPUTING_AT_ONCE,
    GilYielder,
    Lazy,
    LoopSignal,
    LoopThread,
    Recent,
    computing,
    run_on,
    waiting,
)


@pytest.fixture
def loop():
    thread = LoopThread()
    yield thread
    thread.close()


def test_a_coroutine_runs_on_the_loop_thread(loop: LoopThread):
    """The result and the error come back, to a thread and to another loop; the work is done on the loop's own thread."""

    async def where() -> str:
        return threading.current_thread().name

    async def fail() -> None:
        raise ValueError("wrong")

    assert loop.run(where()) == asyncio.run(run_on(loop, where)) == "maekrak-loop"
    with pytest.raises(ValueError, match="wrong"):
        loop.run(fail())
    with pytest.raises(ValueError, match="wrong"):
        asyncio.run(run_on(loop, fail))


class Endless:
    """Work that waits for ever, and tells when it has begun and when it has cleaned up."""

    def __init__(self) -> None:
        self.begun, self.cleaned = threading.Event(), threading.Event()

    async def __call__(self) -> None:
        try:
            self.begun.set()
            await asyncio.Event().wait()
        finally:
            self.cleaned.set()


def test_cancelling_the_future_reaches_the_task(loop: LoopThread):
    """A cancelled future, a time that has run out and cancelling on another loop cancel the coroutine, which cleans up."""
    work = Endless()
    future = loop.start(work())
    assert work.begun.wait(5)
    future.cancel()
    assert work.cleaned.wait(5)
    with pytest.raises(CancelledError):
        future.result(5)
    late = Endless()
    with pytest.raises(TimeoutError):
        loop.run(late(), timeout_s=0.05)
    assert late.cleaned.wait(5)
    elsewhere = Endless()

    async def cancelled() -> None:
        task = asyncio.create_task(run_on(loop, elsewhere))
        await asyncio.to_thread(elsewhere.begun.wait, 5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    assert elsewhere.cleaned.wait(5)


def test_closing_cancels_what_is_under_way():
    """``close`` cancels running coroutines and ends the thread; closing twice does no harm."""
    before, loop, work = set(threading.enumerate()), LoopThread(), Endless()
    loop.start(work())
    assert work.begun.wait(5)
    loop.close()
    loop.close()
    assert work.cleaned.is_set()
    assert set(threading.enumerate()) <= before


def test_something_lazy_is_made_once_for_all_who_ask():
    """Threads that ask at the same moment get the one thing; what could not be made is tried anew."""
    made: list[int] = []
    all_ask, twice = threading.Barrier(8), threading.Event()

    def make() -> list[int]:
        made.append(len(made))
        if len(made) == 1:
            raise OSError("not yet")
        if len(made) > 2:
            twice.set()
        twice.wait(0.1)  # while one thread makes it, another that does not wait would make it, too
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


class Numbers:
    """Yields two numbers, then fails, or waits for ever; tells when it was closed."""

    def __init__(self, *, waits: bool) -> None:
        self.closed, self._waits = threading.Event(), waits

    async def __call__(self) -> AsyncGenerator[int]:
        try:
            yield 0
            yield 1
            if self._waits:
                await asyncio.Event().wait()
            raise ZeroDivisionError
        finally:
            self.closed.set()


@pytest.mark.parametrize("closes", ["reading", "loop"])
def test_nothing_is_under_way_once_a_reading_is_closed(loop: LoopThread, closes: str):
    """Closing the reading, or its loop, stops the generator before it returns; nothing is read after that."""
    numbers = Numbers(waits=True)
    reading = loop.iterate(numbers())
    assert [next(reading), next(reading)] == [0, 1]
    (loop if closes == "loop" else reading).close()
    assert numbers.closed.is_set()
    assert list(reading) == []


def test_a_signal_wakes_listeners_on_every_loop(loop: LoopThread):
    """Listeners on other loops are woken each time, those that left are removed, and a closed loop does no harm."""
    signal, waiting_again = LoopSignal(), threading.Event()

    async def listen() -> int:
        with signal.listen() as news:
            for _ in range(2):
                waiting_again.set()
                await news.wait()
                news.clear()
        return signal.listeners

    gone = asyncio.new_event_loop()
    lost = gone.create_task(listen())
    gone.call_soon(gone.stop)
    gone.run_forever()
    gone.close()
    waiting_again.clear()
    waiting = loop.start(listen())
    for _ in range(2):
        assert waiting_again.wait(5)
        waiting_again.clear()
        signal.set()
    assert waiting.result(5) == 1
    assert not lost.done()


class PlayedTime:
    """A clock that only sleeping and computing move; each sleep takes *late_s* longer, as when another thread has the lock."""

    def __init__(self, late_s: float = 0.0) -> None:
        self.now = 100.0
        self.late_s = late_s
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds + self.late_s

    def compute(self, steps: int) -> None:
        """Compute for a millisecond a step, giving way before each."""
        turns = GilYielder(lambda: self.now, self.sleep)
        for _ in range(steps):
            turns.give_way()
            self.now += 0.001


@pytest.mark.parametrize(("late_s", "steps", "slept"), [(0.0, 12, [0.0002, 0.0002]), (0.002, 7, [0.0002, 0.005])])
def test_a_thread_gives_others_as_much_time_as_it_took(late_s: float, steps: int, slept: list[float]):
    """It asks after each five milliseconds of work, goes on at once where none waits, and else pauses for five milliseconds."""
    played = PlayedTime(late_s)
    played.compute(steps)
    assert played.slept == slept


def test_few_threads_compute_at_once():
    """One more begins when another waits for something, and waits itself until then; none is left out in the end."""
    begun, wait, go_on = threading.Semaphore(0), threading.Event(), threading.Event()

    def work(_: int) -> None:
        with computing():
            begun.release()
            assert wait.wait(10)
            with waiting():
                assert go_on.wait(10)

    with ThreadPoolExecutor(COMPUTING_AT_ONCE + 2) as threads:
        works = [threads.submit(work, number) for number in range(COMPUTING_AT_ONCE + 2)]
        assert all(begun.acquire(timeout=10) for _ in range(COMPUTING_AT_ONCE))
        assert not begun.acquire(timeout=0.05)
        wait.set()
        assert all(begun.acquire(timeout=10) for _ in range(2))
        go_on.set()
        for each in works:
            each.result()


def test_the_value_used_longest_ago_makes_room():
    """Asking for a value counts as using it; one put again takes its room once, and one beyond all the room is not kept."""
    recent: Recent[str, int] = Recent(6, size=len)
    for key in ("aa", "bb", "aa", "cc"):
        recent.put(key, ord(key[0]))
    recent.put("too long", 0)
    assert [recent.get(key) for key in ("too long", "cc", "bb", "aa")] == [None, 99, 98, 97]
    recent.put("dddd", 100)
    assert [recent.get(key) for key in ("aa", "bb", "cc", "dddd")] == [97, None, None, 100]
