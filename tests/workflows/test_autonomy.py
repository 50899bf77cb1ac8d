"""A plan runs as freely as the person who approved it said: gates that close, tasks that plan first."""

import json

import pytest

from domain.agents.agents import AgentAnswer, AgentCall
from domain.core.approval_commands import Approve
from domain.core.approvals import decision_code
from domain.core.autonomy import Autonomy
from domain.core.errors import ForbiddenError, InvalidError
from domain.core.ids import RequestId
from tests import played_agents
from tests.workflows.conftest import House

TWO = {"tasks": [{"id": "one", "title": "one"}, {"id": "two", "title": "two", "gate": "ask"}]}


async def approved(house: House, autonomy: Autonomy, code_for: Autonomy | None = None) -> str:
    """Open a thread whose plan is approved with a autonomy; returns its id."""
    thread = await house.open()
    asked = (await house.proposed(thread.id, TWO)).body.model_dump()["request"]
    code = decision_code(
        b"test key",
        thread.id,
        asked["request_id"],
        f"approve/{code_for or autonomy}",
        asked["content_hash"],
    )
    approval = Approve(
        request_id=asked["request_id"],
        content_hash=asked["content_hash"],
        code=code,
        by="ada",
        autonomy=autonomy,
    )
    await house.send(thread.id, approval)
    return thread.id


async def test_with_auto_gates_close_by_the_policy_but_where_the_plan_asks(house: House) -> None:
    thread = await approved(house, Autonomy.AUTO)
    closed = (await house.seen(f"{thread}/one", "gate_decided")).body.model_dump()["outcome"]
    asked = await house.seen(f"{thread}/two", "gate_opened")
    assert closed["decider"] == "policy"
    chosen = (await house.seen(thread, "plan_decided")).body.model_dump()["outcome"]
    assert (chosen["by"], chosen["decider"], chosen["autonomy"]) == ("ada", "person", "auto")

    await house.approve(f"{thread}/two", asked)
    await house.seen(thread, "plan_completed")


async def test_with_each_plan_every_task_waits_for_the_persons_word_on_its_plan(
    house: House,
) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        if call.turn.role == "task_planner":
            plan = f"My plan:\n\n```json\n{json.dumps({'steps': ['Do it.']})}\n```"
            return played_agents.ended().model_copy(update={"text": plan})
        return played_agents.done()

    house.runner.play = play
    thread = await approved(house, Autonomy.EACH_PLAN)
    for name in ("one", "two"):
        task = f"{thread}/{name}"
        await house.approve(task, await house.seen(task, "task_plan_asked"))
        await house.approve(task, await house.seen(task, "gate_opened"))
    await house.seen(thread, "plan_completed")


async def test_a_code_for_one_autonomy_gets_no_other(house: House) -> None:
    with pytest.raises(ForbiddenError):
        await approved(house, Autonomy.AUTO, code_for=Autonomy.GATES)


async def test_a_gate_is_not_approved_with_a_autonomy(house: House) -> None:
    thread = await approved(house, Autonomy.GATES)
    gate = (await house.seen(f"{thread}/one", "gate_opened")).body.request
    request = RequestId(gate.request_id)
    subject = (f"{thread}/one", request, "approve/auto", gate.content_hash)
    verdict = Approve(
        request_id=request,
        content_hash=gate.content_hash,
        code=decision_code(b"test key", *subject),
        autonomy=Autonomy.AUTO,
    )
    with pytest.raises(InvalidError, match="not of a verified change"):
        await house.send(f"{thread}/one", verdict)
