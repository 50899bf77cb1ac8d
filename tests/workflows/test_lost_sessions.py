"""A session that somebody ends in Temporal takes no message and no plan with it."""

import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from temporalio.client import Client

from domain.agents.agents import Prompt, SessionRole, StopReason
from domain.conversations.commands import Close, SendMessage
from domain.conversations.events import MessageQueued, PromptSent, TurnEnded
from domain.core.errors import JournalError
from domain.core.event import Event, EventBody
from domain.core.ids import CommandId, SessionId
from domain.tasks.agent_commands import ProposePlan
from domain.threads.events import PromptQueued, SessionOpened
from domain.threads.patches import ALL
from domain.threads.planning.commands import RequestPlan
from domain.threads.replacing.events import SessionLost
from tests.workflows.conftest import House
from tests.workflows.test_recovery import hang
from tests.workflows.test_terminated import read, swept


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


async def lose(house: House, thread: str) -> None:
    """Close it, and wait until its thread has heard of that and opened another chat."""
    await close(house, thread)
    await house.seen(thread, "session_lost")


@pytest.mark.parametrize("end", [*ENDS, lose])
async def test_a_plan_that_is_asked_of_a_session_that_was_ended_is_made_by_another(
    house: House, end: End
) -> None:
    thread = await chat(house)
    await end(house, thread)
    await house.send(thread, RequestPlan(goal="Shop", command_id=CommandId("p"), by="ada"))

    def is_planner(event: Event) -> bool:
        body = event.body
        return isinstance(body, SessionOpened) and body.role is SessionRole.PLANNER

    opened = (await house.journal.until(is_planner)).body
    assert isinstance(opened, SessionOpened)
    assert opened.session_id != f"{thread}/session-1"
    await house.seen(opened.session_id, "turn_started")
    talk = await house.seen(opened.session_id, "conversation_opened")
    assert talk.body.model_dump()["role"] == "planner"


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

    [read] = [c for c in house.runner.calls if c.turn.session_id == f"{thread.id}/session-2"]
    assert "thanks" in read.prompt


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


async def work_that_did_not_read(house: House) -> str:
    """Lose a planner before it reads a message, which then is for the work, that waits at its gate."""
    thread = (await house.open(patches=ALL)).id
    planner = SessionId(f"{thread}/session-1")
    await house.seen(planner, "prompt_sent")
    await house.send(thread, SendMessage(text="smaller", command_id=CommandId("m"), by="ada"))
    await house.seen(planner, "message_queued", number=2)
    await house.send(thread, ProposePlan(session_id=planner, plan={"summary": "do it all"}))
    await terminate(house, thread)
    await house.approve(thread, await house.seen(thread, "plan_proposed"))
    await house.seen(f"{thread}/the-work", "gate_opened")
    house.runner.planned[thread].set()
    return thread


def told(house: House, text: str) -> list[str]:
    """Return the sessions whose agents were given a text, in order."""
    turns = [call.turn for call in house.runner.calls]
    return [str(turn.session_id) for turn in turns if turn.prompt.fields.get("text") == text]


async def test_what_the_work_did_not_read_is_read_by_the_session_after_it(house: House) -> None:
    thread = await work_that_did_not_read(house)
    work = f"{thread}/the-work"
    gate = await house.seen(work, "gate_opened")
    await swept(house.sweep, f"{thread}/session-1")
    await house.seen(work, "message_queued")
    await house.approve(work, gate)
    await house.seen(f"{thread}/session-2", "turn_ended")
    await swept(house.sweep, f"{thread}/session-1")

    assert told(house, "smaller") == [f"{thread}/session-2"]


async def test_what_the_work_read_is_read_by_no_session_after_it(house: House) -> None:
    thread = await work_that_did_not_read(house)
    work = f"{thread}/the-work"
    gate = await house.seen(work, "gate_opened")
    await swept(house.sweep, f"{thread}/session-1")
    await house.seen(work, "message_queued")
    await house.reject(work, gate, "more")
    await house.approve(work, await house.seen(work, "gate_opened", number=2))
    await house.seen(thread, "session_lost")
    await swept(house.sweep, f"{thread}/session-1")
    await house.send(thread, SendMessage(text="thanks", command_id=CommandId("n"), by="ada"))
    await house.seen(f"{thread}/session-2", "turn_ended")

    assert told(house, "smaller") == [f"{work}/session-1"]
    queued = [e.body for e in house.journal.events if e.stream == f"{thread}/session-2"]
    assert [e.kind for e in queued].count("message_queued") == 1


def refuse(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: type[EventBody], stream: str
) -> None:
    """Have the journal take no event of a kind in a stream, as on a full disk.

    That lasts: an attempt that is under way as its session is ended may write later.
    """
    append = house.journal.append

    async def fails(events: Any, headlines: Any = ()) -> None:
        if any(isinstance(each.body, kind) and each.stream == stream for each in events):
            raise JournalError("the disk is full")
        await append(events, headlines)

    monkeypatch.setattr(house.journal, "append", fails)


async def test_what_a_session_was_told_and_had_not_journaled_is_not_lost(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await chat(house)
    first = f"{thread}/session-1"
    refuse(house, monkeypatch, MessageQueued, first)
    await house.send(thread, SendMessage(text="still there?", command_id=CommandId("m"), by="ada"))
    await house.seen(thread, "prompt_delivered", number=2)
    await terminate(house, thread)
    await swept(house.sweep, first)
    await house.seen(f"{thread}/session-2", "turn_ended")

    assert told(house, "still there?") == [f"{thread}/session-2"]


async def test_what_a_turn_took_and_had_not_told_its_agent_is_not_lost(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await chat(house)
    first = f"{thread}/session-1"
    refuse(house, monkeypatch, PromptSent, first)
    await house.send(thread, SendMessage(text="still there?", command_id=CommandId("m"), by="ada"))
    await house.seen(first, "turn_started", number=2)
    await terminate(house, thread)
    await swept(house.sweep, first)
    await house.seen(f"{thread}/session-2", "turn_ended")

    assert told(house, "still there?")[-1] == f"{thread}/session-2"
    prompts = [e.stream for e in house.journal.events if isinstance(e.body, PromptSent)]
    assert prompts[-1] == f"{thread}/session-2"
    assert prompts.count(first) == 1


async def test_what_a_session_wrote_in_a_turn_that_was_cut_is_committed(house: House) -> None:
    thread = await chat(house)
    first = SessionId(f"{thread}/session-1")
    house.runner.play = hang
    await house.send(thread, SendMessage(text="write", command_id=CommandId("m"), by="ada"))
    await house.seen(first, "prompt_sent", number=2)
    await terminate(house, thread)
    await swept(house.sweep, first)
    ended = (await house.seen(first, "turn_ended", number=2)).body

    assert isinstance(ended, TurnEnded)
    assert ended.result.stop_reason is StopReason.CANCELLED
    assert ended.result.snapshot is not None
    assert ended.result.snapshot.diff_ref
    assert house.workspaces.commits[-1].checkpoint_ref == f"refs/treadle/{first}/2"
    view = await read(house, thread)
    assert [each.is_working for each in view.sessions if each.session_id == first] == [False]
    await swept(house.sweep, first)
    kinds = [event.body.kind for event in house.journal.events if event.stream == first]
    assert kinds.count("turn_ended") == 2
