"""A scenario of a task that several agents do at once, to be recorded."""

from temporalio.client import WorkflowHistory

from domain.core.approvals import decision_code
from domain.core.event import Event
from domain.core.ids import CommandId, TaskId
from domain.threads.contests.commands import AddCandidate, Part, PutTogether
from tests.workflows.conftest import House
from tests.workflows.test_best_of import begun, taking


async def best_of_three(house: House) -> dict[str, WorkflowHistory]:
    """Three agents, sent back once; a fourth joins, and the work of two is put together and taken."""
    thread = await begun(house, judge="fake:judge")
    shown = await house.seen(thread, "candidates_shown")
    await house.reject(thread, shown, "no short option")
    await house.seen(thread, "candidates_shown", number=2)
    added = AddCandidate(task_id=TaskId("app"), agent="fake", model="d", command_id=CommandId("1"))
    await house.send(thread, added)
    shown = await house.seen(thread, "candidates_shown", number=3)
    await house.send(thread, _together(thread, shown))
    await house.seen(thread, "candidate_put_together")
    shown = await house.seen(thread, "candidates_shown", number=4)
    await house.send(thread, taking(thread, shown, "app.e"))
    await house.seen(thread, "plan_completed")
    ids = {"thread": thread, "task": f"{thread}/app.e"}
    handles = {kind: house.client.get_workflow_handle(name) for kind, name in ids.items()}
    return {kind: await handle.fetch_history() for kind, handle in handles.items()}


def _together(thread: str, shown: Event) -> PutTogether:
    request = shown.body.model_dump()["request"]
    wanted = PutTogether(
        task_id=TaskId("app"),
        request_id=request["request_id"],
        content_hash=request["content_hash"],
        base=TaskId("app.b"),
        parts=(Part(candidate=TaskId("app.c"), files=("c.py",)),),
        by="tester",
    )
    code = decision_code(b"test key", thread, wanted.request, wanted.choice, wanted.content)
    return wanted.model_copy(update={"code": code})
