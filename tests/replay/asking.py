"""Scenarios of agents that review and of agents that ask, to be recorded."""

from tests.workflows.conftest import House
from tests.workflows.test_questions import Asker, answering, question, start_task
from tests.workflows.test_reviews import APPROVE, CHANGES, MAKE, plan, review, says, started


async def reviewed_task(house: House) -> str:
    """A task whose review asks for changes once, and then approves."""
    task = await started(house, plan(MAKE, review()), says(CHANGES, APPROVE))
    await house.approve(task, await house.seen(task, "gate_opened"))
    thread = task.rpartition("/")[0]
    await house.seen(thread, "plan_completed")
    return thread


async def asked_permission(house: House) -> str:
    """A task whose agent asks for a permission that a person gives."""
    house.runner.play = Asker(house)
    task = await start_task(house)
    await house.send(task, answering(await question(house, task)))
    await house.approve(task, await house.seen(task, "gate_opened"))
    thread = task.rpartition("/")[0]
    await house.seen(thread, "plan_completed")
    return thread
