"""The slots of a host tell how they stand."""

import asyncio

from activities.slots import Slots


async def test_slots_tell_who_runs_and_who_waits_also_when_one_gives_up():
    slots, over = Slots(1), asyncio.Event()

    async def turn():
        async with slots:
            await over.wait()

    running, waiting, leaving = [asyncio.create_task(turn()) for _ in range(3)]
    await asyncio.sleep(0)
    assert (slots.running, slots.waiting) == (1, 2)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert (slots.running, slots.waiting) == (1, 1)
    over.set()
    await asyncio.gather(running, waiting)
    assert (slots.running, slots.waiting, slots.size) == (0, 0, 1)
