"""A plan that runs, on real workflows: the coordinator's prompt, learnings, verbs in a chat."""

from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import SendMessage
from domain.core.ids import SessionId
from domain.plans.settings import PlannerSettings
from domain.tasks.agent_commands import RecordLearning
from domain.tasks.running_commands import Resume
from domain.threads.planning.commands import RequestAmendment, RequestPlan
from tests.played_agents import Play, done, ended
from tests.workflows.conftest import House

TWO = {
    "summary": "s",
    "tasks": [
        {"id": "one", "title": "One", "gate": "auto"},
        {"id": "two", "title": "Two", "gate": "auto", "depends_on": ["one"]},
    ],
}


LEARNED = "- from task one (was unexpected): ids are UUIDs"


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


def learning(house: House) -> Play:
    """Return how agents play: the one of task one finds something out."""

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

    return play


async def test_what_a_task_learned_stands_in_the_prompt_of_the_next(house: House) -> None:
    house.runner.play = learning(house)
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, TWO))
    await house.seen(thread.id, "plan_completed")

    told = [
        call.turn.prompt.fields["learnings"]
        for call in house.runner.calls
        if call.turn.owner == f"{thread.id}/two"
    ]
    assert told == [LEARNED]
    assert house.journal.kinds(thread.id).count("learnings_added") == 1


async def test_planners_know_what_tasks_learned_during_a_plan_and_after_it(house: House) -> None:
    house.runner.play = learning(house)
    thread = await house.open()
    first, second = TWO["tasks"]
    plan = {**TWO, "tasks": [first, {**second, "gate": "ask"}]}
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    gate = await house.seen(f"{thread.id}/two", "gate_opened")
    asked = await house.send(thread.id, RequestAmendment(command_id="a-1", text="one more"))
    changing = SessionId(asked.data["session_id"])
    await house.seen(changing, "prompt_sent")
    await house.approve(f"{thread.id}/two", gate)
    await house.seen(thread.id, "plan_completed")
    later = await house.send(thread.id, RequestPlan(command_id="p-1", goal="the next thing"))
    planning = SessionId(later.data["session_id"])
    await house.seen(planning, "turn_ended")

    prompts = {c.turn.session_id: c.turn.prompt for c in reversed(house.runner.calls)}
    told = {prompts[s].name: prompts[s].fields["learnings"] for s in (changing, planning)}
    assert told == {"amendment-planner": LEARNED, "planner": LEARNED}


async def test_a_verb_in_a_chat_is_answered_at_once_and_starts_no_agent(house: House) -> None:
    thread = await house.open()
    await house.seen(f"{thread.id}/session-1", "turn_started")
    answer = await house.send(thread.id, SendMessage(text="/plan status", command_id="m-1"))
    assert answer.data["verb"] == "status"
    assert answer.message.startswith("planning")
    assert not [call for call in house.runner.calls if call.turn.prompt.name == "message"]


async def test_a_check_that_fails_again_and_again_pauses_the_plan_and_says_so(house: House) -> None:
    house.verifier.failures["make"] = 2
    make = {"type": "command", "command": "make"}
    first, second = TWO["tasks"]
    plan = {**TWO, "tasks": [{**first, "verification": [make]}, second]}
    settings = PlannerSettings(supervision_pauses=True, supervision_failures=2)
    thread = await house.open(planner=settings)
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    paused = (await house.seen(thread.id, "plan_status_changed")).body.model_dump()
    await house.seen(f"{thread.id}/one", "task_ended")

    assert (paused["status"], paused["by"]) == ("paused", "supervision")
    raised = (await house.seen(thread.id, "supervision_raised")).body.model_dump()
    assert (raised["concern"], raised["task_id"]) == ("repeated_failures", "one")
    assert raised["message"] == "the step 'make' failed 2 times"
    told = await house.send(thread.id, SendMessage(text="/plan status", command_id="m-1"))
    assert "paused" in told.message
    assert "task_started" not in house.journal.kinds(f"{thread.id}/two")
    await house.send(thread.id, Resume(command_id="r-1"))
    await house.seen(thread.id, "plan_completed")
