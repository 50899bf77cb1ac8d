"""Runs that a step of another run begins: side by side in one folder, stopped and resumed with it."""

import asyncio
import uuid
from collections.abc import Callable

import pytest

from domain.agents.agents import AgentAnswer, StopReason
from domain.core.ids import SHARED_QUEUE, flow_run_id
from domain.flows.definition import FlowDefinition, StepKind
from domain.flows.events import ChosenAgent
from domain.flows.inputs import FlowInput
from domain.flows.person_commands import ResumeFlow, StopFlow
from tests.domain.flow_world import FlowText
from workflows.flow import FlowWorkflow


class Talk:
    """Agents that write down what they are told, with the run; some texts hang or fail."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.hangs: set[str] = set()
        self.fails: set[str] = set()
        self.folders: set[str] = set()
        self.at_work = 0
        self.most_at_work = 0
        self._changed = asyncio.Condition()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something holds of the agents."""
        async with self._changed:
            await self._changed.wait_for(is_so)

    async def hears(self, text: str) -> None:
        """Wait until an agent is at work on a text: only then a stop cuts it off."""
        await self.until(lambda: text in self.told)

    async def play(self, call):
        text = call.turn.prompt.fields["text"]
        self.told.append(text)
        self.folders.add(call.turn.workspace.workspace_id)
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        try:
            await self._notify()
            if text in self.hangs:
                await asyncio.Event().wait()
        finally:
            self.at_work -= 1
            await self._notify()
        stop = StopReason.REFUSAL if text in self.fails else StopReason.END_TURN
        return AgentAnswer(stop_reason=stop, agent_session="agent-1", text="did it")

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()


@pytest.fixture
def talk(house) -> Talk:
    talk = Talk()
    house.runner.play = talk.play
    return talk


def named(*names: str) -> dict[str, object]:
    return {"flow_names": names}


def with_flows(text: FlowText, **others: FlowText) -> FlowDefinition:
    subflows = tuple(other.flow(name) for name, other in others.items())
    return text.flow(f"whole-{uuid.uuid4().hex[:6]}").model_copy(update={"subflows": subflows})


async def begin(house, definition: FlowDefinition):
    run_id = flow_run_id(definition.name, 1)
    chosen = {"coder": ChosenAgent(agent="fake")}
    flow = FlowInput(run_id=run_id, definition=definition, repository="/repo", agents=chosen)
    run = await house.client.start_workflow(
        FlowWorkflow.run, flow, id=run_id, task_queue=SHARED_QUEUE
    )
    await run.execute_update(FlowWorkflow.open)
    return run


async def child(house, run, name: str) -> str:
    """Wait until a flow that a step names has begun, and return the id of its run."""

    def is_it(event) -> bool:
        body = event.body
        is_begun = body.kind == "flow_started" and body.definition.name == name
        return is_begun and body.parent is not None and body.parent.run_id == run.id

    return (await house.journal.until(is_it)).stream


def ends(house, run) -> list[tuple[str, str]]:
    bodies = house.journal.bodies(run.id)
    return sorted((b.flow_name, b.end) for b in bodies if b.kind == "flow_child_ended")


async def test_flows_stand_in_each_other_share_one_folder_and_are_awaited_to_the_last(house, talk):
    middle = FlowText().add(StepKind.SUBFLOW, **named("low", "other")).llm("middle")
    text = FlowText().llm("plan").add(StepKind.SUBFLOW, **named("middle", "other")).llm("sum up")
    low, other = (
        FlowText().llm("low"),
        FlowText().llm("other").add(StepKind.COMMAND, command="make"),
    )
    run = await begin(house, with_flows(text, middle=middle, low=low, other=other))

    await house.seen(run.id, "flow_completed")

    assert (talk.told[0], talk.told[-1]) == ("plan", "sum up")
    assert sorted(talk.told[1:-1]) == ["low", "middle", "other", "other"]
    assert talk.told.index("low") < talk.told.index("middle")
    assert talk.most_at_work == 1
    assert talk.folders == {f"{run.id}/shared"}
    assert ends(house, run) == [("middle", "completed"), ("other", "completed")]
    started = house.journal.bodies(await child(house, run, "middle"))[0]
    assert (started.parent.run_id, started.title) == (run.id, "Flow: middle")
    assert started.branch == house.journal.bodies(run.id)[0].branch


async def test_a_stop_of_the_whole_stops_its_parts_and_a_resume_repeats_none_that_ended(
    house, talk
):
    talk.hangs.add("second")
    text = FlowText().add(StepKind.SUBFLOW, **named("one", "two")).llm("sum up")
    two = FlowText().llm("before").llm("second")
    run = await begin(house, with_flows(text, one=FlowText().llm("first"), two=two))
    second = await child(house, run, "two")
    await talk.hears("second")
    await house.seen(run.id, "flow_child_ended")

    await house.send(run.id, StopFlow(command_id="s", by="ann"))
    await house.seen(run.id, "flow_stopped")
    await house.seen(second, "flow_stopped")
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id="r"))
    await house.seen(run.id, "flow_completed")

    assert sorted(talk.told) == ["before", "first", "second", "second", "sum up"]
    again = [b for b in house.journal.bodies(run.id) if b.kind == "flow_child_started"][2:]
    assert [(each.run_id, each.is_again) for each in again] == [(second, True)]


async def test_a_part_that_fails_fails_the_step_when_the_others_are_done(house, talk):
    talk.fails.add("first")
    text = FlowText().add(StepKind.SUBFLOW, **named("one", "two")).llm("sum up")
    run = await begin(
        house, with_flows(text, one=FlowText().llm("first"), two=FlowText().llm("second"))
    )
    failed = await house.seen(run.id, "flow_failed")
    assert "the flow one failed (flow-one-" in failed.body.reason
    assert "its model refused" in failed.body.reason
    assert ends(house, run) == [("one", "failed"), ("two", "completed")]

    talk.fails.clear()
    await house.send(run.id, ResumeFlow(command_id="r"))
    await house.seen(run.id, "flow_completed")
    assert sorted(talk.told) == ["first", "first", "second", "sum up"]


async def test_a_part_that_a_person_stops_stops_the_step(house, talk):
    talk.hangs.add("first")
    run = await begin(
        house,
        with_flows(FlowText().add(StepKind.SUBFLOW, **named("one")), one=FlowText().llm("first")),
    )
    first = await child(house, run, "one")
    await talk.hears("first")
    await house.send(first, StopFlow(command_id="s", by="ann"))
    failed = await house.seen(run.id, "flow_failed")
    assert f"the flow one was stopped ({first}): stopped by ann" in failed.body.reason

    # fixed and completed by itself, it is not run again
    talk.hangs.clear()
    await house.send(first, ResumeFlow(command_id="r"))
    await house.seen(first, "flow_completed")
    await house.send(run.id, ResumeFlow(command_id="r"))
    await house.seen(run.id, "flow_completed")
    assert talk.told == ["first", "first"]


async def test_a_stop_in_the_moment_of_the_start_leaves_nothing_at_work(house, talk):
    talk.hangs |= {"first", "second"}
    text = FlowText().add(StepKind.SUBFLOW, **named("one", "two"))
    run = await begin(
        house, with_flows(text, one=FlowText().llm("first"), two=FlowText().llm("second"))
    )
    await run.signal("stop_flow", {"command_id": "s"})
    await house.seen(run.id, "flow_stopped")
    await talk.until(lambda: talk.at_work == 0)
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id="r"))
    await house.seen(run.id, "flow_completed")
    assert talk.most_at_work == 1


async def test_a_part_whose_workflow_is_ended_fails_the_step_and_is_begun_anew(house, talk):
    talk.hangs.add("first")
    text = FlowText().add(StepKind.SUBFLOW, **named("one"))
    run = await begin(house, with_flows(text, one=FlowText().llm("first")))
    first = await child(house, run, "one")
    await talk.hears("first")
    await house.client.get_workflow_handle(first).terminate()
    await house.client.get_workflow_handle(f"{first}/session-1").terminate()
    failed = await house.seen(run.id, "flow_failed")
    assert "its workflow has ended" in failed.body.reason

    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id="r"))
    await house.seen(run.id, "flow_completed")
    moved = await house.seen(run.id, "flow_child_renumbered")
    assert moved.body.old == first
