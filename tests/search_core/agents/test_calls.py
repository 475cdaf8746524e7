"""Calls of tools: their time, their progress and their end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from search_core.agents.calls import BUSY, TOO_LATE, Call, Caller, CallRefusedError, CallRunner, Timing

QUICK = Timing(work_s=60, given_up_s=60, beat_s=0.01)
LATE = Timing(work_s=0.01, given_up_s=0.05, beat_s=0.01)
ME = Caller(owner="minsu")


async def _quiet(done: float, total: float, message: str) -> None:
    """Ignore progress."""


def test_progress_comes_within_five_seconds():
    """Between two reports a busy machine has a second to spare."""
    assert Timing().beat_s <= 4


def test_a_call_that_goes_on_reports_progress():
    """Progress reports say how long it has taken and what is being done, until the result is there."""
    received: list[tuple[float, str]] = []
    enough = threading.Event()

    async def note(done: float, total: float, message: str) -> None:
        received.append((done, message))
        assert total == 60
        if len(received) == 3:
            enough.set()

    def work(call: Call) -> str:
        call.report("Asking.")
        assert enough.wait(60)
        return call.caller.owner

    assert asyncio.run(CallRunner(QUICK).run(work, ME, note)) == "minsu"
    assert [message for _, message in received[1:3]] == ["Asking.", "Asking."]
    assert [done for done, _ in received] == sorted(done for done, _ in received)


def test_a_call_that_does_not_return_is_given_up():
    """Its client gets an answer all the same, and its work is stopped."""
    stopped = threading.Event()

    def work(call: Call) -> None:
        with call.stop_with(stopped.set):
            assert stopped.wait(60)

    with pytest.raises(CallRefusedError, match=TOO_LATE):
        asyncio.run(CallRunner(LATE).run(work, ME, _quiet))
    assert stopped.wait(60)


def test_leaving_and_stopping_end_the_work():
    """A client that leaves and a server that stops each end a call, and what it waits for."""
    for leaving in (True, False):
        begun, stopped, over = threading.Event(), threading.Event(), asyncio.Event()

        def work(call: Call, begun: threading.Event = begun, stopped: threading.Event = stopped) -> None:
            with call.stop_with(stopped.set):
                begun.set()
                assert stopped.wait(60)

        async def end(leaving: bool = leaving, begun: threading.Event = begun, over: asyncio.Event = over) -> None:
            task = asyncio.create_task(CallRunner(QUICK, over.wait).run(work, ME, _quiet))
            await asyncio.to_thread(begun.wait, 60)
            if leaving:
                task.cancel()
            else:
                over.set()
            await task

        with pytest.raises(asyncio.CancelledError if leaving else CallRefusedError):
            asyncio.run(end())
        assert stopped.is_set()


def test_more_calls_than_there_are_threads_for_are_refused():
    """One too many is told so at once, and the next one is taken when another has ended."""
    runner, release = CallRunner(QUICK, most=1), threading.Event()

    async def run() -> bool:
        first = asyncio.create_task(runner.run(lambda _: release.wait(60), ME, _quiet))
        await asyncio.sleep(0)
        with pytest.raises(CallRefusedError, match=BUSY):
            await runner.run(lambda _: True, ME, _quiet)
        release.set()
        return await first and await runner.run(lambda _: True, ME, _quiet)

    assert asyncio.run(run())


def test_what_is_stopped_before_it_is_awaited_is_stopped_at_once():
    """A stop that comes before there is anything to stop is not lost, and time that is left never falls below nothing."""
    now = [100.0]
    call = Call(ME, 10, monotonic=lambda: now[0])
    assert call.left_s == 10
    now[0] = 200.0
    assert call.left_s == 0
    call.cancel()
    call.cancel()
    stops: list[str] = []
    with call.stop_with(lambda: stops.append("stopped")):
        assert stops == ["stopped"]
