"""Turns of the claims of one run: only so many are searched for at a time, and in their order."""

from __future__ import annotations

import asyncio


class Turns:
    """Gives so many turns at a time, in the order in which they were asked for; belongs to one event loop.

    Steps that DBOS starts in order may come to their work in another; a turn is asked for when the step is started.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._asked: dict[int, asyncio.Event] = {}
        """By the number of the claim; those whose event is set have their turn."""

    def ask(self, number: int) -> None:
        """Ask for a turn for a claim."""
        self._asked[number] = asyncio.Event()
        self._give()

    async def wait(self, number: int) -> None:
        """Wait for the turn that was asked for."""
        await self._asked[number].wait()

    def end(self, number: int) -> None:
        """End the turn of a claim, or its waiting for one; once is enough."""
        if self._asked.pop(number, None) is not None:
            self._give()

    def _give(self) -> None:
        for event in list(self._asked.values())[: self._at_once]:
            event.set()
