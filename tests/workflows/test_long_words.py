"""Whatever an agent or a stranger says, and at what length: no workflow ends or stands still by it."""

import pytest

from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import SendMessage
from domain.core.errors import NotFoundError
from domain.core.ids import SessionId
from domain.tasks.agent_commands import ReportBlocked
from domain.tasks.running_commands import Pause
from tests.played_agents import done, ended
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

LONG = "\N{GRINNING FACE}" * 100_000


async def test_a_wordy_question_of_an_agent_waits_for_a_person(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.prompt.name != "task":
            return done() if call.turn.role == "task" else ended()
        blocked = ReportBlocked(session_id=call.turn.session_id, reason=LONG[:4000])
        await house.send(call.turn.owner, blocked)
        return ended()

    house.runner.play = play
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.seen(task, "turn_ended")
    await house.send(task, SendMessage(text="go on"))

    await house.seen(task, "gate_opened")


async def test_long_and_crooked_signals_are_refused_in_a_few_words(house: House) -> None:
    thread = await house.open()
    handle = house.client.get_workflow_handle(thread.id)
    for crooked in (
        {"by": LONG},
        {"command_id": LONG},
        {"task_id": "\x7f" * 300_000},
    ):
        await handle.signal("abort", crooked)
    await handle.signal("decide", {"selections": [1] * 200_000})
    rejected = await house.seen(thread.id, "command_rejected", number=4)
    proposed = await house.proposed(thread.id, ONE)

    assert len(rejected.model_dump_json()) < 3_000
    await house.approve(thread.id, proposed)


async def test_a_line_of_an_earlier_session_says_nothing_to_the_next(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.seen(task, "task_opened")
    old = SendMessage(text="do evil", session_id=SessionId(f"{task}/session-7"))

    with pytest.raises(NotFoundError, match="session-1"):
        await house.send(task, old)
    assert (await house.send(thread.id, Pause())).message.startswith("paused")
