"""Commands that come together wait for a place: few are on their way at once, and none is lost."""

import asyncio

import pytest

from api.core.admission import AT_ONCE, AT_ONCE_OF_A_THREAD, Admission
from api.core.problems import RefusedError


class Slow:
    """Commands on their way, each as long as it is not told to come back."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.under_way: list[str] = []
        self.most = 0
        self.answered: list[str] = []
        self.may_answer = asyncio.Event()
        self.arrived = asyncio.Semaphore(0)

    async def send(self, workflow_id: str) -> None:
        async with self.admission.place(workflow_id):
            self.under_way.append(workflow_id)
            self.most = max(self.most, len(self.under_way))
            self.arrived.release()
            await self.may_answer.wait()
            self.under_way.remove(workflow_id)
            self.answered.append(workflow_id)


async def test_sixty_approvals_at_once_are_all_answered_a_few_at_a_time():
    slow = Slow(Admission())
    names = [f"thread-{n}/task-1" for n in range(60)]
    sending = [asyncio.create_task(slow.send(name)) for name in names]
    for _ in range(AT_ONCE):
        await slow.arrived.acquire()
    slow.may_answer.set()
    await asyncio.gather(*sending)
    assert slow.most == AT_ONCE
    assert sorted(slow.answered) == sorted(names)


async def test_one_thread_does_not_hold_the_places_of_others():
    slow = Slow(Admission())
    crowd = [asyncio.create_task(slow.send(f"thread-a/task-{n}")) for n in range(20)]
    for _ in range(AT_ONCE_OF_A_THREAD):
        await slow.arrived.acquire()
    other = asyncio.create_task(slow.send("thread-b"))
    await slow.arrived.acquire()
    assert slow.under_way.count("thread-b") == 1
    assert len(slow.under_way) == AT_ONCE_OF_A_THREAD + 1
    slow.may_answer.set()
    await asyncio.gather(*crowd, other)
    assert len(slow.answered) == 21


async def test_more_than_may_wait_are_told_when_to_come_again_and_hold_nothing():
    slow = Slow(Admission(max_waiting=2))
    held = [asyncio.create_task(slow.send("thread-a")) for _ in range(AT_ONCE_OF_A_THREAD + 2)]
    for _ in range(AT_ONCE_OF_A_THREAD):
        await slow.arrived.acquire()
    with pytest.raises(RefusedError) as refused:
        await slow.send("thread-b")
    assert refused.value.problem.type == "treadle:too_many_commands"
    assert int(refused.value.headers["Retry-After"]) > 0
    held.pop().cancel()  # a client that went away
    await asyncio.sleep(0)
    slow.may_answer.set()
    await slow.send("thread-b")
    await asyncio.gather(*held)
    assert len(slow.answered) == AT_ONCE_OF_A_THREAD + 2
