"""Approvals of plans, amendments and gates, and answers to a plan's decisions."""

import re
from typing import Annotated

from fastapi import APIRouter, Depends

from adapters.readings.projections import ThreadProjections
from api.core.bodies import labels_of
from api.core.commands import CommandsDep
from api.core.dependencies import Person, Thread, ThreadsDep, WorkflowsDep
from api.core.permissions import APPROVES, OF_THREAD
from api.plans.bodies import ApprovalBody, DecisionBody
from domain.core.approval_commands import Approve, Decide, Reject
from domain.core.approvals import content_hash
from domain.core.command import MAX_NAME, Answer, Verdict
from domain.core.comments import LineComment
from domain.core.decisions import answer_of, settle_verdict
from domain.core.errors import InvalidError, JournalError, NotFoundError, WrongStateError
from domain.core.ids import RequestId, TaskId, ThreadId, is_name, task_workflow_id
from domain.plans.best_of import is_run
from domain.reading.damage import damaged_error, telling
from domain.reading.projection import ThreadFold


class Decisions:
    """What was shown to people, and what they decided."""

    def __init__(self, folds: ThreadProjections) -> None:
        self._folds = folds

    async def earlier_answer(
        self, thread: ThreadId, verdict: Verdict, refusal: WrongStateError
    ) -> Answer:
        """Return the answer that a verdict, which is refused now, got before its task ended.

        Raises:
            AlreadyDecidedError: It was decided differently.
            WrongStateError: The task ended before it was decided, or waits for it and does not take it.
        """
        fold = await self._folds.fold(thread)
        for task in fold.tasks.values():
            if verdict.request_id in task.outcomes:
                settle_verdict(verdict, None, task.outcomes)
                return answer_of(task.outcomes[verdict.request_id])
        asked = [task.request for task in fold.tasks.values() if task.end is None]
        if any(each.request_id == verdict.request_id for each in asked if each is not None):
            raise refusal
        raise WrongStateError(f"{verdict.request_id!r} is no longer open: its task has ended")

    async def refuse_damaged(self, thread: ThreadId, request_id: str, candidate: str = "") -> None:
        """Refuse to approve what cannot be shown, because its event in the journal is damaged.

        The work of a `candidate` is shown at its own gate.

        Raises:
            JournalDamagedError: It is; it can still be rejected.
        """
        try:
            if not await self._folds.may_be_damaged(thread):
                return
            fold = await self._folds.fold(thread)
        except (NotFoundError, JournalError):
            return  # the workflow says what there is
        what = f"what {request_id!r} asks"
        with telling(fold.damaged, what):
            is_shown = request_id in _asked_in(fold) and _has_gate(fold, thread, candidate)
            if fold.damaged and not is_shown:
                raise damaged_error(fold.damaged, what)

    async def shown(self, thread: ThreadId, decision: str) -> str:
        """Return the content hash of a decision as it is now; empty if there is none."""
        try:
            fold = await self._folds.fold(thread)
        except NotFoundError:
            return ""  # the workflow says that there is no such thread
        entry = fold.thread.decisions.get(decision)
        return content_hash(entry.decision) if entry else ""


def _asked_in(fold: ThreadFold) -> set[str]:
    """Return the requests of a thread that are open or decided."""
    decided = [fold.thread.outcomes, *(task.outcomes for task in fold.tasks.values())]
    waiting = (waits.request.request_id for waits in fold.requests())
    return {*waiting, *(request_id for outcomes in decided for request_id in outcomes)}


def _has_gate(fold: ThreadFold, thread: ThreadId, candidate: str) -> bool:
    """Tell whether a candidate's work is known as its gate shows it, or was decided of."""
    run = fold.tasks.get(task_workflow_id(thread, TaskId(candidate))) if candidate else None
    return not candidate or (run is not None and (run.request is not None or run.end is not None))


def _deciding(folds: ThreadsDep) -> Decisions:
    return Decisions(folds)


DecisionsDep = Annotated[Decisions, Depends(_deciding)]


router = APIRouter(tags=["approvals"], prefix="/threads/{thread}", dependencies=[OF_THREAD])

COMMANDS = {"approve": Approve, "reject": Reject}

_OF_THREAD = re.compile(r"(plan|suggestion|amendment)-\d{1,9}", re.ASCII)
_OF_CONTEST = re.compile(r"([^/]*)/best-of-\d{1,9}-\d{1,9}", re.ASCII)
_OF_TASK = re.compile(r"([^/]*)/(gate|plan)-\d{1,9}-\d{1,9}", re.ASCII)


@router.post("/approvals", dependencies=[APPROVES])
async def approve(
    thread: Thread,
    body: ApprovalBody,
    workflows: WorkflowsDep,
    deciding: DecisionsDep,
    person: Person,
) -> Answer:
    """Approve or reject a plan, an amendment, or a task at its gate.

    Repeating a decision is harmless; a different one is refused. An agent gets comments on lines of its
    diff with the feedback, as `path:line (side): text`.
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
        await deciding.refuse_damaged(thread, command.request_id)
        fields = {"is_acknowledged": body.is_acknowledged, "autonomy": body.autonomy}
        command = command.model_copy(update=fields)
        if body.comments:
            raise InvalidError("comments on lines are only for rejections: reject, or omit them")
    if isinstance(command, Reject):
        if body.autonomy:
            raise InvalidError("where a plan stops is chosen at its approval: approve, or omit it")
        comments = tuple(LineComment.model_validate(c.model_dump()) for c in body.comments)
        command = command.model_copy(update={"comments": comments})
    try:
        return await workflows.send(workflow_id, command)
    except WrongStateError as error:
        return await deciding.earlier_answer(thread, command, error)


@router.post("/decisions/{decision}")
async def decide(
    thread: Thread,
    decision: str,
    body: DecisionBody,
    commands: CommandsDep,
    deciding: DecisionsDep,
) -> Answer:
    """Answer a decision of the plan with the labels of its options.

    A `content_hash` that does not match the decision is refused. Without one this answers the decision
    as it is now.
    """
    if len(decision) > MAX_NAME:
        raise NotFoundError(f"thread {thread!r} has no such decision")
    shown = body.content_hash or await deciding.shown(thread, decision)
    chosen = {"decision_id": decision, "selections": labels_of(body.selections)}
    return await commands.send(thread, Decide, body, content_hash=shown, **chosen)


def _decided_by(thread: ThreadId, request_id: str) -> str:
    """Return the workflow of a request: the task for its gate and its own plan."""
    of_contest = _OF_CONTEST.fullmatch(request_id)
    if _OF_THREAD.fullmatch(request_id) or (of_contest and is_name(of_contest[1])):
        return thread
    of_task = _OF_TASK.fullmatch(request_id)
    if of_task and is_run(of_task[1]):
        return task_workflow_id(thread, TaskId(of_task[1]))
    raise NotFoundError("no such request; ids look like 'plan-1' or 'task-1/gate-1-1'")
