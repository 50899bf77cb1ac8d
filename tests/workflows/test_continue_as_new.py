"""Histories stay short: workflows continue as new in the middle of a job, and lose nothing."""

from collections.abc import Sequence
from typing import Any

import pytest
from temporalio.client import Client, WorkflowContinuedAsNewError

from domain.conversations.commands import SendMessage
from domain.core.errors import AlreadyDecidedError
from domain.core.event import Event
from domain.core.ids import CommandId
from domain.flows.definition import StepKind
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.tasks.running_commands import Pause, Resume
from tests.domain.flow_world import JUDGE, FlowText
from tests.workflows.conftest import House
from tests.workflows.test_flows import Talk, begin

SIGNALS = 40
PLAN = {
    "tasks": [
        {"id": f"task-{n}", "title": str(n), "depends_on": [f"task-{n - 1}"] if n > 1 else []}
        for n in range(1, 7)
    ]
}


async def runs_of(client: Client, workflow_id: str) -> int:
    found = client.list_workflows(f"WorkflowId = '{workflow_id}'")
    return len([run async for run in found])


async def renewed(client: Client, workflow_id: str, run: str | None) -> str | None:
    """Wait until a run has continued as new; returns the next one's id."""
    with pytest.raises(WorkflowContinuedAsNewError) as ended:
        await client.get_workflow_handle(workflow_id, run_id=run).result(follow_runs=False)
    return ended.value.new_execution_run_id


async def flood(house: House, workflow_id: str) -> list[str | None]:
    """Send a signal that is refused whenever the refusal of the one before is about to be journaled.

    Returns which run each of them found.
    """
    handle = house.client.get_workflow_handle(workflow_id)
    append, runs = house.journal.append, list[str | None]()

    async def append_as_the_next_comes(events: Sequence[Event], *more: Any) -> None:
        if len(runs) < SIGNALS:
            await handle.signal("approve", {"no": "approval"})
            runs.append((await handle.describe()).run_id)
        await append(events, *more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(house.journal, "append", append_as_the_next_comes)
        await handle.signal("approve", {"no": "approval"})
        await house.seen(workflow_id, "command_rejected", number=SIGNALS + 1)
    return runs


async def test_a_plan_goes_on_over_many_runs_of_its_thread(hasty: House) -> None:
    thread = await hasty.open()
    proposed = await hasty.proposed(thread.id, PLAN)
    await hasty.approve(thread.id, proposed)
    pause = Pause(command_id=CommandId("pause"))
    paused = await hasty.send(thread.id, pause)
    await hasty.send(thread.id, Resume())
    for n in range(1, 7):
        task = f"{thread.id}/task-{n}"
        await hasty.approve(task, await hasty.seen(task, "gate_opened"))
    await hasty.seen(thread.id, "plan_completed")

    assert hasty.workspaces.merged == [f"task-{n}" for n in range(1, 7)]
    assert await runs_of(hasty.client, thread.id) > 1
    ids = [event.id for event in hasty.journal.events]
    assert len(ids) == len(set(ids))
    assert await hasty.send(thread.id, pause) == paused
    with pytest.raises(AlreadyDecidedError):
        await hasty.reject(thread.id, proposed, "too late")


async def test_a_conversation_goes_on_over_many_runs_of_its_session(hasty: House) -> None:
    thread = await hasty.open("hello", is_planned=False)
    session = f"{thread.id}/session-1"
    texts = [str(n) for n in range(12)]
    await hasty.seen(session, "conversation_opened")
    for text in texts:
        await hasty.send(session, SendMessage(text=text))
    await hasty.seen(session, "turn_ended", number=13)

    said = [call.turn.prompt.fields["text"] for call in hasty.runner.calls]
    assert said == ["hello", *texts]
    assert await runs_of(hasty.client, session) > 1


async def test_a_thread_continues_though_at_every_moment_an_event_waits_for_the_journal(
    hasty: House,
) -> None:
    thread = await hasty.open()
    proposed = await hasty.proposed(thread.id, PLAN)
    runs = await flood(hasty, thread.id)
    await hasty.approve(thread.id, proposed)
    await hasty.seen(f"{thread.id}/task-1", "gate_opened")

    assert len(set(runs)) > 2
    assert [b.kind for b in hasty.journal.bodies(thread.id)].count(
        "command_rejected"
    ) == SIGNALS + 1
    ids = [event.id for event in hasty.journal.events]
    assert len(ids) == len(set(ids))


async def test_a_child_thread_and_its_parent_go_on_over_many_runs(hasty: House) -> None:
    node = {"id": "part", "title": "a part", "runs_as": "thread"}
    wide = [{"id": f"w-{n}", "title": f"beside it {n}"} for n in range(3)]
    parent = await hasty.open()
    plan = {"tasks": [node, *wide]}
    await hasty.approve(parent.id, await hasty.proposed(parent.id, plan))
    child = (await hasty.seen(parent.id, "child_opened")).body.model_dump()["thread_id"]
    for n in range(3):
        await hasty.approve(
            f"{parent.id}/w-{n}", await hasty.seen(f"{parent.id}/w-{n}", "gate_opened")
        )
    await hasty.seen(child, "thread_opened")
    await hasty.approve(child, await hasty.proposed(child, PLAN))
    for n in range(1, 7):
        task = f"{child}/task-{n}"
        await hasty.approve(task, await hasty.seen(task, "gate_opened"))
    await hasty.seen(parent.id, "plan_completed")

    assert await runs_of(hasty.client, child) > 1
    assert await runs_of(hasty.client, parent.id) > 1
    assert hasty.workspaces.merged[-1] == "part"
    reports = [b.report for b in hasty.journal.bodies(parent.id) if b.kind == "child_reported"]
    assert [r.number for r in reports] == sorted({r.number for r in reports})


async def test_a_loop_without_end_goes_on_over_many_runs_and_is_stopped(hasty: House) -> None:
    talk = Talk()
    hasty.runner.play = talk.play
    text = FlowText().loop(
        lambda t: (
            t.llm("write").add(StepKind.COMMAND, command="true", output_key="o").llm(slot=JUDGE)
        )
    )
    flow = await begin(hasty, text)
    session = f"{flow.id}/session-1"
    second = await renewed(hasty.client, flow.id, flow.first_execution_run_id)
    await hasty.send(flow.id, StopFlow(command_id="stop"))
    await hasty.seen(flow.id, "flow_stopped")
    turns = hasty.journal.kinds(session).count("turn_ended")
    await hasty.send(flow.id, ResumeFlow(command_id="resume"))
    await hasty.seen(session, "turn_ended", number=turns + 3)
    await renewed(hasty.client, flow.id, second)
    await hasty.send(flow.id, StopFlow(command_id="stop-again"))
    await hasty.seen(flow.id, "flow_stopped", number=2)

    started = [b for b in hasty.journal.bodies(flow.id) if b.kind == "flow_step_started"]
    assert [b.visit for b in started] == list(range(1, len(started) + 1))
    whole = [b.place.iteration for b in started if b.place.step_index == 1]
    assert whole == sorted(whole)
    ids = [event.id for event in hasty.journal.events]
    assert len(ids) == len(set(ids))
