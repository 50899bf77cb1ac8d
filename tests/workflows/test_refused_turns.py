"""Turns that wait for their provider, budgets, full contexts, and more sessions on one task."""

from datetime import UTC, datetime, timedelta

from domain.agents.agents import AgentAnswer, AgentCall, ContextFill, Usage
from domain.conversations.commands import OpenSession, SendMessage, SkipWait, StopTurn, SwitchAgent
from domain.core.errors import RefusedByProviderError
from tests import played_agents
from tests.workflows.conftest import House

TWO = {
    "tasks": [
        {"id": "task-1", "title": "one"},
        {"id": "task-2", "title": "two", "agent": "other"},
    ]
}
ONE = {"tasks": [{"id": "task-1", "title": "one"}]}


def refuse_first(house: House, wait: timedelta) -> None:
    """Have the first turn of task-1 refused for a while."""

    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.owner.endswith("task-1") and not call.turn.refusals:
            raise RefusedByProviderError("Too Many Requests", datetime.now(UTC) + wait)
        return played_agents.done()

    house.runner.play = play


def turns_of(house: House, task: str) -> list[AgentCall]:
    return [call for call in house.runner.calls if call.turn.owner.endswith(task)]


async def started(house: House, plan: dict[str, object]) -> str:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    return thread.id


async def test_a_refused_turn_waits_while_other_providers_go_on(house: House) -> None:
    refuse_first(house, timedelta(hours=3))
    thread = await started(house, TWO)

    await house.seen(f"{thread}/task-2", "gate_opened")
    delayed = (await house.seen(f"{thread}/task-1", "turn_delayed")).body.model_dump()

    assert (delayed["provider"], delayed["refusals"]) == ("fake", 1)
    assert delayed["reason"] == "Too Many Requests"
    assert len(turns_of(house, "task-1")) == 1
    assert "task_ended" not in house.journal.kinds(f"{thread}/task-1")
    assert house.journal.shown[f"{thread}/task-1"].waiting_for.startswith("fake until")


async def test_a_person_can_skip_the_wait(house: House) -> None:
    refuse_first(house, timedelta(hours=3))
    thread = await started(house, ONE)
    await house.seen(f"{thread}/task-1", "turn_delayed")

    await house.send(f"{thread}/task-1", SkipWait(command_id="skip-1", by="tester"))

    await house.seen(f"{thread}/task-1", "gate_opened")
    first, second = turns_of(house, "task-1")
    assert second.turn.turn_id == first.turn.turn_id
    assert second.turn.is_urgent
    assert second.prompt.startswith("interrupted")
    assert second.agent_session == "agent-1"


async def test_the_turn_goes_on_by_itself_when_the_time_has_come(house: House) -> None:
    refuse_first(house, timedelta(seconds=1))
    thread = await started(house, ONE)

    await house.seen(f"{thread}/task-1", "gate_opened")

    assert [call.turn.refusals for call in turns_of(house, "task-1")] == [0, 1]


async def test_a_person_can_give_a_waiting_turn_to_another_agent(house: House) -> None:
    refuse_first(house, timedelta(hours=3))
    thread = await started(house, ONE)
    await house.seen(f"{thread}/task-1", "turn_delayed")

    switch = SwitchAgent(command_id="switch-1", agent="other", model="m", by="tester")
    await house.send(f"{thread}/task-1", switch)

    await house.seen(f"{thread}/task-1", "gate_opened")
    second = turns_of(house, "task-1")[1]
    assert (second.turn.agent, second.turn.model, second.agent_session) == ("other", "m", None)
    assert second.prompt.startswith("interrupted")
    assert "compacted" in second.prompt


async def test_a_session_waits_and_goes_on_like_a_task(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        if not call.turn.refusals:
            raise RefusedByProviderError("usage limit", datetime.now(UTC) + timedelta(hours=1))
        return played_agents.ended()

    house.runner.play = play
    thread = await house.open(is_planned=False)
    session = f"{thread.id}/session-1"
    await house.seen(session, "turn_delayed")

    await house.send(session, SkipWait(command_id="skip-1", by="tester"))
    await house.seen(session, "turn_ended")

    assert [call.turn.refusals for call in house.runner.calls] == [0, 1]


async def test_a_planner_that_is_stopped_while_it_waits_is_told_of(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        raise RefusedByProviderError("quota", datetime.now(UTC) + timedelta(hours=3))

    house.runner.play = play
    thread = await house.open(has_plan=False)
    session = (await house.seen(thread.id, "session_opened")).body.model_dump()["session_id"]
    await house.seen(session, "turn_delayed")

    await house.send(session, StopTurn(command_id="stop-1", by="tester"))

    failed = (await house.seen(thread.id, "planning_failed")).body.model_dump()
    assert failed["reason"] == "its turn was stopped"


async def test_a_session_that_waits_can_be_given_to_another_agent(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        if not call.turn.refusals:
            raise RefusedByProviderError("usage limit", datetime.now(UTC) + timedelta(hours=1))
        return played_agents.ended()

    house.runner.play = play
    thread = await house.open(is_planned=False)
    session = f"{thread.id}/session-1"
    await house.seen(session, "turn_delayed")

    switch = SwitchAgent(command_id="switch-1", agent="other", model="m", by="tester")
    answer = await house.send(session, switch)
    await house.seen(session, "turn_ended")

    assert answer.message == f"{session} continues now with other"
    [first, second] = [call.turn for call in house.runner.calls]
    assert (second.turn_id, second.agent, second.model) == (first.turn_id, "other", "m")
    assert second.agent_session is None


async def test_tokens_are_counted_warned_of_and_end_a_run(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        usage = Usage(input_tokens=80, output_tokens=10)
        return played_agents.ended().model_copy(
            update={"usage": usage, "tool_calls": 2, "text": "Hm."}
        )

    house.runner.play = play
    thread = await started(house, {"tasks": [{"id": "task-1", "title": "one", "max_tokens": 110}]})
    await house.seen(f"{thread}/task-1", "task_ended")
    reported = (await house.seen(thread, "task_reported")).body.model_dump()

    assert "limit of tokens is used up (180 of 110)" in reported["reason"]
    assert reported["stats"]["prompt_tokens"] == 160
    assert reported["stats"]["tool_calls"] == 4
    assert reported["output"] == "Hm."
    warned = await house.seen(f"{thread}/task-1", "resource_warned")
    assert warned.body.model_dump()["message"] == "90 of the task's 110 tokens are used"


async def test_a_full_context_is_compacted_by_the_agent_or_goes_on_fresh(house: House) -> None:
    full = ContextFill(used=96_000, size=100_000)

    async def play(call: AgentCall) -> AgentAnswer:
        number = len(turns_of(house, "task-1"))
        offered = "compact" if number == 1 else ""
        context = full if number in {1, 3} else ContextFill(used=9_000, size=100_000)
        answer = played_agents.done() if number > 3 else played_agents.ended()
        return answer.model_copy(update={"context": context, "compact_command": offered})

    house.runner.play = play
    thread = await started(house, ONE)
    await house.seen(f"{thread}/task-1", "gate_opened")

    prompts = [call.prompt for call in turns_of(house, "task-1")]
    assert prompts[1] == "message: {'text': '/compact'}"
    assert prompts[2].startswith("report-missing")
    assert prompts[3].startswith("compacted")
    assert turns_of(house, "task-1")[3].agent_session is None
    assert house.journal.kinds(f"{thread}/task-1").count("context_compacted") == 2


async def test_a_compaction_without_a_summary_goes_on_fresh_and_says_so(house: House) -> None:
    full = ContextFill(used=96_000, size=100_000)

    async def play(call: AgentCall) -> AgentAnswer:
        number = len(turns_of(house, "task-1"))
        answer = played_agents.done() if number > 2 else played_agents.ended()
        context = None if number > 1 else full
        return answer.model_copy(update={"context": context, "compact_command": "compact"})

    house.runner.play = play
    thread = await started(house, ONE)
    await house.seen(f"{thread}/task-1", "gate_opened")

    _, compacting, fresh = turns_of(house, "task-1")
    assert compacting.prompt == "message: {'text': '/compact'}"
    assert fresh.prompt.startswith("compacted")
    assert fresh.agent_session is None
    warned = await house.seen(f"{thread}/task-1", "resource_warned", number=2)
    assert "brought no summary" in warned.body.model_dump()["message"]


async def test_one_more_session_works_on_the_tasks_directory_in_turn(house: House) -> None:
    thread = await started(house, ONE)
    task = f"{thread}/task-1"
    first = await house.seen(task, "gate_opened")

    opened = await house.send(task, OpenSession(command_id="open-1", agent="other", by="tester"))
    session = opened.data["session_id"]
    say = SendMessage(command_id="say-1", text="tidy up", session_id=session, by="tester")
    await house.send(task, say)
    second = await house.seen(task, "gate_opened", number=2)

    chat = house.runner.calls[-1].turn
    assert (chat.session_id, chat.role, chat.agent) == (session, "chat", "other")
    assert chat.workspace == turns_of(house, "task-1")[0].turn.workspace
    assert "gate_withdrawn" in house.journal.kinds(task)
    assert (
        first.body.model_dump()["snapshot"]["tree"] != second.body.model_dump()["snapshot"]["tree"]
    )
    await house.approve(task, second)
    await house.seen(thread, "plan_completed")
    assert session in house.runner.closed
