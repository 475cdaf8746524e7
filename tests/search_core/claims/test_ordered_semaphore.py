from __future__ import annotations

import asyncio

from search_core.claims.workflow import OrderedSemaphore


def test_slots_are_granted_in_the_order_of_enqueueing():
    """Earlier claims get their slot first, a released one passes on, one that gives up or releases twice delays none."""

    async def scenario() -> None:
        slots = OrderedSemaphore(2)
        for number in range(1, 7):
            slots.enqueue(number)
        slots.release(3)
        waiting = {number: asyncio.create_task(slots.wait(number)) for number in (6, 5, 4, 2, 1)}
        granted = []
        for ended in (2, 2, 1, 4):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            granted.append([number for number, task in sorted(waiting.items()) if task.done()])
            slots.release(ended)
        assert granted == [[1, 2], [1, 2, 4], [1, 2, 4], [1, 2, 4, 5]]
        await asyncio.wait_for(waiting[6], 5)

    asyncio.run(scenario())
