from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from search_core.durable_runs.control import Command, CommandKind, Control, Interrupted, run_until
from tests.search_core.research.acting import PATIENCE_S

FINISH, STOP = Command(number=1, kind=CommandKind.FINISH), Command(number=2, kind=CommandKind.STOP)


def run(scenario: Coroutine[Any, Any, object]) -> object:
    return asyncio.run(asyncio.wait_for(scenario, PATIENCE_S))


def test_interrupted_work_is_cancelled_or_never_begins():
    """A signal that comes cancels the work, whose clean-up runs first; with one that is set before, no step is done."""
    steps = []

    async def work() -> None:
        steps.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            steps.append("cleaned")

    async def interrupt(*, before: bool) -> None:
        signal = asyncio.Event()
        if before:
            signal.set()
        else:
            asyncio.get_running_loop().call_soon(signal.set)
        await run_until(work(), asyncio.Event(), signal)

    with pytest.raises(Interrupted):
        run(interrupt(before=True))
    assert steps == []
    with pytest.raises(Interrupted):
        run(interrupt(before=False))
    assert steps == ["begun", "cleaned"]


def test_work_returns_its_result_and_raises_its_error():
    """Work that ends by itself passes on what it returns or raises."""

    async def succeed() -> int:
        return 7

    async def fail() -> int:
        raise ZeroDivisionError

    assert asyncio.run(run_until(succeed(), asyncio.Event())) == 7
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_until(fail(), asyncio.Event()))


def test_commands_are_received_once_and_in_order():
    """A command received twice counts once; stopping includes finishing, and not the other way round."""

    async def scenario() -> None:
        control = Control()
        control.receive([FINISH])
        assert (control.finish.is_set(), control.stop.is_set()) == (True, False)
        control.receive([FINISH, STOP])
        assert control.stop.is_set()
        assert (control.after(0), control.after(1), control.last) == ([FINISH, STOP], [STOP], 2)
        stopped = Control()
        stopped.receive([STOP])
        assert stopped.finish.is_set()

    run(scenario())


def test_waiting_for_a_command_ends_with_one_or_when_the_control_closes():
    """A command that is there already is returned at once; closing returns none, and opening lets commands be waited for."""

    async def scenario() -> None:
        control = Control()
        waiting = asyncio.create_task(control.wait_after(0))
        await asyncio.sleep(0)
        control.receive([FINISH])
        assert await waiting == await control.wait_after(0) == [FINISH]
        waiting = asyncio.create_task(control.wait_after(1))
        await asyncio.sleep(0)
        control.close()
        assert await waiting == []
        control.open()
        waiting = asyncio.create_task(control.wait_after(1))
        await asyncio.sleep(0)
        assert not waiting.done()
        control.receive([STOP])
        assert await waiting == [STOP]

    run(scenario())
