"""Calls of tools: their time, their progress and their end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from search_core.agents.calls import Call, Caller, StillReadingError, Timing
from search_core.runtime import run_in_thread

ME = Caller(owner="minsu")


async def _quiet(done: float, total: float, message: str) -> None:
    """Ignore progress."""


def test_a_call_that_goes_on_reports_progress():
    """Reports say how long it has taken and what is being done, until the result is there."""
    received: list[tuple[float, str]] = []
    enough = threading.Event()

    async def note(done: float, total: float, message: str) -> None:
        received.append((done, message))
        assert total == 60
        if len(received) == 3:
            enough.set()

    async def work() -> bool:
        call = Call(ME, note, Timing(given_up_s=60, beat_s=0.01))
        call.message = "Asking."
        return await call.run(lambda: enough.wait(60))

    assert asyncio.run(work())
    assert [message for _, message in received] == ["Asking."] * len(received)
    assert [done for done, _ in received] == sorted(done for done, _ in received)


def test_what_was_begun_outlives_the_call():
    """A result that takes too long is left to the next call, and its later failure troubles nobody."""
    release = threading.Event()
    begun = run_in_thread(lambda: release.wait(60), "test")

    async def take(within_s: float) -> bool:
        return await Call(ME, _quiet, Timing(beat_s=0.01)).result(begun, within_s)

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

        return await Call(ME, _quiet, Timing(work_s=work_s, beat_s=0.001)).look_until(see, lambda seen: seen == last, wait_s)

    assert asyncio.run(look(60, 60, 3)) == 3
    assert asyncio.run(look(60, 0, 3)) == 1
    assert asyncio.run(look(0, 60, 3)) == 1
