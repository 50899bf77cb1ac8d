"""Temporal's "Request cancellation", at quiet and at awkward moments: our cancel, abort or stop."""

import asyncio
import uuid
from pathlib import Path

from temporalio.client import WorkflowExecutionStatus
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import Starter
from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import Close, SendMessage, StopTurn
from domain.core.errors import WrongStateError
from domain.core.ids import SHARED_QUEUE, CommandId, SessionId, ThreadId
from domain.flows.person_commands import ResumeFlow
from domain.queue.inputs import QUEUE, QueueInput
from domain.threads import patches
from domain.threads.inputs import ThreadInput
from queues import workers
from tests.domain.flow_world import FlowText
from tests.played_agents import ended
from tests.workflows.conftest import House, housed
from tests.workflows.test_flows import Talk, begin
from tests.workflows.test_main_job import ONE
from tests.workflows.test_recovery import TWO_IN_A_ROW, hang, hung
from workflows import ThreadWorkflow

NOW = {"patches": patches.ALL}


async def cancel(house: House, workflow_id: str) -> None:
    """Ask as the Web UI's button and `temporal workflow cancel` do."""
    await house.client.get_workflow_handle(workflow_id).cancel()


async def is_running(house: House, workflow_id: str) -> bool:
    about = await house.client.get_workflow_handle(workflow_id).describe()
    return about.status is WorkflowExecutionStatus.RUNNING


async def at_rest(house: House, session: str) -> None:
    """Wait until a session knows that its first turn is over; the journal knows that before."""
    await house.seen(session, "turn_ended")  # before it began, there is none to stop either
    while await takes_a_stop(house, session):
        pass


async def takes_a_stop(house: House, session: str) -> bool:
    """Ask a session to stop its turn; tell whether there is one."""
    try:
        await house.send(session, StopTurn(by="tester"))
    except WrongStateError as error:
        if "no turn is running" not in str(error):
            raise
        return False
    return True


async def test_of_a_task_it_is_our_abort(house: House) -> None:
    thread = await hung(house, TWO_IN_A_ROW, **NOW)
    await cancel(house, f"{thread.id}/task-1")
    settled = (await house.seen(thread.id, "task_settled")).body.model_dump()

    assert settled["task_id"] == "task-1"
    ended_run = await house.seen(f"{thread.id}/task-1", "task_ended")
    assert ended_run.body.model_dump()["reason"] == "aborted by Temporal"
    assert f"{thread.id}/task-1/session-1" in house.runner.closed
    assert house.workspaces.merged == []


async def test_of_a_task_at_its_gate_it_is_our_abort_too(house: House) -> None:
    thread = await house.open(**NOW)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    await cancel(house, f"{thread.id}/task-1")
    await house.seen(thread.id, "task_settled")

    assert house.workspaces.merged == []


async def test_of_a_thread_it_cancels_the_plan_and_the_thread_lives_on(house: House) -> None:
    thread = await hung(house, TWO_IN_A_ROW, **NOW)
    await cancel(house, thread.id)
    completed = (await house.seen(thread.id, "plan_completed")).body.model_dump()
    await house.seen(thread.id, "task_settled")

    assert completed["final_status"] == "cancelled"
    assert f"{thread.id}/task-1/session-1" in house.runner.closed
    assert await is_running(house, thread.id)


async def test_of_a_chat_it_stops_the_turn_and_the_chat_goes_on(house: House) -> None:
    house.runner.play = hang
    thread = await house.open(has_plan=False, is_planned=False, **NOW)
    chat = SessionId(f"{thread.id}/session-1")
    await house.seen(chat, "agent_session_opened")
    await cancel(house, thread.id)
    stopped = (await house.seen(chat, "turn_ended")).body.model_dump()
    house.runner.play = None
    await house.send(chat, SendMessage(command_id=CommandId("m-1"), text="go on", by="tester"))
    await house.seen(chat, "turn_ended", number=2)

    assert stopped["result"]["stop_reason"] == "cancelled"
    assert not [b for b in house.journal.bodies(thread.id) if b.kind == "command_rejected"]


async def test_of_a_session_it_stops_the_turn(house: House) -> None:
    house.runner.play = hang
    thread = await house.open(has_plan=False, is_planned=False, **NOW)
    chat = SessionId(f"{thread.id}/session-1")
    await house.seen(chat, "agent_session_opened")
    await cancel(house, chat)
    stopped = (await house.seen(chat, "turn_ended")).body.model_dump()

    assert stopped["result"]["stop_reason"] == "cancelled"
    assert await is_running(house, chat)


async def test_of_an_idle_session_it_is_refused_in_words(house: House) -> None:
    thread = await house.open(has_plan=False, is_planned=False, **NOW)
    chat = SessionId(f"{thread.id}/session-1")
    await at_rest(house, chat)
    await cancel(house, chat)
    refused = (await house.seen(chat, "command_rejected")).body.model_dump()

    assert (refused["command"], refused["reason"]) == ("stop_turn", "no turn is running")
    assert await is_running(house, chat)


async def test_of_a_session_that_is_closing_it_changes_nothing(house: House) -> None:
    let_go, closing = asyncio.Event(), asyncio.Event()
    close = house.runner.close

    async def slowly(session_id: SessionId) -> None:
        closing.set()
        await let_go.wait()
        await close(session_id)

    thread = await house.open(has_plan=False, is_planned=False, **NOW)
    chat = SessionId(f"{thread.id}/session-1")
    await at_rest(house, chat)
    house.runner.close = slowly
    await house.send(chat, Close(by="tester"))
    await closing.wait()
    await cancel(house, chat)
    let_go.set()
    await house.client.get_workflow_handle(chat).result()

    assert house.runner.closed == [chat]
    await house.seen(chat, "conversation_closed")


async def test_of_a_run_of_a_flow_it_is_our_stop(house: House) -> None:
    talk = Talk()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("work"))
    await house.seen(f"{run.id}/session-1", "prompt_sent")
    await cancel(house, run.id)
    await house.seen(run.id, "flow_stopped")
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id=CommandId("r1")))

    await house.seen(run.id, "flow_completed")


async def test_of_the_queue_it_holds_what_waits(house: House) -> None:
    await Starter(house.client).open_queue(QueueInput())
    await house.seen(QUEUE, "queue_opened")
    await cancel(house, QUEUE)
    held = await house.seen(QUEUE, "entry_held")

    assert held.body.model_dump()["by"] == "Temporal"
    assert await is_running(house, QUEUE)


async def test_of_a_thread_that_cannot_open_it_gives_up(house: House) -> None:
    async def inspect(_repository: str) -> None:
        raise OSError(5, "Input/output error", "/mnt/lost/.git")

    house.workspaces.inspect = inspect
    thread = await begun(house)
    await house.seen(thread.id, "resource_warned")
    await thread.cancel()

    assert await thread.result() == "not opened: cancelled by a person before it was open"


async def test_before_the_first_workflow_task_it_gives_up(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    thread = await begun(House(server.client, tmp_path))
    await thread.cancel()
    async with housed(server.client, tmp_path) as working:
        assert "not opened" in await thread.result()
        assert not working.journal.events


async def test_with_a_signal_in_one_workflow_task_both_are_taken(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    house = House(server.client, tmp_path)
    shared, local = workers(server.client, house.ports(), "test", max_turns=8)
    async with shared, local:
        chat = f"{(await begun(house)).id}/session-1"
        await house.seen(chat, "conversation_opened")
        await at_rest(house, chat)
    # nobody works now
    await house.client.get_workflow_handle(chat).signal("send_message", {"text": "x"})
    await cancel(house, chat)
    shared, local = workers(server.client, house.ports(), "test", max_turns=8)
    async with shared, local:
        await house.seen(chat, "command_rejected", number=2)
        assert await is_running(house, chat)
        refused = [b for b in house.journal.bodies(chat) if b.kind == "command_rejected"]
        assert {b.command for b in refused} == {"send_message", "stop_turn"}
        for workflow_id in (chat, chat.partition("/")[0]):
            await house.client.get_workflow_handle(workflow_id).terminate()


async def begun(house: House):
    name = ThreadId(f"thread-{uuid.uuid4().hex[:12]}")
    return await house.client.start_workflow(
        ThreadWorkflow.run,
        ThreadInput(
            thread_id=name,
            goal="x",
            repository="/repo",
            agent="fake",
            is_planned=False,
            **NOW,
        ),
        id=name,
        task_queue=SHARED_QUEUE,
    )


async def test_a_turn_that_ends_with_it_is_not_lost(house: House) -> None:
    """The answer of the agent and the request come to the workflow in one of its tasks."""
    asked = asyncio.Event()

    async def answer(call: AgentCall) -> AgentAnswer:
        asked.set()
        return ended()

    house.runner.play = answer
    thread = await house.open(has_plan=False, is_planned=False, **NOW)
    await asked.wait()
    await cancel(house, f"{thread.id}/session-1")
    await house.seen(f"{thread.id}/session-1", "turn_ended")

    assert await is_running(house, f"{thread.id}/session-1")
