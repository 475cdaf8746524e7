from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from search_core.runs.control import Interrupted, run_until
from tests.search_core.research.acting import PATIENCE_S


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
