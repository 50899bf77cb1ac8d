"""The main job on real workflows: plan, approval, tasks, verification, gate, merge."""

import asyncio

import pytest

from domain.agents import StopReason
from domain.commands import Abort, Retry
from domain.errors import NotShownError, ForbiddenError
from domain.ports import AgentAnswer, AgentCall
from tests.fakes import done, ended
from tests.workflows.conftest import House

THREE = {
    "summary": "three tasks",
    "tasks": [
        {"id": "task-1", "title": "one", "verification": [{"type": "command", "command": "make"}]},
        {"id": "task-2", "title": "two"},
        {"id": "task-3", "title": "three", "depends_on": ["task-1", "task-2"]},
    ],
}


async def test_main_job_from_goal_to_merge(house: House) -> None:
    house.verifier.failures["make"] = 1
    planning = asyncio.Event()

    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.role == "planner":
            await planning.wait()
            return ended()
        return done()

    house.runner.play = play
    thread = await house.open()
    proposed = await house.proposed(thread.id, THREE)
    planning.set()
    await house.approve(thread.id, proposed)
    for task in ("task-1", "task-2", "task-3"):
        gate = await house.seen(f"{thread.id}/{task}", "gate_opened")
        await house.approve(f"{thread.id}/{task}", gate)
    completed = await house.seen(thread.id, "plan_completed")

    assert completed.body.final_status == "completed"
    assert sorted(house.workspaces.merged[:2]) == ["task-1", "task-2"]
    assert house.workspaces.merged[2] == "task-3"
    assert house.verifier.ran == ["make", "make"]
    assert house.runner.prompts("task").count("verification-failed") == 1


__all__ = ["Abort", "ForbiddenError", "NotShownError", "Retry", "StopReason", "pytest"]
