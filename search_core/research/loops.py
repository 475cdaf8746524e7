"""Calls from the loop that works on runs to the one on which searching, reading and writing run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeVar

from search_core.runtime import LoopThread

T = TypeVar("T")


async def run_on(loop: LoopThread, work: Callable[[], Awaitable[T]]) -> T:
    """Run *work* on *loop* and return its result; cancelling cancels it there."""

    async def run() -> T:
        return await work()

    return await asyncio.wrap_future(loop.start(run()))


async def iterate_on(loop: LoopThread, values: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Run the generator *values* on *loop* and yield its values; closing closes it there. Its error comes after its values."""
    caller_loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[tuple[T] | None] = asyncio.Queue()

    async def pump() -> None:
        try:
            async with aclosing(values):
                async for value in values:
                    caller_loop.call_soon_threadsafe(waiting.put_nowait, (value,))
        finally:
            if not caller_loop.is_closed():
                caller_loop.call_soon_threadsafe(waiting.put_nowait, None)

    pumping = loop.start(pump())
    try:
        while (value := await waiting.get()) is not None:
            yield value[0]
        await asyncio.wrap_future(pumping)
    finally:
        pumping.cancel()
