"""A stop that comes when its turn has just ended."""

import asyncio
from pathlib import Path

from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import TemporalCommands
from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import SendMessage, StopTurn
from domain.core.ids import CommandId
from queues import workers
from tests.fakes import FixedKey
from tests.played_agents import ended
from tests.workflows.conftest import House
from tests.workflows.test_temporal_cancellation import begun


async def test_a_stop_between_a_turn_and_its_report_loses_neither(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    """Both come to the session in one of its tasks, before it has given the directory back."""
    house = House(server.client, tmp_path)
    answered = asyncio.Event()

    async def answer(call: AgentCall) -> AgentAnswer:
        await answered.wait()
        return ended()

    house.runner.play = answer
    shared, local = workers(server.client, house.ports(), "test", max_turns=8)
    async with local:
        async with shared:
            chat = f"{(await begun(house)).id}/session-1"
            await house.seen(chat, "agent_session_opened")
        # nobody decides now
        answered.set()
        await completed(house, chat)
        await TemporalCommands(house.client, FixedKey()).leave(chat, StopTurn(by="tester"))
        shared, _ = workers(await another(server.client), house.ports(), "test", max_turns=8)
        async with shared:
            await house.seen(chat, "turn_ended")
            house.runner.play = None
            again = SendMessage(command_id=CommandId("m-1"), text="go on", by="tester")
            await house.send(chat, again)
            await house.seen(chat, "turn_ended", number=2)
            for workflow_id in (chat, chat.partition("/")[0]):
                await house.client.get_workflow_handle(workflow_id).terminate()


async def completed(house: House, workflow_id: str) -> None:
    """Wait until Temporal has the result of a session's turn."""
    handle = house.client.get_workflow_handle(workflow_id)
    turn = None
    async for event in handle.fetch_history_events(wait_new_event=True):
        scheduled = event.activity_task_scheduled_event_attributes
        if scheduled.activity_type.name == "run_agent_turn":
            turn = event.event_id
        if turn and event.activity_task_completed_event_attributes.scheduled_event_id == turn:
            return


async def another(client: Client) -> Client:
    """Connect once more: one connection takes one worker of a queue."""
    target = client.service_client.config.target_host
    return await Client.connect(target, plugins=client.config()["plugins"])
