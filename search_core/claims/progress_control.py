"""The commands and the progress of checks that a run of claims receives while it goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from search_core.domain import ClaimCheck
from search_core.durable_runs.control import Command, Control

TOGETHER_S = 0.15


class ProgressControl(Control):
    """Holds the commands and the progress of one run; belongs to the loop that works on it."""

    def __init__(self) -> None:
        super().__init__()
        self._progress: dict[int, ClaimCheck] = {}
        """The newest of each claim, by its number."""

    def add_check(self, check: ClaimCheck) -> None:
        """Add the progress of the check of a claim."""
        self._progress[check.claim.number] = check
        self._arrived.set()

    async def wait_for_news(self, after: int) -> tuple[list[Command], list[ClaimCheck]]:
        """Wait for commands above a number or for progress, and return them; neither once the control is closed.

        Progress that comes within ``TOGETHER_S`` is returned together: each piece of news costs a few transactions.
        """
        while not (self._closed or self._progress or self.after(after)):
            self._arrived.clear()
            await self._arrived.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(TOGETHER_S):
                while not (self._closed or self.after(after)):
                    self._arrived.clear()
                    await self._arrived.wait()
        progress, self._progress = list(self._progress.values()), {}
        return self.after(after), progress
