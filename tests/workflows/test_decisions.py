"""Gates on real workflows: every door, every wrong key, every race."""

import asyncio

import pytest

from api.sessions.signal_lines import selections_of
from domain.core.approval_commands import Approve, Decide, Reject
from domain.core.approvals import content_hash, decision_code
from domain.core.errors import AlreadyDecidedError, ForbiddenError, NotFoundError, NotShownError
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE


@pytest.fixture
async def gate(house: House) -> tuple[str, dict[str, str]]:
    """A task at its gate, and its request."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    opened = await house.seen(task, "gate_opened")
    return task, opened.body.model_dump()["request"]


async def test_a_decision_without_its_code_is_refused(
    house: House, gate: tuple[str, dict[str, str]]
) -> None:
    task, request = gate
    bare = Approve(request_id=request["request_id"], content_hash=request["content_hash"])
    with pytest.raises(ForbiddenError):
        await house.send(task, bare)


async def test_the_code_of_a_rejection_does_not_approve(
    house: House, gate: tuple[str, dict[str, str]]
) -> None:
    task, request = gate
    rejection = house.verdict(task, Reject, request, feedback="no")
    stolen = Approve(**rejection.model_dump(exclude={"feedback"}))
    with pytest.raises(ForbiddenError):
        await house.send(task, stolen)


async def test_a_decision_on_other_content_is_refused(
    house: House, gate: tuple[str, dict[str, str]]
) -> None:
    task, request = gate
    with pytest.raises(NotShownError):
        await house.send(task, house.verdict(task, Approve, {**request, "content_hash": "0" * 64}))


async def test_an_unknown_request_is_not_found(
    house: House, gate: tuple[str, dict[str, str]]
) -> None:
    task, request = gate
    with pytest.raises(NotFoundError):
        await house.send(task, house.verdict(task, Approve, {**request, "request_id": "gate-9"}))


async def test_the_same_decision_twice_is_answered_alike(house: House) -> None:
    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    first = await house.approve(thread.id, proposed)
    assert await house.approve(thread.id, proposed) == first


async def test_the_opposite_decision_is_told_the_outcome(house: House) -> None:
    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    await house.approve(thread.id, proposed)
    with pytest.raises(AlreadyDecidedError, match="approved by 'tester'"):
        await house.reject(thread.id, proposed, "no")


async def test_of_ten_contradicting_decisions_one_wins(house: House) -> None:
    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    ways = [house.approve(thread.id, proposed), house.reject(thread.id, proposed, "no")] * 5
    answers = await asyncio.gather(*(_fresh(way) for way in ways[:2]), return_exceptions=True)
    assert sum(isinstance(answer, AlreadyDecidedError) for answer in answers) == 1
    for way in ways[2:]:
        way.close()


async def _fresh(way: object) -> object:
    return await way


async def test_a_signal_with_the_code_decides(
    house: House, gate: tuple[str, dict[str, str]]
) -> None:
    task, request = gate
    code = decision_code(
        b"test key", task, request["request_id"], "approve", request["content_hash"]
    )
    handle = house.client.get_workflow_handle(task)
    payload = {**request, "code": code, "by": "terminal"}
    await handle.signal("approve", payload)
    decided = await house.seen(task, "gate_decided")
    assert decided.body.model_dump()["outcome"]["by"] == "terminal"


@pytest.mark.parametrize(
    ("payload", "type_"),
    [
        ({"request_id": "x", "content_hash": "y", "code": "forged"}, "code_refused"),
        ({"nonsense": True}, "invalid"),
        ("not even an object", "invalid"),
        (None, "invalid"),
    ],
)
async def test_a_bad_signal_leaves_a_trace_and_changes_nothing(
    house: House, gate: tuple[str, dict[str, str]], payload: object, type_: str
) -> None:
    task, request = gate
    await house.client.get_workflow_handle(task).signal("approve", payload)
    rejected = await house.seen(task, "command_rejected")
    assert rejected.body.model_dump()["type"] == type_
    await house.send(task, house.verdict(task, Approve, request))


async def test_several_options_are_chosen_by_the_line_that_leaves_them_open(house: House) -> None:
    options = [{"label": name} for name in ("auth", "logs", "metrics")]
    asked = {"id": "features", "question": "Which?", "options": options, "multi_select": True}
    task = {"id": "task-1", "title": "one", "decision_id": "features", "gate": "auto"}
    thread = await house.open()
    proposed = await house.proposed(
        thread.id, {"summary": "s", "decisions": [asked], "tasks": [task]}
    )
    await house.approve(thread.id, proposed)
    await house.seen(thread.id, "decision_asked")
    decision = (await house.seen(thread.id, "plan_proposed")).body.plan.decisions[0]
    lines = dict(selections_of(decision, decision.id, content_hash(decision)))
    line = lines["several: replace each OPTION"]
    code = decision_code(b"test key", thread.id, line.request, line.choice, line.content)
    chosen = line.model_copy(update={"code": code, "selections": ("logs", "auth")})

    with pytest.raises(ForbiddenError):
        await house.send(thread.id, chosen.model_copy(update={"is_open": False}))
    one = Decide(decision_id=decision.id, content_hash=line.content, selections=("auth",))
    code = decision_code(b"test key", thread.id, one.request, one.choice, one.content)
    with pytest.raises(ForbiddenError):
        await house.send(thread.id, chosen.model_copy(update={"code": code}))
    await house.send(thread.id, chosen)
    made = await house.seen(thread.id, "decision_made")

    assert made.body.selections == ("auth", "logs")
