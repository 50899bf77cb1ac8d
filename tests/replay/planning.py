"""Threads whose plans are approved, rejected, amended and aborted, recorded."""

from datetime import timedelta
from typing import Any

from domain.conversations.commands import SkipWait
from domain.core.approval_commands import Decide
from domain.core.approvals import content_hash, decision_code
from domain.core.ids import CommandId, TaskId
from domain.tasks.running_commands import Abort, Pause, Resume
from domain.threads.planning.commands import Amend
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE, THREE
from tests.workflows.test_recovery import TWO_IN_A_ROW, hung
from tests.workflows.test_refused_turns import refuse_first

ASKING: dict[str, Any] = {
    "tasks": [{"id": "task-1", "title": "one", "gate": "auto", "decision_id": "tokens"}],
    "decisions": [
        {
            "id": "tokens",
            "question": "Which tokens?",
            "options": [{"label": "jwt"}, {"label": "opaque"}],
        }
    ],
}
AMENDMENT = {
    "why": "one is not enough",
    "base_version": 1,
    "changes": [
        {
            "change": "add",
            "task": {
                "id": "task-2",
                "title": "two",
                "description": "the second",
                "gate": "auto",
                "depends_on": ["task-1"],
            },
        }
    ],
}


async def main_job(house: House) -> str:
    """Three tasks, one of which fails once and is fixed, approved at their gates."""
    house.verifier.failures["make"] = 1
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    for task in ("task-1", "task-2", "task-3"):
        gate = await house.seen(f"{thread.id}/{task}", "gate_opened")
        await house.approve(f"{thread.id}/{task}", gate)
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def rejections(house: House) -> str:
    """A rejected plan, revised, and a rejected gate, worked on."""
    thread = await house.open()
    proposed = await house.proposed(thread.id, THREE)
    await house.seen(f"{thread.id}/session-1", "turn_ended")
    await house.reject(thread.id, proposed, "smaller, please")
    await house.seen(f"{thread.id}/session-1", "turn_ended", number=2)
    await house.approve(thread.id, await house.proposed(thread.id, ONE, revision=2))
    task = f"{thread.id}/task-1"
    await house.reject(task, await house.seen(task, "gate_opened"), "use the other name")
    await house.approve(task, await house.seen(task, "gate_opened", number=2))
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def aborted_task(house: House) -> str:
    """A task aborted in the middle of its turn."""
    thread = await hung(house, TWO_IN_A_ROW)
    await house.send(thread.id, Abort(task_id=TaskId("task-1"), by="tester"))
    await house.seen(thread.id, "task_settled")
    return thread.id


async def failed_verification(house: House) -> str:
    """A task whose verification never passes."""
    house.verifier.failures["make"] = 9
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(thread.id, "task_settled")
    return thread.id


async def signals(house: House) -> str:
    """A gate that odd, forged and genuine signals come to."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    opened = await house.seen(task, "gate_opened")
    request: dict[str, str] = opened.body.model_dump()["request"]
    handle = house.client.get_workflow_handle(task)
    await handle.signal("approve")
    await handle.signal("approve", {**request, "code": "forged"})
    await house.seen(task, "command_rejected", number=2)
    subject = (task, request["request_id"], "approve", request["content_hash"])
    code = decision_code(b"test key", *subject)
    await handle.signal("approve", {**request, "code": code, "by": "terminal"})
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def refused_turn(house: House) -> str:
    """A turn that its provider refuses, and a person who skips the wait."""
    refuse_first(house, timedelta(hours=3))
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.seen(task, "turn_delayed")
    await house.send(task, SkipWait(command_id=CommandId("skip-1"), by="tester"))
    await house.approve(task, await house.seen(task, "gate_opened"))
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def amended_plan(house: House) -> str:
    """A paused plan with a decision, amended before it goes on."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ASKING))
    await house.send(thread.id, Pause(by="tester"))
    amend = Amend(command_id=CommandId("amend-1"), amendment=AMENDMENT, by="tester")
    await house.send(thread.id, amend)
    await house.approve(thread.id, await house.seen(thread.id, "amendment_proposed"))
    proposed = await house.seen(thread.id, "plan_proposed")
    shown = content_hash(proposed.body.plan.decisions[0])  # pyright: ignore[reportAttributeAccessIssue] (its kind says so)
    decide = Decide(decision_id="tokens", selections=("jwt",), content_hash=shown, by="tester")
    code = decision_code(b"test key", thread.id, decide.request, decide.choice, shown)
    await house.send(thread.id, decide.model_copy(update={"code": code}))
    await house.send(thread.id, Resume(command_id=CommandId("resume-1"), by="tester"))
    await house.seen(thread.id, "plan_completed")
    return thread.id
