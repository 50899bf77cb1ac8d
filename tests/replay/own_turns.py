"""A scenario of an agent that takes a turn without a message, to be recorded."""

from domain.plans.settings import PlannerSettings
from domain.threads.patches import OWN_TURNS
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

ALSO = {"coordinator": "{thread}/session-2"}
"""What is recorded beside the thread: by the name of its file, the workflow's id."""


async def own_turn(house: House) -> str:
    """A task that fails, and the turn that the thread's agent takes a second later because of it."""
    house.verifier.failures["make"] = 9
    planner = PlannerSettings(own_turns_wait_seconds=1)
    thread = (await house.open(patches=(OWN_TURNS,), planner=planner)).id
    await house.approve(thread, await house.proposed(thread, ONE))
    await house.seen(thread, "own_turn_ended")
    return thread
