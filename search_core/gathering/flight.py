"""Shares one request between callers that want the same answer at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")

CLEANUP_S = 0.5
"""How long a cancelled request may take to close its sockets before it is left behind."""


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Shares a running request between callers; it is cancelled when the last of them is. One event loop only."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    async def join(self, key: str, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the request under *key*, starting it by *start* when none is under way."""
        flight = self._flights.get(key)
        if flight is None or flight.task.done():
            flight = self._flights[key] = _Flight(asyncio.create_task(start()))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if flight.waiting == 0:
                if self._flights.get(key) is flight:
                    del self._flights[key]
                await cancel_tasks({flight.task})


async def cancel_tasks(tasks: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    """Cancel those of *tasks* that still run and return those that have not ended ``CLEANUP_S`` later."""
    running = {task for task in tasks if not task.done()}
    for task in running:
        task.cancel()
    if not running:
        return set()
    _, left_behind = await asyncio.wait(running, timeout=CLEANUP_S)
    return left_behind
