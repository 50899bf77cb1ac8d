"""Approvals of plans and gates, and the answers to a plan's decisions."""

import re

from fastapi import APIRouter

from api.bodies import ApprovalBody, DecisionBody
from api.deciding import Deciding
from api.dependencies import DoorDep, Person, Thread
from domain.core.approval_commands import Approve, Decide, Reject
from domain.core.command import MAX_NAME, Answer, Verdict
from domain.core.comments import LineComment
from domain.core.errors import InvalidError, NotFoundError, WrongStateError
from domain.core.ids import RequestId, TaskId, ThreadId, is_name, task_workflow_id

router = APIRouter(tags=["approvals"], prefix="/threads/{thread}")

COMMANDS = {"approve": Approve, "reject": Reject}

_OF_THREAD = re.compile(r"(plan|suggestion|amendment)-\d{1,9}", re.ASCII)
_OF_TASK = re.compile(r"([^/]*)/(gate|plan)-\d{1,9}-\d{1,9}", re.ASCII)


@router.post("/approvals")
async def approve(
    thread: Thread, body: ApprovalBody, door: DoorDep, deciding: Deciding, person: Person
) -> Answer:
    """Approve or reject what a request shows; again the same is harmless, otherwise is refused.

    Comments on lines of a task's diff go to its agent with the feedback, as `path:line (side): text`.
    """
    workflow_id = _decided_by(thread, body.request_id)
    command: Verdict = COMMANDS[body.choice](
        command_id=body.command_id,
        by=f"{person} ({body.note})" if body.note else person,
        request_id=RequestId(body.request_id),
        content_hash=body.content_hash,
        feedback=body.feedback,
    )
    if isinstance(command, Approve):
        await deciding.refuse_unshown(thread, command.request_id)
        said = {"is_acknowledged": body.is_acknowledged, "freedom": body.freedom}
        command = command.model_copy(update=said)
        if body.comments:
            raise InvalidError("comments on lines go with a rejection: reject, or leave them out")
    if isinstance(command, Reject):
        if body.freedom:
            raise InvalidError(
                "how freely a plan runs goes with an approval: approve, or leave it out"
            )
        comments = tuple(LineComment.model_validate(c.model_dump()) for c in body.comments)
        command = command.model_copy(update={"comments": comments})
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
    """Answer a decision of the plan with the labels of its options.

    Another `content_hash` than that of the decision is refused. Without one the decision as the journal
    shows it now is answered.
    """
    if len(decision) > MAX_NAME:
        raise NotFoundError(f"thread {thread!r} has no such decision")
    chosen = [body.selections] if isinstance(body.selections, str) else body.selections
    command = Decide(
        command_id=body.command_id,
        by=person,
        decision_id=decision,
        selections=tuple(chosen),
        content_hash=body.content_hash or await deciding.shown(thread, decision),
    )
    return await door.send(thread, command)


def _decided_by(thread: ThreadId, request_id: str) -> str:
    """Return the workflow that a request waits in: the task for its gate and its own plan."""
    if _OF_THREAD.fullmatch(request_id):
        return thread
    of_task = _OF_TASK.fullmatch(request_id)
    if of_task and is_name(of_task[1]):
        return task_workflow_id(thread, TaskId(of_task[1]))
    raise NotFoundError("there is no such request; ids look like 'plan-1' or 'task-1/gate-1-1'")
