"""Turns that the thread's agent takes without a message, on real workflows: when the thread hears of their end."""

import asyncio
from typing import Any

from temporalio.client import WorkflowHandle

from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import Close, SendMessage, StopTurn
from domain.core.ids import CommandId, SessionId
from domain.plans.settings import PlannerSettings
from domain.threads.patches import ALL
from tests.played_agents import Play, done, ended
from tests.workflows.conftest import House
from tests.workflows.test_main_job import MAKE
from workflows import ThreadWorkflow

FAILING = {
    "summary": "s",
    "tasks": [
        {"id": name, "title": name, "max_retries": 1, "verification": [MAKE]}
        for name in ("one", "two")
    ],
}


async def opened(house: House, play: Play, **settings: Any) -> WorkflowHandle[ThreadWorkflow, str]:
    """Open a thread whose tasks will fail once its plan is approved; its planner is a chat."""
    house.verifier.failures["make"] = 9
    house.runner.play = play
    planner = PlannerSettings(own_turns_wait_seconds=0, **settings)
    return await house.open(patches=ALL, planner=planner)


def playing(names: list[str], **waits: asyncio.Event) -> Play:
    """Note the prompts that the thread's agent gets; at some it waits for an event."""

    async def play(call: AgentCall) -> AgentAnswer:
        turn = call.turn
        if turn.role == "task":
            return done()
        names.append(turn.prompt.name)
        if (event := waits.get(turn.prompt.name.replace("-", "_"))) is not None:
            await event.wait()
        return ended()

    return play


async def test_a_failure_brings_a_turn_to_a_session_that_nobody_spoke_to(house: House) -> None:
    names: list[str] = []
    thread = await opened(house, playing(names), max_parallel_steps=1)
    await house.approve(thread.id, await house.proposed(thread.id, FAILING))
    await house.seen(thread.id, "own_turn_ended", number=2)
    turns = [call.turn for call in house.runner.calls if call.turn.prompt.name == "own-turn"]
    assert [turn.prompt.fields["text"][:18] for turn in turns] == [
        "- Task one failed:",
        "- Task two failed:",
    ]
    assert "one: failed" in turns[0].prompt.fields["tasks"]
    assert len({turn.session_id for turn in turns}) == 1


async def test_what_happens_in_a_turn_of_its_own_waits_for_the_next(house: House) -> None:
    names: list[str] = []
    more = asyncio.Event()
    thread = await opened(house, playing(names, own_turn=more))
    await house.approve(thread.id, await house.proposed(thread.id, FAILING))
    await house.seen(thread.id, "task_settled", number=2)
    assert house.journal.kinds(thread.id).count("own_turn_taken") == 1
    more.set()
    await house.seen(thread.id, "own_turn_ended", number=2)
    assert names.count("own-turn") == 2


async def test_a_turn_that_a_person_stops_is_over_for_the_thread(house: House) -> None:
    thread = await opened(house, playing([], own_turn=asyncio.Event()), own_turns=1)
    await house.approve(thread.id, await house.proposed(thread.id, FAILING))
    taken = await house.seen(thread.id, "own_turn_taken")
    session = taken.body.model_dump()["session_id"]
    await house.seen(session, "prompt_sent")
    await house.send(session, StopTurn(by="tester"))
    await house.seen(thread.id, "own_turn_ended")


async def test_a_turn_whose_session_is_closed_is_over_for_the_thread(house: House) -> None:
    names: list[str] = []
    thread = await opened(house, playing(names, coordinator=asyncio.Event()), own_turns=1)
    await house.approve(thread.id, await house.proposed(thread.id, FAILING))
    answer = await house.send(thread.id, SendMessage(text="wait", command_id=CommandId("m-1")))
    session = SessionId(answer.data["session_id"])
    taken = await house.seen(thread.id, "own_turn_taken")
    key = taken.body.model_dump()["key"]
    await house.journal.until(
        lambda event: (event.stream, getattr(event.body, "message_id", "")) == (session, key)
    )
    await house.send(session, Close(by="tester"))
    await house.send(session, StopTurn(by="tester"))
    await house.seen(thread.id, "own_turn_ended")
    assert "own-turn" not in names
