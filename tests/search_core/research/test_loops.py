from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator

import pytest

from search_core.research.loops import iterate_on, run_on
from search_core.runtime import LoopThread
from tests.search_core.research.acting import PATIENCE_S


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    loop = LoopThread()
    yield loop
    loop.close()


def test_work_is_done_on_the_other_loop(loop: LoopThread):
    """Its result and its error come back here."""

    async def name() -> str:
        return threading.current_thread().name

    async def fail() -> str:
        raise ZeroDivisionError

    assert asyncio.run(run_on(loop, name)) == "maekrak-loop"
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_on(loop, fail))


def test_cancelling_here_cancels_there(loop: LoopThread):
    """What is under way on the other loop cleans up."""
    begun, cleaned = threading.Event(), threading.Event()

    async def hang() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    async def cancelled() -> None:
        task = asyncio.create_task(run_on(loop, hang))
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    assert cleaned.wait(PATIENCE_S)


def test_values_come_in_order_and_then_the_error(loop: LoopThread):
    """Nothing of what was told before the error is lost."""

    async def values() -> AsyncGenerator[int]:
        for value in range(500):
            yield value
        raise ZeroDivisionError

    seen = []

    async def read() -> None:
        async for value in iterate_on(loop, values()):
            seen.append(value)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(read())
    assert seen == list(range(500))


def test_leaving_closes_the_values_there(loop: LoopThread):
    """Who has had enough lets go of what the other side holds."""
    closed = threading.Event()

    async def values() -> AsyncGenerator[int]:
        try:
            while True:
                yield 1
                await asyncio.sleep(0)
        finally:
            closed.set()

    async def first() -> int:
        reading = iterate_on(loop, values())
        try:
            return await anext(reading)
        finally:
            await reading.aclose()

    assert asyncio.run(first()) == 1
    assert closed.wait(PATIENCE_S)
