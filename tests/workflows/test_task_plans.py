"""Tasks that are planned first: by an agent, approved by another one or by a person."""

import json

from domain.agents.agents import AgentAnswer, AgentCall
from domain.tasks.agent_commands import ProposeTaskPlan
from tests import played_agents
from tests.workflows.conftest import House

STEPS = {"steps": ["Write the function.", "Test it."]}


def plan(approval: str) -> dict[str, object]:
    return {"tasks": [{"id": "task-1", "title": "one", "plan_approval": approval}]}


def said(text: str) -> AgentAnswer:
    return played_agents.ended().model_copy(update={"text": text})


def verdict(verdict: str, feedback: str = "") -> AgentAnswer:
    block = json.dumps({"verdict": verdict, "feedback": feedback})
    return said(f"I looked at it.\n\n```json\n{block}\n```\n")


async def started(house: House, approval: str, reviews: list[AgentAnswer]) -> str:
    async def play(call: AgentCall) -> AgentAnswer:
        turn = call.turn
        if turn.role == "task_planner":
            proposal = ProposeTaskPlan(session_id=turn.session_id, plan=STEPS)
            await house.send(turn.owner, proposal)
            return played_agents.ended()
        return reviews.pop(0) if turn.role == "reviewer" else played_agents.done()

    house.runner.play = play
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan(approval)))
    return thread.id


def roles(house: House) -> list[str]:
    return [str(call.turn.role) for call in house.runner.calls if "/task-" in call.turn.session_id]


async def test_the_threads_agent_reviews_and_approves_a_routine_plan(house: House) -> None:
    thread = await started(house, "auto", [verdict("revise", "test it first"), verdict("approve")])
    task = f"{thread}/task-1"
    await house.seen(task, "gate_opened")

    assert roles(house) == ["task_planner", "reviewer", "task_planner", "reviewer", "task"]
    assert house.runner.prompts("task_planner") == ["task-plan", "task-plan-feedback"]
    decided = await house.seen(task, "task_plan_decided", number=2)
    outcome = decided.body.model_dump()["outcome"]
    assert (outcome["choice"], outcome["decider"]) == ("approve", "agent")
    worked = house.runner.calls[-1]
    assert "Write the function." in worked.prompt
    assert worked.turn.workspace.kind == "task"
    assert all(c.turn.commit is None for c in house.runner.calls if c.turn.role != "task")


async def test_a_task_is_planning_until_its_plan_is_approved(house: House) -> None:
    thread = await started(house, "user", [])
    await house.seen(f"{thread}/task-1", "task_plan_asked")
    first = (await house.seen(thread, "task_updated")).body.model_dump()
    assert first["new_status"] == "planning"

    await house.approve(f"{thread}/task-1", await house.seen(f"{thread}/task-1", "task_plan_asked"))
    second = (await house.seen(thread, "task_updated", number=2)).body.model_dump()

    assert (second["old_status"], second["new_status"]) == ("planning", "running")


async def test_a_person_rejects_a_plan_with_feedback_and_approves_the_next(house: House) -> None:
    thread = await started(house, "user", [])
    task = f"{thread}/task-1"
    await house.reject(task, await house.seen(task, "task_plan_asked"), "smaller steps")
    second = await house.seen(task, "task_plan_asked", number=2)
    await house.approve(task, second)
    await house.seen(task, "gate_opened")

    assert roles(house) == ["task_planner", "task_planner", "task"]
    assert (
        "smaller steps"
        in [c.prompt for c in house.runner.calls if c.turn.role == "task_planner"][1]
    )
    assert second.body.model_dump()["request"]["request_id"] == "task-1/plan-1-2"


async def test_a_review_without_a_verdict_is_asked_again_then_a_person(house: House) -> None:
    thread = await started(house, "auto", [said("Looks fine to me."), said("Yes!")])
    task = f"{thread}/task-1"
    await house.approve(task, await house.seen(task, "task_plan_asked"))
    await house.seen(task, "gate_opened")

    assert roles(house) == ["task_planner", "reviewer", "reviewer", "task"]


async def test_a_planner_without_a_plan_is_asked_again_then_the_task_fails(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        return said("I would just do it.")

    house.runner.play = play
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan("auto")))
    ended = (await house.seen(f"{thread.id}/task-1", "task_ended")).body.model_dump()

    assert ended["reason"] == "the task's planner ended 3 turns without a plan"


async def test_an_agent_without_tools_proposes_in_one_fenced_block(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.role == "task_planner":
            return said(f"My plan:\n\n```json\n{json.dumps(STEPS)}\n```")
        return played_agents.done()

    house.runner.play = play
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan("user")))
    asked = (await house.seen(f"{thread.id}/task-1", "task_plan_asked")).body.model_dump()

    assert asked["plan"]["steps"] == tuple(STEPS["steps"])
