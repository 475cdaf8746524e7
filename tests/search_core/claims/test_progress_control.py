from __future__ import annotations

import asyncio

from search_core.claims.progress_control import ProgressControl
from search_core.domain import ClaimCheck, ClaimState
from search_core.durable_runs.control import Command, CommandKind
from tests.search_core.claims.acting import CLAIMS
from tests.search_core.research.acting import PATIENCE_S


def progress(number: int, state: ClaimState) -> ClaimCheck:
    return ClaimCheck(claim=CLAIMS[number - 1], state=state)


def test_progress_is_returned_together_the_newest_of_each_claim():
    """Of each claim only its newest progress is returned, and once."""

    async def scenario() -> None:
        control = ProgressControl()
        waiting = asyncio.create_task(control.wait_for_news(0))
        await asyncio.sleep(0)
        for check in (progress(1, ClaimState.SEARCHING), progress(2, ClaimState.SEARCHING), progress(1, ClaimState.READING)):
            control.add_check(check)
        assert await waiting == ([], [progress(1, ClaimState.READING), progress(2, ClaimState.SEARCHING)])
        control.close()
        assert await control.wait_for_news(0) == ([], [])

    asyncio.run(asyncio.wait_for(scenario(), PATIENCE_S))


def test_a_command_does_not_wait_for_progress():
    """It is returned at once with the progress so far, and stops what is under way."""

    async def scenario() -> None:
        control = ProgressControl()
        control.add_check(progress(1, ClaimState.READING))
        stop = Command(number=1, kind=CommandKind.STOP)
        control.receive([stop])
        waiting = control.wait_for_news(0)
        assert await asyncio.wait_for(waiting, PATIENCE_S) == ([stop], [progress(1, ClaimState.READING)])
        assert control.stop.is_set()
        assert control.finish.is_set()

    asyncio.run(scenario())
