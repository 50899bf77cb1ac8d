"""A run of a flow on Temporal: its conversations, its stop at any moment, its resume, its long loops."""

import asyncio
import uuid
from datetime import timedelta

import pytest
from temporalio.client import WorkflowHandle

from adapters.temporal import TemporalCommands
from domain.agents.agents import AgentAnswer, AgentCall, StopReason
from domain.core.approvals import decision_code
from domain.core.ids import SHARED_QUEUE, flow_run_id
from domain.core.lifecycle.commands import DeleteThread
from domain.flows.definition import Condition, StepKind
from domain.flows.events import ChosenAgent
from domain.flows.inputs import FlowInput
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.flows.requests import HumanRequest
from tests import fakes
from tests.domain.flow_world import JUDGE, FlowText
from workflows import options
from workflows.flow import FlowWorkflow


def said(text: str = "did it") -> AgentAnswer:
    return AgentAnswer(stop_reason=StopReason.END_TURN, agent_session="agent-1", text=text)


class Talk:
    """Agents that write down what they are told; judges say what `words` says, in turn."""

    def __init__(self, *words: str) -> None:
        self.words = list(words)
        self.told: list[tuple[str, str]] = []
        self.hangs: set[str] = set()

    async def play(self, call: AgentCall) -> AgentAnswer:
        session = call.turn.session_id.rpartition("/")[2]
        text = call.turn.prompt.fields["text"]
        self.told.append((session, text))
        if text in self.hangs:
            await asyncio.Event().wait()
        if call.turn.prompt.name.startswith("flow-question"):
            return said(self.words.pop(0) if self.words else '{"answer": "yes"}')
        return said()


async def begin(house, text: FlowText) -> WorkflowHandle[FlowWorkflow, str]:
    run_id = flow_run_id("paper", int(uuid.uuid4().hex[:8], 16))
    chosen = {name: ChosenAgent(agent="fake") for name in ("coder", "judge")}
    flow = FlowInput(run_id=run_id, definition=text.flow(), repository="/repo", agents=chosen)
    handle = await house.client.start_workflow(
        FlowWorkflow.run, flow, id=run_id, task_queue=SHARED_QUEUE
    )
    await handle.execute_update(FlowWorkflow.open)
    return handle


async def test_steps_go_to_the_conversations_of_their_slots(house):
    talk = Talk('{"answer": "no"}', "maybe", '{"answer": "yes"}')
    house.runner.play = talk.play
    text = FlowText().llm("plan", "refine").loop(lambda t: t.llm("work").judge()).llm("sum up")
    run = await begin(house, text)

    await house.seen(run.id, "flow_completed")

    assert talk.told == [
        ("session-1", "plan"),
        ("session-1", "refine"),
        ("session-1", "work"),
        ("session-2", "done?"),
        ("session-1", "work"),
        ("session-2", "done?"),
        ("session-2", "done?"),
        ("session-1", "sum up"),
    ]
    turns = [b for b in house.journal.bodies(f"{run.id}/session-1") if b.kind == "turn_started"]
    assert [(t.place.step_index, t.place.loop_depth, t.place.iteration) for t in turns] == [
        (0, 0, 0),
        (0, 0, 0),
        (2, 1, 0),
        (2, 1, 1),
        (4, 0, 0),
    ]
    assert house.journal.shown[run.id].status == "completed"


async def test_a_turn_that_hangs_is_stopped_and_its_step_is_taken_again(house, monkeypatch):
    # only what the activity itself hears with its heartbeats stops it in time
    monkeypatch.setitem(options.TURN, "heartbeat_timeout", timedelta(minutes=10))
    talk = Talk()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("plan").llm("work").llm("sum up"))
    await house.seen(f"{run.id}/session-1", "prompt_sent", number=2)

    async with asyncio.timeout(60):
        await house.send(run.id, StopFlow(command_id="s1", by="ann"))
        await house.send(run.id, StopFlow(command_id="s2", by="ann"))
        await house.seen(run.id, "flow_stopped")
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id="r1"))
    await house.seen(run.id, "flow_completed")

    assert [text for _, text in talk.told] == ["plan", "work", "work", "sum up"]
    assert {session for session, _ in talk.told} == {"session-1"}


async def test_a_run_that_is_stopped_at_once_says_nothing_more(house):
    talk = Talk()
    talk.hangs.add("plan")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("plan"))
    await run.signal("stop_flow", {"command_id": "s1"})
    await house.seen(run.id, "flow_stopped")
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id="r1", step_index=0))
    await house.seen(run.id, "flow_completed")
    assert [text for _, text in talk.told].count("plan") <= 2


async def test_a_command_runs_where_the_turns_work_and_decides(house):
    house.runner.play = Talk().play
    house.verifier.failures["test"] = 1
    text = FlowText().loop(
        lambda t: t.llm("fix").add(
            StepKind.BREAK, label="test", condition=Condition(command="make test")
        )
    )
    run = await begin(house, text)
    await house.seen(run.id, "flow_completed")
    ended = [b for b in house.journal.bodies(run.id) if b.kind == "flow_step_ended"]
    assert [(b.place.step_index, b.answer) for b in ended] == [
        (1, ""),
        (2, "no"),
        (1, ""),
        (2, "yes"),
    ]
    shared = {spec.checkpoint_ref.split("/")[2] for spec in house.workspaces.commits}
    assert shared == {run.id}


async def test_a_command_without_a_label_is_named_by_its_command_in_every_round(house):
    text = FlowText().loop(lambda t: t.add(StepKind.COMMAND, command="make  lint"), limit=2)
    run = await begin(house, text)
    await house.seen(run.id, "flow_completed")
    ended = [b for b in house.journal.bodies(run.id) if b.kind == "verification_step_ended"]
    assert [(b.result.step_id, b.result.label) for b in ended] == [
        ("flow-1", "make lint"),
        ("flow-2", "make lint"),
    ]


async def test_a_person_answers_by_a_bare_signal(house):
    run = await begin(house, FlowText().add(StepKind.HUMAN, question="ship?", options=("a", "b")))
    event = await house.seen(run.id, "flow_asked")
    request: HumanRequest = event.body.request
    code = decision_code(b"test key", run.id, request.request_id, "a", request.content_hash)
    answer = {"request_id": request.request_id, "content_hash": request.content_hash}
    await run.signal("answer_flow", {**answer, "option": "b", "code": code})
    refused = await house.seen(run.id, "command_rejected")
    assert refused.body.type == "code_refused"
    await run.signal("answer_flow", {**answer, "option": "a", "code": code})
    await house.seen(run.id, "flow_completed")


@pytest.mark.parametrize("moment", ["wait", "human"])
async def test_a_run_that_waits_is_stopped_at_once(house, moment):
    text = FlowText()
    text = (
        text.add(StepKind.WAIT, seconds=86_400)
        if moment == "wait"
        else text.add(StepKind.HUMAN, question="?")
    )
    run = await begin(house, text)
    await house.seen(run.id, "flow_step_started")
    await house.send(run.id, StopFlow(command_id="s"))
    await house.seen(run.id, "flow_stopped")


async def test_a_run_that_was_stopped_can_be_deleted(house):
    hanging = Talk()
    hanging.hangs.add("go")
    house.runner.play = hanging.play
    run = await begin(house, FlowText().llm(slot=JUDGE))
    await house.send(run.id, StopFlow(command_id="s"))
    await house.seen(run.id, "flow_stopped")
    await TemporalCommands(house.client, fakes.FixedKey()).send(
        run.id, DeleteThread(command_id="d")
    )
    async with asyncio.timeout(60):
        assert (await run.result()).startswith("deleted")


async def test_a_conversation_that_is_gone_is_begun_anew(house):
    talk = Talk()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("plan").llm("work"))
    await house.seen(f"{run.id}/session-1", "prompt_sent", number=2)
    await house.client.get_workflow_handle(f"{run.id}/session-1").terminate()
    await house.send(run.id, StopFlow(command_id="s"))
    await house.seen(run.id, "flow_stopped")
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id="r"))
    await house.seen(run.id, "flow_completed")
    assert talk.told[-1] == ("session-2", "work")
