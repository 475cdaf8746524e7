"""Events of the loop thread for those who are not on it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import CancelledError
from contextlib import aclosing
from typing import Generic, TypeVar

from search_core.runtime import LoopThread

T = TypeVar("T")

MAX_AHEAD = 256
"""Events waiting to be read; who writes them waits when there are more."""
STOPS_WITHIN_S = 5.0


class EventStream(Generic[T]):
    """Iterates over what an asynchronous generator yields, from any one thread; another may close it meanwhile.

    The generator runs as one task on the loop thread and starts at once. Its error is raised after the events before it.
    """

    def __init__(self, loop: LoopThread, events: AsyncGenerator[T], *, ahead: int = MAX_AHEAD) -> None:
        self._loop = loop
        self._events = events
        self._waiting: deque[T] = deque()
        self._read: deque[T] = deque()
        self._room = asyncio.Semaphore(ahead)
        self._news = asyncio.Event()
        self._ended = False
        self._told = False
        self._task = loop.run(self._begin())

    async def _begin(self) -> asyncio.Task[None]:
        return asyncio.create_task(self._pump())

    async def _pump(self) -> None:
        try:
            async with aclosing(self._events) as events:
                async for event in events:
                    await self._room.acquire()
                    self._waiting.append(event)
                    self._news.set()
        finally:
            self._end()

    def _end(self) -> None:
        self._ended = True
        self._news.set()

    async def _batch(self) -> list[T]:
        """Return what is there, waiting for it; nothing when there is no more. Raises, once, what the generator has raised."""
        await self._news.wait()
        batch = list(self._waiting)
        self._waiting.clear()
        for _ in batch:
            self._room.release()
        if not self._ended:
            self._news.clear()
        elif not batch and not self._told:
            self._told = True
            await self._task
        return batch

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if not self._read and not self._loop.closed:
            try:
                self._read.extend(self._loop.run(self._batch()))
            except CancelledError:  # the loop is being closed
                raise StopIteration from None
        if self._read:
            return self._read.popleft()
        raise StopIteration

    def close(self) -> None:
        """Stop the generator, wait until it has let go of what it holds, and end the iteration; a second time does nothing."""
        if not self._loop.closed:
            self._loop.run(self._stop(), timeout_s=STOPS_WITHIN_S)

    async def _stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._waiting.clear()
        self._told = True
        self._end()
