"""A thread continues as new between decisions that contradict each other: one wins, the other is told.

Each is sent by both doors, as an update and as a signal; nothing is lost and nothing happens twice.
"""

import asyncio
from typing import Any

import pytest

from adapters.temporal import RetryingDoor
from domain.core.approval_commands import Approve, Reject
from domain.core.command import Answer, Command
from domain.core.errors import AlreadyDecidedError, StaleError, TreadleError, WrongStateError
from domain.core.lifecycle.commands import Rename
from domain.tasks.running_commands import Abort
from domain.threads.planning.commands import Amend
from tests.workflows.conftest import House
from tests.workflows.test_continue_as_new import runs_of

ROUNDS = 4
PLAN: dict[str, object] = {
    "tasks": [
        {"id": "one", "title": "One"},
        {"id": "two", "title": "Two", "depends_on": ["one"]},
    ]
}
MAX_NAMES = 60
Request = dict[str, str]


async def run_of(house: House, workflow_id: str) -> str | None:
    return (await house.client.get_workflow_handle(workflow_id).describe()).run_id


async def renewed(house: House, thread: str, words: str) -> None:
    """Give a thread names until it has continued as new."""
    run = await run_of(house, thread)
    for number in range(MAX_NAMES):
        topic = f"{words} {number}"
        await house.send(thread, Rename(command_id=f"{words}-{number}", topic=topic))
        await house.journal.until(lambda e, topic=topic: getattr(e.body, "topic", "") == topic)
        if await run_of(house, thread) != run:
            return
    raise AssertionError(f"{thread} did not continue as new")


async def told(house: House, workflow_id: str, command: Command) -> Answer | TreadleError:
    """Send as the API does, again while it is not taken; returns the answer, or the refusal."""
    door = RetryingDoor(house.door)
    try:
        return await door.send(workflow_id, command)
    except TreadleError as error:
        return error


async def amended(house: House, thread: str, name: str, version: int) -> Request:
    """Propose another title of the second task; returns the request."""
    change = {"change": "modify", "task_id": "two", "task": {"title": name}}
    amendment = {"why": name, "base_version": version, "changes": [change]}
    asked = await house.send(thread, Amend(command_id=name, amendment=amendment, by="tester"))
    return asked.data


async def started(house: House) -> str:
    """Return a thread whose first task stands at its gate."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, PLAN))
    await house.seen(f"{thread.id}/one", "gate_opened")
    return thread.id


def bodies(house: House, stream: str, kind: str) -> list[Any]:
    return [body for body in house.journal.bodies(stream) if body.kind == kind]


def is_whole(house: House) -> bool:
    """Tell whether no event was journaled twice."""
    ids = [event.id for event in house.journal.events]
    return len(ids) == len(set(ids))


async def test_the_loser_is_told_the_reason_in_the_next_run(hasty: House) -> None:
    thread = await started(hasty)
    first = await amended(hasty, thread, "First", 1)
    second = await amended(hasty, thread, "Second", 1)
    won = hasty.verdict(thread, Approve, first)
    answer = await hasty.send(thread, won)
    await renewed(hasty, thread, "between")

    with pytest.raises(StaleError, match=r"amendment-2 was closed: .*amendment-1 by tester"):
        await hasty.send(thread, hasty.verdict(thread, Approve, second))
    with pytest.raises(StaleError, match="amendment-2 was closed"):
        await hasty.send(thread, hasty.verdict(thread, Reject, second, feedback="no"))
    with pytest.raises(AlreadyDecidedError):
        await hasty.send(thread, hasty.verdict(thread, Reject, first, feedback="no"))
    assert await hasty.send(thread, won) == answer
    third = await amended(hasty, thread, "Third", 2)
    await hasty.send(thread, hasty.verdict(thread, Approve, third))
    await hasty.seen(thread, "plan_amended", number=2)
    assert [e.version for e in bodies(hasty, thread, "plan_amended")] == [2, 3]
    assert [e.request_id for e in bodies(hasty, thread, "amendment_closed")] == ["amendment-2"]
    assert is_whole(hasty)


@pytest.mark.parametrize("ahead", range(ROUNDS))
async def test_two_amendments_by_two_doors_at_the_boundary(hasty: House, ahead: int) -> None:
    thread = await started(hasty)
    handle = hasty.client.get_workflow_handle(thread)
    requests = [await amended(hasty, thread, name, 1) for name in ("A", "B")]
    await renewed(hasty, thread, "before")
    for number in range(ahead):
        await hasty.send(thread, Rename(command_id=f"ahead-{number}", topic=f"{number}"))
    verdicts = [
        hasty.verdict(thread, Approve, request, command_id=f"approve-{number}")
        for number, request in enumerate(requests)
    ]
    signals = [handle.signal("approve", v.model_dump(mode="json")) for v in reversed(verdicts)]
    results = await asyncio.gather(
        *(told(hasty, thread, verdict) for verdict in verdicts),
        *signals,
        renewed(hasty, thread, "at"),
    )
    await renewed(hasty, thread, "after")

    answers = results[:2]
    [refused] = [a for a in answers if isinstance(a, TreadleError)]
    assert isinstance(refused, StaleError)
    [change] = bodies(hasty, thread, "plan_amended")
    loser = next(r["request_id"] for r in requests if r["request_id"] != change.amendment_id)
    [closed] = bodies(hasty, thread, "amendment_closed")
    assert closed.request_id == loser
    assert change.amendment_id in closed.reason
    assert loser in refused.message
    [rejected] = [e for e in bodies(hasty, thread, "command_rejected") if e.command == "approve"]
    assert (rejected.type, loser in rejected.reason) == ("stale", True)
    again = [await told(hasty, thread, verdict) for verdict in verdicts]
    assert [isinstance(a, StaleError) for a in again] == [a is refused for a in answers]
    assert len(bodies(hasty, thread, "plan_amended")) == 1
    assert await runs_of(hasty.client, thread) > 2
    assert is_whole(hasty)


@pytest.mark.parametrize("ahead", range(ROUNDS))
async def test_a_gate_that_is_approved_while_its_task_is_aborted(hasty: House, ahead: int) -> None:
    thread = await started(hasty)
    task = f"{thread}/one"
    gate = (await hasty.seen(task, "gate_opened")).body.model_dump()["request"]
    approve = hasty.verdict(task, Approve, gate, command_id="approve")
    abort = Abort(command_id="abort", task_id="one", by="tester")
    await renewed(hasty, thread, "before")
    for number in range(ahead):
        await hasty.send(thread, Rename(command_id=f"ahead-{number}", topic=f"{number}"))
    handle = hasty.client.get_workflow_handle(thread)
    approved, aborted, _, _ = await asyncio.gather(
        told(hasty, task, approve),
        told(hasty, thread, abort),
        handle.signal("abort", abort.model_dump(mode="json")),
        renewed(hasty, thread, "at"),
    )
    await hasty.seen(thread, "task_settled")
    await renewed(hasty, thread, "after")

    [*_, last] = [e for e in bodies(hasty, thread, "task_updated") if e.task_id == "one"]
    assert len(bodies(hasty, thread, "task_settled")) == 1
    assert len(bodies(hasty, task, "task_ended")) == 1
    decided = len(bodies(hasty, task, "gate_decided"))
    assert decided == (not isinstance(approved, TreadleError))
    if last.new_status == "completed":
        assert hasty.workspaces.merged == ["one"]
        assert isinstance(aborted, WrongStateError)
    else:
        assert (last.new_status, hasty.workspaces.merged) == ("cancelled", [])
        assert isinstance(aborted, Answer)
        assert "aborted by tester" in last.notes
        assert ("what was approved is not merged" in last.notes) == decided
    assert is_whole(hasty)


async def test_an_abort_in_the_next_run_does_not_undo_what_was_merged(hasty: House) -> None:
    thread = await started(hasty)
    task = f"{thread}/one"
    await hasty.approve(task, await hasty.seen(task, "gate_opened"))
    await hasty.seen(thread, "task_settled")
    await renewed(hasty, thread, "between")
    with pytest.raises(WrongStateError, match="completed: nothing to abort"):
        await hasty.send(thread, Abort(command_id="late", task_id="one", by="tester"))
    assert hasty.workspaces.merged == ["one"]


async def test_an_approval_in_the_next_run_does_not_merge_what_was_aborted(hasty: House) -> None:
    thread = await started(hasty)
    task = f"{thread}/one"
    gate = await hasty.seen(task, "gate_opened")
    await hasty.send(thread, Abort(command_id="first", task_id="one", by="tester"))
    await hasty.seen(thread, "task_settled")
    await renewed(hasty, thread, "between")
    with pytest.raises(WrongStateError):
        await hasty.approve(task, gate)
    assert hasty.workspaces.merged == []
