"""Events of the loop thread for those who are not on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from queue import SimpleQueue
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
        self._waiting: SimpleQueue[tuple[T] | None] = SimpleQueue()
        """None stands behind the last event."""
        self._room = asyncio.Semaphore(ahead)
        self._ended = False
        self._task = loop.run(self._start())

    async def _start(self) -> asyncio.Task[None]:
        task = asyncio.create_task(self._pump())
        task.add_done_callback(lambda _: self._waiting.put(None))
        return task

    async def _pump(self) -> None:
        async with aclosing(self._events) as events:
            async for event in events:
                await self._room.acquire()
                self._waiting.put((event,))

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        event = None if self._ended else self._waiting.get()
        if self._ended:
            raise StopIteration
        if event is None:
            self._ended = True
            if not self._task.cancelled():
                self._task.result()
            raise StopIteration
        with suppress(RuntimeError):  # the loop is closed, and nobody waits for room
            self._loop.call(self._room.release)
        return event[0]

    def close(self) -> None:
        """Stop the generator, wait until it has let go of what it holds, and end the iteration; a second time does nothing."""
        self._ended = True
        if not self._loop.closed:
            self._loop.run(self._stop(), timeout_s=STOPS_WITHIN_S)

    async def _stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
