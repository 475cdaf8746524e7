"""Bounds how many claims of one run are searched for at a time, in their order."""

from __future__ import annotations

import asyncio


class OrderedSemaphore:
    """Grants a bounded number of slots, in the order of ``enqueue``; belongs to one event loop.

    Steps that DBOS starts in order may begin their work in another: a slot is requested when the step is started.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._queue: dict[int, asyncio.Event] = {}
        """By the number of the claim; the event is set once its slot is granted."""

    def enqueue(self, number: int) -> None:
        """Request a slot for a claim."""
        self._queue[number] = asyncio.Event()
        self._grant()

    async def wait(self, number: int) -> None:
        """Wait for the slot of a claim."""
        await self._queue[number].wait()

    def release(self, number: int) -> None:
        """Release the slot of a claim, or cancel its request; a second time does nothing."""
        if self._queue.pop(number, None) is not None:
            self._grant()

    def _grant(self) -> None:
        for event in list(self._queue.values())[: self._at_once]:
            event.set()
