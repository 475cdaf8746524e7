"""Calls of tools: their time and their end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from search_core.agents.calls import Call, Caller, StillReadingError, Timing
from search_core.runtime import run_in_thread

ME = Caller(owner="minsu")


def test_what_was_begun_outlives_the_call():
    """A result that takes too long is left to the next call, and its later failure troubles nobody."""
    release = threading.Event()
    begun = run_in_thread(lambda: release.wait(60), "test")

    async def take(within_s: float) -> bool:
        return await Call(ME, Timing()).result(begun, within_s)

    with pytest.raises(StillReadingError):
        asyncio.run(take(0.02))
    release.set()
    assert asyncio.run(take(60))


def test_looking_ends_with_what_is_looked_at_or_with_the_time():
    """What has ended is returned at once; else the last look, when the time that was asked for, or the call's, is over."""
    looks: list[int] = []

    async def look(work_s: float, wait_s: float, last: int) -> int:
        looks.clear()

        def see() -> int:
            looks.append(len(looks))
            return len(looks)

        return await Call(ME, Timing(work_s=work_s, look_s=0.001)).look_until(see, lambda seen: seen == last, wait_s)

    assert asyncio.run(look(60, 60, 3)) == 3
    assert asyncio.run(look(60, 0, 3)) == 1
    assert asyncio.run(look(0, 60, 3)) == 1
