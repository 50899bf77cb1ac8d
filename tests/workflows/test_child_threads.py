"""Child threads on real workflows: a node that plans, runs, and is merged like a task (C4)."""

import uuid

import pytest
from temporalio.client import WorkflowFailureError

from domain.core.ids import TaskId, ThreadId
from domain.core.workspaces import MergeCandidate
from domain.plans.ancestry import ParentThread, child_id
from domain.tasks.running_commands import Abort, Cancel, Retry
from domain.threads import rules
from domain.threads.inputs import ThreadInput
from domain.threads.state import ThreadState
from tests.workflows.conftest import House

MAKE = {"type": "command", "command": "make", "label": "make"}
PARENT = {
    "summary": "one part is a thread",
    "tasks": [
        {
            "id": "part",
            "title": "The large part",
            "description": "Do it well.",
            "runs_as": "thread",
            "verification": [MAKE],
        },
        {"id": "after", "title": "after it", "depends_on": ["part"]},
    ],
}
CHILD = {"tasks": [{"id": "one", "title": "one"}, {"id": "two", "title": "two"}]}
SMALL = {"tasks": [{"id": "one", "title": "one"}]}


async def opened(house: House, plan: dict[str, object] = PARENT) -> tuple[str, str]:
    """Open a parent with an approved plan; returns its id and its child's."""
    parent = await house.open()
    await house.approve(parent.id, await house.proposed(parent.id, plan))
    name = (await house.seen(parent.id, "child_opened")).body.model_dump()["thread_id"]
    await house.seen(name, "thread_opened")
    return parent.id, name


async def finish(house: House, child: str, plan: dict[str, object] = SMALL) -> None:
    """Have a thread plan, do its tasks, and complete."""
    await house.approve(child, await house.proposed(child, plan))
    for task in plan["tasks"]:
        stream = f"{child}/{task['id']}"
        await house.approve(stream, await house.seen(stream, "gate_opened"))
    await house.seen(child, "plan_completed")


async def reported(house: House, parent: str, status: str) -> dict[str, object]:
    """Wait until the child told its parent a status."""

    def is_it(event):
        body = event.body
        is_report = event.stream == parent and body.kind == "child_reported"
        return is_report and body.report.status == status

    return (await house.journal.until(is_it)).body.model_dump()["report"]


async def status_of(house: House, parent: str, status: str) -> dict[str, object]:
    """Wait until the node has a status."""

    def is_it(event):
        body = event.body
        is_update = event.stream == parent and body.kind == "task_updated"
        return is_update and (body.task_id, body.new_status) == ("part", status)

    return (await house.journal.until(is_it)).body.model_dump()


async def test_a_child_plans_runs_and_is_merged_into_its_parents_branch(house: House) -> None:
    tree = "t" * 40
    house.workspaces.candidates["part"] = MergeCandidate(commit="m" * 40, tree=tree)
    parent, child = await opened(house)
    assert child == f"{parent}-part"
    start = await house.seen(child, "thread_opened")
    body = start.body.model_dump()
    assert body["parent"]["thread_id"] == parent
    assert body["goal"] == "The large part\n\nDo it well."
    assert "one part is a thread" in body["context"]

    await finish(house, child, CHILD)
    await house.approve(f"{parent}/after", await house.seen(f"{parent}/after", "gate_opened"))
    await house.seen(parent, "plan_completed")

    settled = next(call for call in house.workspaces.settled if call.task_id == "part")
    merged = [b for b in house.journal.bodies(child) if b.kind == "task_merged"]
    assert settled.commit == merged[-1].commit
    assert not settled.is_verified
    assert settled.workspace.branch is None
    assert house.verifier.ran == ["make"]
    assert house.workspaces.merged[-2:] == ["part", "after"]


async def test_a_childs_planner_is_told_its_parents_plan(house: House) -> None:
    _, child = await opened(house)
    await house.seen(f"{child}/session-1", "turn_ended")
    call = next(c for c in house.runner.calls if c.turn.thread_id == child)
    assert "one part is a thread" in str(call.turn.prompt.fields)
    assert call.turn.workspace.base == (await branch_of(house, child))


async def test_a_child_has_its_parents_template_whatever_its_file_says_now(house: House) -> None:
    parent = await house.open()
    first = house.templates.default
    house.templates.default = first.model_copy(update={"content_hash": "another"})
    await house.approve(parent.id, await house.proposed(parent.id, PARENT))
    name = (await house.seen(parent.id, "child_opened")).body.model_dump()["thread_id"]
    started = (await house.seen(name, "thread_opened")).body.model_dump()
    assert started["template"] == first.model_dump()


async def branch_of(house: House, thread: str) -> str:
    return (await house.seen(thread, "thread_opened")).body.model_dump()["branch"]


async def test_a_child_tells_its_parent_where_it_stands(house: House) -> None:
    parent, child = await opened(house)
    await house.proposed(child, SMALL)
    report = await reported(house, parent, "waiting")
    assert report["waiting_for"] == "approval of the plan"
    numbers = [b.report.number for b in house.journal.bodies(parent) if b.kind == "child_reported"]
    assert numbers == sorted(set(numbers))


async def test_a_cancelled_child_cancels_its_node_and_a_retry_opens_another(house: House) -> None:
    parent, child = await opened(house)
    await house.approve(child, await house.proposed(child, SMALL))
    await house.send(child, Cancel(by="ada"))
    cancelled = await status_of(house, parent, "cancelled")
    assert cancelled["notes"] == "the child thread was cancelled"

    await house.send(parent, Retry(task_id=TaskId("part")))
    second = await house.seen(parent, "child_opened", number=2)
    other = second.body.model_dump()["thread_id"]
    assert other != child
    await house.seen(other, "thread_opened")
    await finish(house, other)
    await status_of(house, parent, "completed")


@pytest.mark.parametrize("is_planned", [True, False])
async def test_aborting_the_node_stops_the_child(house: House, is_planned: bool) -> None:
    parent, child = await opened(house)
    proposed = await house.proposed(child, SMALL)
    if is_planned:
        await house.approve(child, proposed)
        await house.seen(f"{child}/one", "gate_opened")
    await house.send(parent, Abort(task_id=TaskId("part")))
    await status_of(house, parent, "cancelled")
    kind = "plan_completed" if is_planned else "child_stopped"
    await house.seen(child, kind)
    state = rules.fold(ThreadState(thread_id=child), house.journal.bodies(child))
    assert state.status == "cancelled"
    assert "\n" in state.goal  # the node's title and description
    assert "\n" not in house.journal.shown[child].title


async def test_a_child_whose_workflow_is_ended_fails_its_node(house: House) -> None:
    parent, child = await opened(house)
    await house.client.get_workflow_handle(child).terminate()
    failed = await status_of(house, parent, "failed")
    assert child in failed["notes"]


async def test_a_child_that_can_not_open_fails_its_node(house: House) -> None:
    tasks = [{**PARENT["tasks"][0], "agent": "nobody"}]
    parent = await house.open()
    await house.approve(parent.id, await house.proposed(parent.id, {"tasks": tasks}))
    failed = await status_of(house, parent.id, "failed")
    assert "no agent 'nobody'" in failed["notes"]


async def test_a_child_below_too_many_or_of_itself_is_not_opened(house: House) -> None:
    above = tuple(ThreadId(f"thread-{n}") for n in range(4))
    name = ThreadId(f"thread-x-{uuid.uuid4().hex[:6]}")
    for path in (above, (name,)):
        parent = ParentThread(thread_id=path[-1], task_id=TaskId("t"), above=path)
        thread = ThreadInput(
            thread_id=name, goal="x", repository="/repo", agent="fake", parent=parent
        )
        with pytest.raises(WorkflowFailureError):
            await house.client.execute_workflow("Thread", thread, id=name, task_queue="treadle")


def test_no_two_nodes_have_one_id() -> None:
    parent = ThreadId("thread-goal-1a2b3c")
    child = child_id(parent, TaskId("a"), 1, 0)
    names = {
        child,
        child_id(parent, TaskId("a"), 2, 0),
        child_id(parent, TaskId("a-2"), 1, 0),
        child_id(parent, TaskId("a-b"), 1, 0),
        child_id(child, TaskId("b"), 1, 1),
        child_id(parent, TaskId("a" * 63), 1, 0),
        child_id(parent, TaskId("a" * 62), 1, 0),
    }
    assert len(names) == 7
    assert all(len(name) <= 80 for name in names)
