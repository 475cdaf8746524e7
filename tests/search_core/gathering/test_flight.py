"""Sharing one request between callers."""

from __future__ import annotations

import asyncio

import pytest

from search_core.gathering.flight import SingleFlight, cancel_tasks
from tests.search_core.gathering.scripted_providers import in_event_loop


class Work:
    """A request that waits for ``go``."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.started = self.cancelled = 0

    async def __call__(self) -> str:
        self.started += 1
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return "answer"


@in_event_loop
async def test_a_failure_reaches_all_callers_and_is_not_stored():
    """All callers get the exception; the next one tries again."""
    flights: SingleFlight[str] = SingleFlight()
    calls = 0

    async def fail() -> str:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0)
        raise ValueError(calls)

    outcomes = await asyncio.gather(*(flights.join("key", fail) for _ in range(3)), return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["1", "1", "1"]
    with pytest.raises(ValueError, match="2"):
        await flights.join("key", fail)


@in_event_loop
async def test_a_task_that_will_not_end_is_left_behind():
    """Cleaning up waits half a second, then returns the task that is still running."""
    release = asyncio.Event()

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    started = asyncio.get_running_loop().time()
    assert await cancel_tasks({task}) == {task}
    assert asyncio.get_running_loop().time() - started < 1.5
    release.set()
    await task


@in_event_loop
async def test_the_request_goes_on_until_its_last_caller_has_left():
    """The last gets the answer that the others did not wait for; when all have left it ends, and the next one asks anew."""
    flights: SingleFlight[str] = SingleFlight()
    work = Work()

    async def leave_early(callers: int, leaving: int) -> list[asyncio.Task[str]]:
        tasks = [asyncio.create_task(flights.join("key", work)) for _ in range(callers)]
        for _ in range(2):
            await asyncio.sleep(0)
        for task in tasks[:leaving]:
            task.cancel()
        await asyncio.wait(tasks[:leaving])
        return tasks[leaving:]

    await leave_early(2, 2)
    assert (work.started, work.cancelled) == (1, 1)
    others = await leave_early(3, 2)
    work.go.set()
    assert await asyncio.gather(*others) == ["answer"]
    assert (work.started, work.cancelled) == (2, 1)
