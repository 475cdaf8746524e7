from __future__ import annotations

import asyncio

from search_core.claims.ordered_semaphore import OrderedSemaphore


def test_slots_are_granted_in_the_order_of_enqueueing():
    """Whatever the order of waiting, earlier claims get their slot first, and a released one passes to the next."""

    async def scenario() -> None:
        slots = OrderedSemaphore(2)
        for number in (1, 2, 3, 4):
            slots.enqueue(number)
        waiting = {number: asyncio.create_task(slots.wait(number)) for number in (4, 3, 2, 1)}
        granted = []
        for ended in (2, 1, 3):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            granted.append([number for number, task in sorted(waiting.items()) if task.done()])
            slots.release(ended)
        assert granted == [[1, 2], [1, 2, 3], [1, 2, 3, 4]]

    asyncio.run(scenario())


def test_a_claim_that_gives_up_waiting_delays_none():
    """A claim that ends before its slot leaves it to the next; releasing twice grants no slot twice."""

    async def scenario() -> None:
        slots = OrderedSemaphore(1)
        for number in (1, 2, 3, 4):
            slots.enqueue(number)
        for number in (2, 1, 1):
            slots.release(number)
        await asyncio.wait_for(slots.wait(3), 5)
        fourth = asyncio.create_task(slots.wait(4))
        await asyncio.sleep(0)
        assert not fourth.done()
        slots.release(3)
        await asyncio.wait_for(fourth, 5)

    asyncio.run(scenario())
