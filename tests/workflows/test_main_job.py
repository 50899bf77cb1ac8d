"""The main job on real workflows: plan, approval, tasks, verification, gate, merge."""

import asyncio

import pytest

from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import OpenSession, SendMessage
from domain.core.command import Answer
from domain.core.errors import WrongStateError
from domain.core.ids import SessionId
from domain.plans.templates.template import BranchStrategy, GatePolicy, GitConventions, PlanTemplate
from domain.tasks.agent_commands import ProposePlan
from tests.played_agents import ended
from tests.workflows.conftest import House

MAKE = {"type": "command", "command": "make"}
THREE = {
    "summary": "three tasks",
    "tasks": [
        {"id": "task-1", "title": "one", "verification": [MAKE]},
        {"id": "task-2", "title": "two"},
        {"id": "task-3", "title": "three", "depends_on": ["task-1", "task-2"]},
    ],
}
ONE = {"tasks": [{"id": "task-1", "title": "one", "verification": [MAKE]}]}


async def test_a_goal_becomes_three_merged_tasks(house: House) -> None:
    house.verifier.failures["make"] = 1
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    for task in ("task-1", "task-2", "task-3"):
        gate = await house.seen(f"{thread.id}/{task}", "gate_opened")
        await house.approve(f"{thread.id}/{task}", gate)
    completed = await house.seen(thread.id, "plan_completed")

    assert completed.body.model_dump()["final_status"] == "completed"
    assert sorted(house.workspaces.merged[:2]) == ["task-1", "task-2"]
    assert house.workspaces.merged[2] == "task-3"
    assert house.verifier.ran == ["make", "make"]
    assert house.runner.prompts("task").count("verification-failed") == 1
    (line,) = await house.journal.headlines("thread")
    assert (line.done, line.total, line.insertions, line.deletions) == (3, 3, 6, 3)


async def test_a_task_tells_its_thread_nothing_before_its_first_turn_is_over(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    gate = await house.seen(f"{thread.id}/task-1", "gate_opened")
    first = await house.seen(thread.id, "task_progressed")
    await house.approve(f"{thread.id}/task-1", gate)
    await house.seen(thread.id, "plan_completed")

    assert first.body.model_dump()["progress"]["doing"] == "verifying"


async def test_a_plan_without_tasks_runs_verified_and_gated(house: House) -> None:
    thread = await house.open()
    plan = {"summary": "do it all", "verification": [MAKE]}
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    await house.approve(f"{thread.id}/main", await house.seen(f"{thread.id}/main", "gate_opened"))
    await house.seen(thread.id, "plan_completed")

    assert house.verifier.ran == ["make"]
    assert house.workspaces.merged == ["main"]


async def test_a_rejected_plan_is_revised_by_its_planner(house: House) -> None:
    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    await house.seen(f"{thread.id}/session-1", "turn_ended")
    await house.reject(thread.id, proposed, "smaller, please")
    await house.seen(f"{thread.id}/session-1", "turn_ended", number=2)
    second = await house.proposed(thread.id, THREE, revision=2)

    assert second.body.model_dump()["revision"] == 2
    assert "planner-feedback" in house.runner.prompts("planner")


async def test_a_copy_of_a_rejected_proposal_proposes_nothing_in_a_later_turn(house: House) -> None:
    thread = await house.open()
    session = SessionId(f"{thread.id}/session-1")
    said = {"command_id": "call-1", "turn_id": f"{session}/turn-1"}
    proposed = await house.proposed(thread.id, ONE, **said)
    await house.seen(session, "turn_ended")
    await house.reject(thread.id, proposed, "smaller, please")
    await house.seen(session, "turn_ended", number=2)

    copy = ProposePlan(session_id=session, plan=ONE, **said)
    handle = house.client.get_workflow_handle(thread.id)
    sealed = copy.model_copy(update={"sent_to": copy.door})
    answer = await handle.execute_update(copy.door, sealed, id="another", result_type=Answer)
    assert "already recorded" in answer.message
    assert house.journal.kinds(thread.id).count("plan_proposed") == 1


async def test_a_rejected_gate_is_worked_on_and_verified_again(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.reject(task, await house.seen(task, "gate_opened"), "use the other name")
    await house.approve(task, await house.seen(task, "gate_opened", number=2))
    await house.seen(thread.id, "plan_completed")

    assert house.verifier.ran == ["make", "make"]
    assert house.runner.prompts("task") == ["task", "gate-rejected"]


async def test_a_turn_without_a_report_is_no_success(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        return ended()

    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    house.runner.play = play
    await house.approve(thread.id, proposed)
    ends = await house.seen(f"{thread.id}/task-1", "task_ended")

    assert "without report_done" in ends.body.model_dump()["reason"]
    assert house.runner.prompts("task") == ["task", "report-missing", "report-missing"]
    assert house.workspaces.merged == []


async def test_verification_that_keeps_failing_fails_the_task(house: House) -> None:
    house.verifier.failures["make"] = 9
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    failed = await house.seen(thread.id, "task_updated", number=2)

    assert failed.body.model_dump()["new_status"] == "failed"
    assert house.verifier.ran == ["make"] * 4


async def test_a_planner_that_proposes_nothing_is_asked_again_then_a_person(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        return ended()

    house.runner.play = play
    thread = await house.open(has_plan=False)
    failed = await house.seen(thread.id, "planning_failed")

    assert "without a plan" in failed.body.model_dump()["reason"]
    assert house.runner.prompts("planner") == ["planner", "plan-missing", "plan-missing"]


async def test_approval_resets_context_and_archives_the_planner(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(f"{thread.id}/session-1", "conversation_closed")
    await house.seen(f"{thread.id}/task-1", "gate_opened")

    task_call = next(c for c in house.runner.calls if c.turn.role == "task")
    assert task_call.agent_session is None
    assert f"{thread.id}/session-1" in house.runner.closed


async def test_messages_to_a_busy_session_queue_in_order(house: House) -> None:
    thread = await house.open("hello", is_planned=False)
    session = f"{thread.id}/session-1"
    await house.seen(session, "conversation_opened")
    for text in ("one", "two", "three"):
        await house.send(session, SendMessage(text=text))
    await house.seen(session, "turn_ended", number=4)

    texts = [c.turn.prompt.fields["text"] for c in house.runner.calls]
    assert texts == ["hello", "one", "two", "three"]


async def test_a_thread_holds_many_sessions(house: House) -> None:
    thread = await house.open("hello", is_planned=False)
    opened = await house.send(thread.id, OpenSession())
    session = opened.data["session_id"]
    await house.send(thread.id, SendMessage(text="second", session_id=session))
    await house.seen(session, "turn_ended")

    assert session == f"{thread.id}/session-2"


async def test_a_declared_port_is_leased_and_released(house: House) -> None:
    plan = {"tasks": [{"id": "task-1", "title": "one", "ports": [{"id": "api"}]}]}
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    failed = await house.seen(f"{thread.id}/task-1", "verification_step_ended")

    assert failed.body.model_dump()["result"]["output"] == "never requested: api"


async def test_tasks_of_a_shared_branch_run_one_at_a_time(house: House) -> None:
    shared = GitConventions(branch_strategy=BranchStrategy.SHARED)
    house.templates.default = PlanTemplate(name="default", git=shared, gate=GatePolicy.AUTO)
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    await house.seen(thread.id, "plan_completed")

    calls = [call for call in house.runner.calls if call.turn.role == "task"]
    order = [call.turn.workspace.task_id for call in calls]
    assert order == ["task-1", "task-2", "task-3"]
    assert {call.turn.workspace.branch for call in calls} == {None}
    assert all(call.is_linear for call in house.workspaces.settled)


async def test_a_gate_that_the_planner_leaves_out_is_warned_of(house: House) -> None:
    thread = await house.open()
    plan = {"tasks": [{"id": "task-1", "title": "one", "gate": "auto"}]}
    proposed = await house.proposed(thread.id, plan)

    assert "merged without asking you" in proposed.body.model_dump()["warnings"][0]["text"]


async def test_many_long_messages_are_refused_before_they_block_a_session(house: House) -> None:
    stay = asyncio.Event()

    async def play(call: AgentCall) -> AgentAnswer:
        await stay.wait()
        return ended()

    house.runner.play = play
    thread = await house.open("hello", is_planned=False)
    session = f"{thread.id}/session-1"
    await house.seen(session, "agent_session_opened")
    for _ in range(3):
        await house.send(session, SendMessage(text="x" * 99_000))
    with pytest.raises(WrongStateError, match="too many messages"):
        await house.send(session, SendMessage(text="x" * 99_000))
    stay.set()
    await house.seen(session, "turn_ended", number=4)
