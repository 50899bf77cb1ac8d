"""Tasks whose work is reviewed by an agent before it comes to the gate."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import SendMessage, SkipWait, StopTurn, SwitchAgent
from domain.core.errors import AgentError, InvalidError, RefusedByProviderError, UnknownAgentError
from domain.core.workspaces import MergeCandidate
from domain.plans.settings import PlannerSettings
from domain.tasks.agent_commands import SubmitReview
from tests import played_agents
from tests.workflows.conftest import House

APPROVE = {"verdict": "approve", "summary": "Fine."}
CHANGES = {
    "verdict": "request_changes",
    "summary": "Not yet.",
    "findings": [{"file": "a.py", "line": 3, "severity": "major", "text": "It leaks."}],
}
Review = Callable[[House, AgentCall], Any]


def plan(*steps: dict[str, object], **fields: object) -> dict[str, object]:
    return {"tasks": [{"id": "task-1", "title": "one", "verification": [*steps], **fields}]}


def review(**fields: object) -> dict[str, object]:
    return {"type": "review_agent", "label": "Security", "prompt": "Look for leaks.", **fields}


MAKE = {"type": "command", "label": "make", "command": "make"}


def says(*sent: object) -> Review:
    """A reviewer that submits these, one a turn; None submits nothing."""
    left = list(sent)

    async def play(house: House, call: AgentCall) -> AgentAnswer:
        given = left.pop(0)
        if given is not None:
            submitted = SubmitReview(session_id=call.turn.session_id, review=given)
            await house.send(call.turn.owner, submitted)
        return played_agents.ended()

    return play


async def started(house: House, proposed: dict[str, object], reviewer: Review, **more: Any) -> str:
    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.agent == "nobody":
            raise UnknownAgentError("no agent 'nobody'; known: fake")
        if call.turn.role == "code_reviewer":
            return await reviewer(house, call)
        return played_agents.done()

    house.runner.play = play
    thread = await house.open(**more)
    await house.approve(thread.id, await house.proposed(thread.id, proposed))
    return f"{thread.id}/task-1"


def reviews(house: House) -> list[AgentCall]:
    return [call for call in house.runner.calls if call.turn.role == "code_reviewer"]


async def result_of(house: House, task: str, number: int = 1) -> dict[str, Any]:
    ended = await house.seen(task, "verification_step_ended", number=number)
    return ended.body.model_dump(mode="json")["result"]


async def test_an_approved_review_leads_to_the_gate(house: House) -> None:
    minor = {"severity": "minor", "text": "A name could be better.", "file": "a.py"}
    task = await started(house, plan(MAKE, review()), says({**APPROVE, "findings": [minor]}))
    opened = await house.seen(task, "gate_opened")

    (call,) = reviews(house)
    assert call.turn.workspace.kind == "planning"
    assert call.turn.workspace.base == opened.body.model_dump()["snapshot"]["commit"]
    assert call.turn.commit is None
    assert call.turn.time_limit == timedelta(minutes=10)
    for words in ("Look for leaks.", "- make", "diff 0000", "did it"):
        assert words in call.prompt
    result = await result_of(house, task, 2)
    assert (result["passed"], result["reviewed_by"]) == (True, "fake")
    assert [f["text"] for f in result["findings"]] == ["A name could be better."]
    await house.approve(task, opened)
    await house.seen(task, "task_ended")
    assert call.turn.session_id in house.runner.closed
    assert call.turn.workspace.workspace_id in house.workspaces.released


async def test_changes_that_a_reviewer_wants_go_to_the_agent_and_are_checked(house: House) -> None:
    task = await started(house, plan(review()), says(CHANGES, APPROVE))
    await house.seen(task, "gate_opened")

    worked = [c for c in house.runner.calls if c.turn.role == "task"]
    assert [c.turn.prompt.name for c in worked] == ["task", "verification-failed"]
    assert "a.py:3 (major): It leaks." in worked[1].prompt
    first, second = reviews(house)
    assert first.turn.session_id != second.turn.session_id
    assert second.agent_session is None
    assert "It leaks." not in first.prompt
    assert "a.py:3 (major): It leaks." in second.prompt
    assert first.turn.workspace.base != second.turn.workspace.base


async def test_a_reviewer_without_a_review_is_asked_again(house: House) -> None:
    task = await started(house, plan(review()), says(None, APPROVE))
    await house.seen(task, "gate_opened")

    first, second = reviews(house)
    assert [c.turn.prompt.name for c in (first, second)] == ["review", "review-missing"]
    assert first.turn.session_id == second.turn.session_id
    assert second.agent_session == "agent-1"


async def test_a_reviewer_that_cannot_call_tools_answers_in_one_block(house: House) -> None:
    replies = ['```json\n{"verdict": "fine"}\n```', '```json\n{"verdict": "approve"}\n```']

    async def play(house: House, call: AgentCall) -> AgentAnswer:
        return played_agents.ended().model_copy(update={"text": replies.pop(0)})

    task = await started(house, plan(review()), play)
    await house.seen(task, "gate_opened")

    assert "verdict: 'fine'; give one of" in reviews(house)[1].prompt


async def test_a_refused_review_says_all_that_is_wrong_with_it(house: House) -> None:
    told: list[str] = []

    async def play(house: House, call: AgentCall) -> AgentAnswer:
        bad = {"verdict": "maybe", "findings": [{"text": "x"}]}
        with pytest.raises(InvalidError) as refused:
            await house.send(
                call.turn.owner, SubmitReview(session_id=call.turn.session_id, review=bad)
            )
        told.append(refused.value.message)
        return await says(APPROVE)(house, call)

    task = await started(house, plan(review()), play)
    await house.seen(task, "gate_opened")

    assert [line.split(":")[0] for line in told[0].splitlines()] == [
        "verdict",
        "findings[0].severity",
    ]


async def test_a_review_that_cannot_be_made_waits_for_a_person(house: House) -> None:
    task = await started(house, plan(MAKE, review(agent="nobody")), says())
    ended = (await house.seen(task, "verification_ended")).body.model_dump()

    assert not ended["passed"]
    assert ended["held"].startswith("Security by nobody was not made: no agent 'nobody'")
    result = await result_of(house, task, 2)
    assert (result["passed"], result["is_executed"]) == (False, False)
    assert house.journal.shown[task].waiting_for.startswith("a person: Security by nobody")
    assert house.runner.prompts("task") == ["task"]

    again = await house.send(task, SkipWait(command_id="skip-1", by="tester"))
    assert again.message == "verifying everything again"
    await house.seen(task, "verification_ended", number=2)
    assert house.verifier.ran == ["make", "make"]


async def test_another_agent_makes_a_review_that_one_could_not_make(house: House) -> None:
    reviewer = says(CHANGES, APPROVE)
    task = await started(house, plan(review(agent="nobody")), reviewer)
    await house.seen(task, "verification_ended")

    await house.send(task, SwitchAgent(agent="fake", command_id="switch-1", by="tester"))

    await house.seen(task, "gate_opened")
    assert [call.turn.agent for call in reviews(house)] == ["nobody", "fake", "fake"]


async def test_what_was_approved_is_not_reviewed_again_as_it_is(house: House) -> None:
    steps = (review(), review(label="Style", prompt="Look at names.", agent="nobody"))
    task = await started(house, plan(*steps), says(APPROVE, APPROVE))
    await house.seen(task, "verification_ended")

    await house.send(task, SwitchAgent(agent="fake", command_id="switch-1", by="tester"))

    await house.seen(task, "gate_opened")
    names = [call.turn.session_id.rpartition("review-")[2] for call in reviews(house)]
    assert names == ["1-step-1", "1-step-2", "2-step-2"]


async def test_a_message_takes_a_task_back_to_its_agent(house: House) -> None:
    async def dies(house: House, call: AgentCall) -> AgentAnswer:
        raise AgentError("it exited with code 3")

    task = await started(house, plan(review()), dies, planner=PlannerSettings(review_agent="other"))
    await house.seen(task, "verification_ended")
    assert [call.turn.agent for call in reviews(house)] == ["other"]

    await house.send(task, SendMessage(text="fix it", command_id="say-1"))

    await house.seen(task, "verification_ended", number=2)
    assert house.runner.prompts("task") == ["task", "message"]
    assert "task_ended" not in house.journal.kinds(task)


async def test_an_optional_review_that_is_not_made_blocks_nothing(house: House) -> None:
    async def silent(house: House, call: AgentCall) -> AgentAnswer:
        await asyncio.Event().wait()
        raise AssertionError

    task = await started(house, plan(review(required=False, timeout=200), MAKE), silent)
    await house.seen(task, "gate_opened")

    result = await result_of(house, task)
    assert "it took longer than 0.2 s" in result["output"]
    assert house.verifier.ran == ["make"]


async def test_a_review_goes_on_when_its_provider_takes_turns_again(house: House) -> None:
    async def refused(house: House, call: AgentCall) -> AgentAnswer:
        if not call.turn.refusals:
            raise RefusedByProviderError("Too Many Requests", datetime.now(UTC) + timedelta(1))
        return await says(APPROVE)(house, call)

    task = await started(house, plan(review()), refused)
    await house.seen(task, "turn_delayed")
    await house.send(task, SkipWait(command_id="skip-1", by="tester"))

    await house.seen(task, "gate_opened")


async def test_a_person_stops_a_review(house: House) -> None:
    begun = asyncio.Event()

    async def hangs(house: House, call: AgentCall) -> AgentAnswer:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    task = await started(house, plan(review()), hangs)
    await begun.wait()
    await house.send(task, StopTurn())

    ended = (await house.seen(task, "verification_ended")).body.model_dump()
    assert ended["held"] == "Security by fake was not made: a person stopped it"


async def test_reviews_are_not_made_again_of_what_a_merge_makes(house: House) -> None:
    house.workspaces.candidates["task-1"] = MergeCandidate(commit="c" * 40, tree="d" * 40)
    task = await started(house, plan(MAKE, review(), gate="auto"), says(APPROVE))
    thread = task.partition("/")[0]
    await house.seen(thread, "plan_completed")

    assert house.verifier.ran == ["make", "make"]
    assert len(reviews(house)) == 1


async def test_a_plan_without_tasks_is_reviewed_too(house: House) -> None:
    raw = {"summary": "do it", "verification": [review()]}
    task = await started(house, raw, says(APPROVE))

    await house.seen(task.replace("task-1", "main"), "gate_opened")
    assert len(reviews(house)) == 1
