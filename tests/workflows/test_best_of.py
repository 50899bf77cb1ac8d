"""A task that several agents do at once, on real workflows: one is merged, the others are stopped."""

import asyncio

import pytest

from domain.agents.agents import AgentAnswer, AgentCall
from domain.core.approval_commands import Reject
from domain.core.approvals import decision_code
from domain.core.errors import TreadleError
from domain.core.event import Event
from domain.core.ids import TaskId
from domain.threads.contests.commands import Take
from domain.threads.patches import ALL
from tests.played_agents import done
from tests.workflows.conftest import House


def plan(ends: str = "all", gate: str = "ask", judge: str = "") -> dict[str, object]:
    best_of = {"agents": ["fake:a", "fake:b", "fake:c"], "ends": ends, "judge": judge}
    return {
        "summary": "s",
        "tasks": [
            {"id": "app", "title": "App", "bestOf": best_of, "gate": gate},
            {"id": "docs", "title": "Docs", "gate": "auto", "depends_on": ["app"]},
        ],
    }


def taking(thread: str, shown: Event, candidate: str, by: str = "tester") -> Take:
    request = shown.body.model_dump()["request"]
    request_id, content = request["request_id"], request["content_hash"]
    code = decision_code(b"test key", thread, request_id, f"take/{candidate}", content)
    return Take(
        request_id=request_id, content_hash=content, candidate=TaskId(candidate), code=code, by=by
    )


async def begun(house: House, ends: str = "all", gate: str = "ask", judge: str = "") -> str:
    thread = await house.open(patches=ALL)
    await house.approve(thread.id, await house.proposed(thread.id, plan(ends, gate, judge)))
    return thread.id


def merged(house: House, thread: str) -> list[str]:
    events = house.journal.events
    return [e.body.task_id for e in events if e.stream == thread and e.body.kind == "task_merged"]


async def test_one_is_taken_and_merged_and_the_others_end(house: House) -> None:
    thread = await begun(house)
    shown = await house.seen(thread, "candidates_shown")

    await house.send(thread, taking(thread, shown, "app.b"))
    await house.seen(thread, "plan_completed")

    assert merged(house, thread) == ["app.b", "docs"]
    ends = {
        e.stream.rpartition("/")[2]: e.body.end
        for e in house.journal.events
        if e.body.kind == "task_ended"
    }
    assert ends == {
        "app.a": "cancelled",
        "app.b": "accepted",
        "app.c": "cancelled",
        "docs": "accepted",
    }
    models = {c.turn.owner.rpartition("/")[2]: c.turn.model for c in house.runner.calls}
    assert models == {"app.a": "a", "app.b": "b", "app.c": "c", "docs": None} | {
        name: model for name, model in models.items() if not name.startswith(("app", "docs"))
    }


async def test_of_two_who_take_different_ones_at_once_one_wins(house: House) -> None:
    thread = await begun(house)
    shown = await house.seen(thread, "candidates_shown")
    takes = [taking(thread, shown, name) for name in ("app.a", "app.c")]

    answers = await asyncio.gather(*(house.send(thread, t) for t in takes), return_exceptions=True)
    await house.seen(thread, "plan_completed")

    refused = [answer for answer in answers if isinstance(answer, BaseException)]
    assert len(refused) == 1
    assert isinstance(refused[0], TreadleError)
    assert len([name for name in merged(house, thread) if name.startswith("app.")]) == 1


@pytest.mark.parametrize("gate", ["auto", "ask"])
async def test_the_first_that_passes_is_enough(house: House, gate: str) -> None:
    is_stopped = asyncio.Event()

    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.owner.endswith(("/app.a", "/app.c")):
            await is_stopped.wait()  # until the turn is cut off
        return done()

    house.runner.play = play
    thread = await begun(house, "first_passed", gate)
    shown = await house.seen(thread, "candidates_shown")
    if gate == "ask":
        await house.send(thread, taking(thread, shown, "app.b"))

    await house.seen(thread, "plan_completed")

    assert merged(house, thread) == ["app.b", "docs"]
    taken = await house.seen(thread, "candidate_taken")
    outcome = taken.body.model_dump()["decision"]["outcome"]
    assert outcome["by"] == ("policy" if gate == "auto" else "tester")


async def test_feedback_goes_to_all_that_passed_and_the_table_is_asked_about_again(
    house: House,
) -> None:
    thread = await begun(house)
    shown = await house.seen(thread, "candidates_shown")

    await house.reject(thread, shown, "no short option")
    again = await house.seen(thread, "candidates_shown", number=2)
    await house.send(thread, taking(thread, again, "app.c"))
    await house.seen(thread, "plan_completed")

    prompts = house.runner.prompts("task")
    assert prompts.count("gate-rejected") == 3
    assert merged(house, thread) == ["app.c", "docs"]
    assert Reject.door == "reject"


async def test_a_candidate_that_fails_leaves_the_choice_to_the_others(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.owner.endswith("/app.a"):
            return done().model_copy(update={"report": None})  # it never reports
        return done()

    house.runner.play = play
    thread = await begun(house)

    shown = await house.seen(thread, "candidates_shown")
    standings = [row["standing"] for row in shown.body.model_dump(mode="json")["rows"]]
    await house.send(thread, taking(thread, shown, "app.b"))
    await house.seen(thread, "plan_completed")

    assert standings == ["failed", "ready", "ready"]
    assert merged(house, thread) == ["app.b", "docs"]
