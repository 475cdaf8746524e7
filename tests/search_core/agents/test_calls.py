"""Calls of tools: their time."""

from __future__ import annotations

import asyncio

from search_core.agents.replies import Call, Timing


def test_looking_ends_with_what_is_looked_at_or_with_the_time():
    """What has ended is returned at once; else the last look, when the time that was asked for, or the call's, is over."""
    looks: list[int] = []

    async def look(work_s: float, wait_s: float, last: int) -> int:
        looks.clear()

        def see() -> int:
            looks.append(len(looks))
            return len(looks)

        return await Call("", Timing(work_s=work_s, look_s=0.001)).look_until(see, lambda seen: seen == last, wait_s)

    assert asyncio.run(look(60, 60, 3)) == 3
    assert asyncio.run(look(60, 0, 3)) == 1
    assert asyncio.run(look(0, 60, 3)) == 1
