"""Turns of claims: so many at a time, in the order in which they were asked for."""

from __future__ import annotations

import asyncio

from search_core.claims.turns import Turns


def test_turns_are_given_in_the_order_of_asking():
    """Whoever comes first to its work waits for those that asked before, and an ended turn passes to the next of them."""

    async def scenario() -> None:
        turns = Turns(2)
        for number in (1, 2, 3, 4):
            turns.ask(number)
        waiting = {number: asyncio.create_task(turns.wait(number)) for number in (4, 3, 2, 1)}
        given = []
        for ended in (2, 1, 3):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            given.append([number for number, task in sorted(waiting.items()) if task.done()])
            turns.end(ended)
        assert given == [[1, 2], [1, 2, 3], [1, 2, 3, 4]]

    asyncio.run(scenario())


def test_one_that_gives_up_waiting_holds_up_nobody():
    """A claim that ends before its turn leaves it to the next; ending twice gives no turn away twice."""

    async def scenario() -> None:
        turns = Turns(1)
        for number in (1, 2, 3, 4):
            turns.ask(number)
        turns.end(2)
        turns.end(1)
        turns.end(1)
        await asyncio.wait_for(turns.wait(3), 5)
        fourth = asyncio.create_task(turns.wait(4))
        await asyncio.sleep(0)
        assert not fourth.done()
        turns.end(3)
        await asyncio.wait_for(fourth, 5)

    asyncio.run(scenario())
