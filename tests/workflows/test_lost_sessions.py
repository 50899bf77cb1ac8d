"""A session that somebody ends in Temporal takes no message and no plan with it."""

import gc
from collections.abc import Awaitable, Callable

import pytest
from temporalio.client import Client

from domain.agents.agents import Prompt
from domain.conversations.commands import Close, SendMessage
from domain.core.ids import CommandId, SessionId
from domain.threads.events import PromptQueued
from domain.threads.patches import ALL
from domain.threads.planning.commands import RequestPlan
from domain.threads.replacing.events import SessionLost
from tests.workflows.conftest import House


async def chat(house: House) -> str:
    """Open a chat whose first turn has ended."""
    thread = await house.open("hello", has_plan=False, is_planned=False, patches=ALL)
    await house.seen(f"{thread.id}/session-1", "turn_ended")
    return thread.id


async def terminate(house: House, thread: str) -> None:
    await house.client.get_workflow_handle(f"{thread}/session-1").terminate("tried")


async def close(house: House, thread: str) -> None:
    """Close it as anybody can who reaches Temporal: without a code, without a seal."""
    bare = Client(house.client.service_client, namespace=house.client.namespace)
    await bare.get_workflow_handle(f"{thread}/session-1").signal("close", {"by": "me"})
    await house.seen(f"{thread}/session-1", "conversation_closed")


End = Callable[[House, str], Awaitable[None]]
ENDS: list[End] = [terminate, close]


@pytest.mark.parametrize("end", ENDS)
async def test_a_message_to_a_session_that_was_ended_is_taken_by_another(
    house: House, end: End
) -> None:
    thread = await chat(house)
    await end(house, thread)
    await house.send(thread, SendMessage(text="still there?", command_id=CommandId("m"), by="ada"))
    lost = (await house.seen(thread, "session_lost")).body
    await house.seen(f"{thread}/session-2", "turn_ended")

    assert isinstance(lost, SessionLost)
    assert (lost.session_id, lost.replaced_by) == (f"{thread}/session-1", f"{thread}/session-2")
    assert house.runner.calls[-1].turn.prompt.fields["text"] == "still there?"


async def test_a_session_that_was_terminated_is_no_error_in_the_log(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    thread = await chat(house)
    await terminate(house, thread)
    await house.send(thread, SendMessage(text="still there?", command_id=CommandId("m"), by="ada"))
    await house.seen(f"{thread}/session-2", "turn_ended")
    await house.client.get_workflow_handle(thread).terminate("tried")
    gc.collect()  # a future whose error nobody asked for says so when it goes
    assert "never retrieved" not in caplog.text


@pytest.mark.parametrize("end", ENDS)
async def test_a_plan_that_is_asked_of_a_session_that_was_ended_is_made_by_another(
    house: House, end: End
) -> None:
    thread = await chat(house)
    await end(house, thread)
    await house.send(thread, RequestPlan(goal="Shop", command_id=CommandId("p"), by="ada"))
    await house.seen(thread, "plan_requested")
    planner = f"{thread}/session-2"
    await house.seen(planner, "turn_started")

    assert (await house.seen(planner, "conversation_opened")).body.model_dump()["role"] == "planner"


async def test_a_lent_session_that_was_ended_is_replaced_after_the_work(house: House) -> None:
    thread = await house.open(patches=ALL)
    plan: dict[str, object] = {"summary": "do it all"}
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    work = f"{thread.id}/the-work"
    gate = await house.seen(work, "gate_opened")
    await terminate(house, thread.id)
    await house.approve(work, gate)
    await house.seen(thread.id, "session_lost")
    await house.send(thread.id, SendMessage(text="thanks", command_id=CommandId("m"), by="ada"))
    await house.seen(f"{thread.id}/session-2", "turn_ended")


async def test_a_message_that_a_closed_session_had_not_read_is_not_lost(house: House) -> None:
    thread = await house.open(patches=ALL)
    planner = SessionId(f"{thread.id}/session-1")
    await house.seen(planner, "prompt_sent")  # its turn goes on until a plan is proposed
    await house.send(thread.id, SendMessage(text="smaller", command_id=CommandId("m"), by="ada"))
    await house.seen(planner, "message_queued", number=2)
    await house.client.get_workflow_handle(planner).signal("close", Close(by="me"))
    await house.seen(thread.id, "session_lost")
    events = [e.body for e in house.journal.events if e.stream == thread.id]
    queued = [e for e in events if isinstance(e, PromptQueued)]

    assert queued[-1].session_id == f"{thread.id}/session-2"
    assert isinstance(queued[-1].prompt, Prompt)
    assert queued[-1].prompt.fields["text"] == "smaller"
