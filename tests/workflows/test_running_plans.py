"""A plan that runs, on real workflows: the coordinator's prompt, learnings, verbs in a chat."""

from domain.commands import RecordLearning, SendMessage
from domain.ports import AgentAnswer, AgentCall
from tests.fakes import done, ended
from tests.workflows.conftest import House

TWO = {
    "summary": "s",
    "tasks": [
        {"id": "one", "title": "One", "gate": "auto"},
        {"id": "two", "title": "Two", "gate": "auto", "depends_on": ["one"]},
    ],
}


async def test_a_message_after_the_approval_reaches_a_fresh_agent_that_knows_the_plan(
    house: House,
) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, TWO))
    await house.seen(thread.id, "plan_completed")
    before = [call.turn.session_id for call in house.runner.calls]
    answer = await house.send(thread.id, SendMessage(text="what was done?", command_id="m-1"))
    session = answer.data["session_id"]
    assert session not in before, "it costs nothing before somebody speaks to it"
    await house.seen(session, "turn_ended")

    [turn] = [call.turn for call in house.runner.calls if call.turn.session_id == session]
    assert turn.prompt.name == "coordinator"
    assert turn.prompt.fields["text"] == "what was done?"
    assert "- two: completed (after one): Two" in turn.prompt.fields["tasks"]


async def test_what_a_task_learned_stands_in_the_prompt_of_the_next(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        turn = call.turn
        if turn.role != "task":
            return ended()
        if turn.owner.endswith("/one"):
            learned = RecordLearning(
                session_id=turn.session_id,
                turn_id=turn.turn_id,
                learning="unexpected",
                text="ids are UUIDs",
            )
            await house.send(turn.owner, learned)
        return done()

    house.runner.play = play
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, TWO))
    await house.seen(thread.id, "plan_completed")

    told = [
        call.turn.prompt.fields["learnings"]
        for call in house.runner.calls
        if call.turn.owner == f"{thread.id}/two"
    ]
    assert told == ["- from task one (was unexpected): ids are UUIDs"]
    assert house.journal.kinds(thread.id).count("learnings_added") == 1


async def test_a_verb_in_a_chat_is_answered_at_once_and_starts_no_agent(house: House) -> None:
    thread = await house.open()
    await house.seen(f"{thread.id}/session-1", "turn_started")
    answer = await house.send(thread.id, SendMessage(text="/plan status", command_id="m-1"))
    assert answer.data["verb"] == "status"
    assert answer.message.startswith("planning")
    assert not [call for call in house.runner.calls if call.turn.prompt.name == "message"]
