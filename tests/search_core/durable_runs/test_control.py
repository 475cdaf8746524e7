from __future__ import annotations

import asyncio

import pytest

from search_core.durable_runs.control import Command, CommandKind, Control, Interrupted, run_until
from tests.search_core.research.acting import PATIENCE_S


def command(number: int, kind: CommandKind, subtask: int = 0, text: str = "") -> Command:
    return Command(number=number, kind=kind, subtask=subtask, text=text)


def test_work_ends_as_soon_as_it_is_wanted_no_longer():
    """It is cancelled where it is, and its clean-up has run when that is told."""
    cleaned = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(True)

    async def interrupt() -> None:
        wanted_no_longer = asyncio.Event()
        asyncio.get_running_loop().call_soon(wanted_no_longer.set)
        await run_until(work(), asyncio.Event(), wanted_no_longer)

    with pytest.raises(Interrupted):
        asyncio.run(asyncio.wait_for(interrupt(), PATIENCE_S))
    assert cleaned == [True]


def test_work_that_is_wanted_no_longer_does_not_begin():
    """With the signal set before, not one step of it is done."""
    begun = []

    async def work() -> None:
        begun.append(True)

    async def interrupt() -> None:
        over = asyncio.Event()
        over.set()
        await run_until(work(), over)

    with pytest.raises(Interrupted):
        asyncio.run(interrupt())
    assert begun == []


def test_work_gives_its_result_and_its_error():
    """Nothing comes between work that ends by itself and who waits for it."""

    async def give() -> int:
        return 7

    async def fail() -> int:
        raise ZeroDivisionError

    assert asyncio.run(run_until(give(), asyncio.Event())) == 7
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_until(fail(), asyncio.Event()))


def test_commands_are_heard_once_and_in_order():
    """One that comes a second time is passed over; stopping is finishing, too, and not the other way round."""

    async def heard() -> None:
        control = Control()
        control.receive([command(1, CommandKind.FINISH)])
        assert (control.finish.is_set(), control.stop.is_set()) == (True, False)
        control.receive([command(1, CommandKind.FINISH), command(2, CommandKind.STOP)])
        assert control.stop.is_set()
        assert [each.number for each in control.after(0)] == [1, 2]
        assert [each.number for each in control.after(1)] == [2]
        assert control.last == 2

    asyncio.run(heard())


def test_who_waits_for_a_command_gets_it_or_hears_that_there_is_none():
    """Closing ends the waiting with nothing, a command that is there already comes at once."""

    async def waited() -> None:
        control = Control()
        waiting = asyncio.create_task(control.wait_after(0))
        await asyncio.sleep(0)
        control.receive([command(1, CommandKind.FINISH)])
        assert [each.number for each in await waiting] == [1]
        assert [each.number for each in await control.wait_after(0)] == [1]
        waiting = asyncio.create_task(control.wait_after(1))
        await asyncio.sleep(0)
        control.close()
        assert await waiting == []
        control.open()
        waiting = asyncio.create_task(control.wait_after(1))
        await asyncio.sleep(0)
        assert not waiting.done()
        control.receive([command(2, CommandKind.STOP)])
        assert [each.number for each in await waiting] == [2]

    asyncio.run(asyncio.wait_for(waited(), PATIENCE_S))
