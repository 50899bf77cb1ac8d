"""Approvals of plans and gates, and the answers to a plan's decisions."""

import re

from fastapi import APIRouter

from api.bodies import ApprovalBody, DecisionBody
from api.deciding import Deciding
from api.dependencies import DoorDep, Person, Thread
from domain.commands import Answer, Approve, Decide, Reject
from domain.errors import NotFoundError, WrongStateError
from domain.ids import RequestId, TaskId, ThreadId, is_name, task_workflow_id

router = APIRouter(tags=["approvals"], prefix="/threads/{thread}")

COMMANDS = {"approve": Approve, "reject": Reject}
_PLAN = re.compile(r"plan-\d{1,9}", re.ASCII)
_GATE = re.compile(r"([^/]*)/gate-\d{1,9}-\d{1,9}", re.ASCII)


@router.post("/approvals")
async def approve(
    thread: Thread, body: ApprovalBody, door: DoorDep, deciding: Deciding, person: Person
) -> Answer:
    """Approve or reject what a request shows; again the same is harmless, otherwise is refused."""
    workflow_id = _decided_by(thread, body.request_id)
    command = COMMANDS[body.choice](
        command_id=body.command_id,
        by=f"{person} ({body.note})" if body.note else person,
        request_id=RequestId(body.request_id),
        content_hash=body.content_hash,
        feedback=body.feedback,
    )
    try:
        return await door.send(workflow_id, command)
    except WrongStateError:
        return await deciding.earlier_answer(thread, command)


@router.post("/decisions/{decision}")
async def decide(
    thread: Thread,
    decision: str,
    body: DecisionBody,
    door: DoorDep,
    deciding: Deciding,
    person: Person,
) -> Answer:
    """Answer a decision of the plan with the labels of its options."""
    command = Decide(
        command_id=body.command_id,
        by=person,
        decision_id=decision,
        selections=tuple(body.selections),
        content_hash=await deciding.shown(thread, decision),
    )
    return await door.send(thread, command)


def _decided_by(thread: ThreadId, request_id: str) -> str:
    """Return the workflow that a request waits in: the thread for a plan, the task for a gate."""
    if _PLAN.fullmatch(request_id):
        return thread
    gate = _GATE.fullmatch(request_id)
    if gate and is_name(gate[1]):
        return task_workflow_id(thread, TaskId(gate[1]))
    raise NotFoundError("there is no such request; ids look like 'plan-1' or 'task-1/gate-1-1'")
