"""A scenario of a fork whose task is sent back line by line, and retried from a checkpoint; to be recorded."""

from domain.core.approval_commands import Reject
from domain.core.comments import LineComment
from domain.core.ids import TaskId, ThreadId
from domain.tasks.running_commands import Abort, Retry
from domain.threads.fork_origin import ForkOrigin
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

MOMENT = ForkOrigin(thread_id=ThreadId("thread-old-1a2b3c"), position=7, commit="a" * 40)
CHECKPOINT = "b" * 40
COMMENT = LineComment(path="a.py", line=3, text="and expired tokens?")


async def gone_back(house: House) -> str:
    """A fork, a rejection with a comment, an abort, and a retry from a checkpoint."""
    told = {"context": "It had three tasks.", "base": MOMENT.commit}
    thread = (await house.open(forked_from=MOMENT, **told)).id
    task = f"{thread}/task-1"
    await house.approve(thread, await house.proposed(thread, ONE))
    asked = (await house.seen(task, "gate_opened")).body.model_dump()["request"]
    await house.send(task, house.verdict(task, Reject, asked, comments=(COMMENT,)))
    await house.seen(task, "gate_opened", number=2)
    await house.send(thread, Abort(task_id=TaskId("task-1"), by="tester"))
    await house.seen(thread, "task_settled")
    retry = Retry(task_id=TaskId("task-1"), commit=CHECKPOINT, position=9, by="tester")
    await house.send(thread, retry)
    await house.approve(task, await house.seen(task, "gate_opened", number=3))
    await house.seen(thread, "plan_completed")
    return thread
