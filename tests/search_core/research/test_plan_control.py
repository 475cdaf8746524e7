from __future__ import annotations

import asyncio

from search_core.research.steps import PlanControl
from search_core.runs.control import Command, CommandKind


def test_a_change_cuts_the_search_it_is_about():
    """Only that of its subtask, and only one that began before it."""

    async def changed() -> None:
        control = PlanControl()
        first, second = control.edit_signal(1, since=0), control.edit_signal(2, since=0)
        control.receive([Command(number=1, kind=CommandKind.EDIT, subtask=2, text="새 글")])
        assert (first.is_set(), second.is_set()) == (False, True)
        assert control.edit_signal(2, since=0).is_set()
        assert not control.edit_signal(2, since=1).is_set()

    asyncio.run(changed())
