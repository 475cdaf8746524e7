"""One call of a tool: whose it is, and how long it may take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from search_core.runtime import run_in_thread

T = TypeVar("T")
STOPPING_S = 5.0
"""How long what was stopped is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Says how long calls take, in seconds; clients wait for a minute."""

    work_s: float = 45.0
    """Within this a tool returns what it has, or how to go on."""
    given_up_s: float = 55.0
    """After this a call that has not returned is given up."""
    look_s: float = 0.5
    """Between two looks at something that goes on."""


class Call:
    """One call while it is worked on; what blocks runs on threads, which are left behind when the call is cancelled."""

    def __init__(self, owner: str, timing: Timing) -> None:
        self.owner = owner
        """The name of the token of the agent that calls; empty where it is that of the user of this machine."""
        self._timing = timing
        self._begun = time.monotonic()

    @property
    def left_s(self) -> float:
        """Return the seconds that are left for the work, 0 when it has to return."""
        return max(0.0, self._begun + self._timing.work_s - time.monotonic())

    async def run(self, work: Callable[[], T]) -> T:
        """Return what *work* returns, done on a thread."""
        return await asyncio.wrap_future(run_in_thread(work, "agent-call"))

    async def look_until(self, look: Callable[[], T], ended: Callable[[T], bool], wait_s: float) -> T:
        """Return what *look* sees when it has *ended*, after *wait_s* seconds, or when the call has to return."""
        until = max(0.0, self.left_s - wait_s)
        while True:
            seen = await self.run(look)
            if ended(seen) or self.left_s <= until:
                return seen
            await asyncio.sleep(self._timing.look_s)
