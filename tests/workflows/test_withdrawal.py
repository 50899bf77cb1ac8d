"""Messages to a busy agent: the agent gets each, or its writer has it back."""

import asyncio

import pytest

from domain.conversations.commands import SendMessage, WithdrawMessage
from domain.core.errors import WrongStateError
from tests.played_agents import ended
from tests.workflows.conftest import House


class Held:
    """An agent that stays in its turns until it is let go, and knows what it was told."""

    def __init__(self, house: House):
        self.told = []
        self._go = asyncio.Event()
        house.runner.play = self._play

    async def _play(self, call):
        self.told.append(call.turn.prompt.fields.get("text", ""))
        await self._go.wait()
        return ended()

    def let_go(self):
        self._go.set()


async def test_a_message_that_waits_is_withdrawn_and_the_next_one_is_read(house: House):
    agent = Held(house)
    thread = await house.open("hello", is_planned=False)
    session = f"{thread.id}/session-1"
    await house.seen(session, "agent_session_opened")
    said = [
        await house.send(
            thread.id, SendMessage(command_id=f"m{n}", text=text, session_id=session, by="ada")
        )
        for n, text in enumerate(("wrong", "right"))
    ]
    await house.seen(session, "message_queued", number=3)
    back = WithdrawMessage(command_id="b", message_id=said[0].data["message_id"], by="ada")

    answers = [await house.send(session, back) for _ in range(2)]
    await house.send(session, back.model_copy(update={"command_id": "b2"}))
    agent.let_go()
    await house.seen(session, "turn_ended", number=2)

    assert [answer.message for answer in answers] == ["withdrawn", "withdrawn"]
    assert agent.told == ["hello", "right"]
    assert house.journal.kinds(session).count("message_withdrawn") == 1
    late = WithdrawMessage(command_id="b3", message_id=said[1].data["message_id"])
    with pytest.raises(WrongStateError, match="the agent has the message"):
        await house.send(session, late)


async def test_in_a_race_the_agent_gets_a_message_or_its_writer_has_it(house: House):
    agent = Held(house)
    thread = await house.open("hello", is_planned=False)
    session = f"{thread.id}/session-1"
    await house.seen(session, "agent_session_opened")
    for number in range(8):
        await house.send(session, SendMessage(command_id=f"m{number}", text=f"text {number}"))
    agent.let_go()

    async def back(number):
        try:
            await house.send(
                session, WithdrawMessage(command_id=f"b{number}", message_id=f"m{number}")
            )
        except WrongStateError:
            return ""
        return f"text {number}"

    given = [text for text in await asyncio.gather(*map(back, range(8))) if text]
    await house.seen(session, "turn_ended", number=9 - len(given))

    assert sorted([*agent.told, *given]) == sorted(["hello", *(f"text {n}" for n in range(8))])
