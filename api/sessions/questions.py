"""Questions of agents to the person: what is open, their answers, and what is remembered of those."""

import re
from typing import Annotated

from fastapi import APIRouter, Path

from api.core.bodies import CommandBody
from api.core.dependencies import KeyDep, Person, Thread, ThreadsDep, WorkflowsDep
from api.sessions.bodies import AnswerBody
from api.sessions.signal_lines import with_answers
from domain.conversations.questions.commands import AnswerPermission, ForgetRule
from domain.conversations.questions.question import Rule
from domain.conversations.questions.views import OpenQuestion
from domain.core.approval_commands import Decide
from domain.core.command import Answer, Coded
from domain.core.errors import InvalidError, NotFoundError
from domain.core.ids import TaskId, ThreadId, is_name, task_workflow_id

router = APIRouter(tags=["questions"], prefix="/threads/{thread}")

Named = Annotated[str, Path(max_length=200)]

_OF_SESSION = re.compile(r"(session-\d{1,9})/(?:question|rule)-\d{1,9}", re.ASCII)
_OF_TASK = re.compile(r"([^/]*)/(?:question|rule)-\d{1,9}-\d{1,9}", re.ASCII)


@router.get("/questions")
async def questions(
    thread: Thread, folds: ThreadsDep, workflows: WorkflowsDep, key: KeyDep
) -> tuple[OpenQuestion, ...]:
    """List what the agents of a thread ask, with the lines that answer it through Temporal alone."""
    secret, found = key.read(), (await folds.view(thread)).questions
    return tuple(with_answers(asked, secret, workflows.address) for asked in found)


@router.post("/questions/{question:path}/answer")
async def answer(
    thread: Thread,
    question: Named,
    body: AnswerBody,
    folds: ThreadsDep,
    workflows: WorkflowsDep,
    person: Person,
) -> Answer:
    """Answer a question: a permission by an option's id, a decision by the labels of its options.

    Without a `content_hash` the question as the journal shows it now is answered.
    """
    workflow_id = _workflow_of(thread, question)
    shown = body.content_hash or await _shown(thread, question, folds)
    command = answer_command(question, body, shown)
    fields = {"command_id": body.command_id, "by": person}
    return await workflows.send(workflow_id, command.model_copy(update=fields))


def answer_command(question: str, body: AnswerBody, shown: str) -> Coded:
    """Return the command that answers a question.

    Raises:
        InvalidError: The body has no answer.
    """
    if body.selections is not None:
        chosen = [body.selections] if isinstance(body.selections, str) else body.selections
        return Decide(decision_id=question, content_hash=shown, selections=tuple(chosen))
    if body.option_id is None:
        raise InvalidError("give an option_id for a permission, or selections for a decision")
    return AnswerPermission(
        question_id=question,
        option_id=body.option_id,
        content_hash=shown,
        remember=body.remember,
    )


@router.get("/rules")
async def rules(thread: Thread, folds: ThreadsDep) -> tuple[Rule, ...]:
    """List the answers that are remembered, in the thread and in its sessions and tasks."""
    return (await folds.view(thread)).rules


@router.post("/rules/{rule:path}/forget")
async def forget(
    thread: Thread,
    rule: Named,
    body: CommandBody,
    folds: ThreadsDep,
    workflows: WorkflowsDep,
    person: Person,
) -> Answer:
    """Forget a remembered answer: the person is asked again."""
    kept = _workflow_of(thread, rule)
    state = (await folds.fold(thread)).thread
    where = thread if rule in state.remembered.rules else kept
    return await workflows.send(
        where, ForgetRule(command_id=body.command_id, by=person, rule_id=rule)
    )


def _workflow_of(thread: ThreadId, name: str) -> str:
    """Return the workflow that keeps a question or a rule, by how its id begins."""
    if of_session := _OF_SESSION.fullmatch(name):
        return f"{thread}/{of_session[1]}"
    of_task = _OF_TASK.fullmatch(name)
    if of_task and is_name(of_task[1]):
        return task_workflow_id(thread, TaskId(of_task[1]))
    raise NotFoundError(
        "there is no such thing here; ids look like 'task-1/question-1-2' or 'session-1/rule-1'"
    )


async def _shown(thread: ThreadId, question: str, folds: ThreadsDep) -> str:
    """Return the hash of a question as the journal shows it, empty where it is not open."""
    found = (await folds.view(thread)).questions
    return next((q.question.content_hash for q in found if q.question.question_id == question), "")
