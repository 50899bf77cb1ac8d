"""Questions of agents: the open ones, their answers, and the answers that are remembered."""

import re
from typing import Annotated

from fastapi import APIRouter, Path

from api.core.bodies import CommandBody, labels_of
from api.core.commands import CommandsDep, CommandSender
from api.core.dependencies import Thread, ThreadsDep
from api.core.permissions import OF_THREAD
from api.core.signal_lines import LinesDep
from api.sessions.bodies import AnswerBody
from api.sessions.signal_lines import with_answers
from domain.conversations.questions.commands import AnswerPermission, ForgetRule
from domain.conversations.questions.question import Rule
from domain.conversations.questions.views import OpenQuestion
from domain.core.approval_commands import Decide
from domain.core.command import Answer
from domain.core.errors import InvalidError, NotFoundError
from domain.core.ids import TaskId, ThreadId, task_workflow_id
from domain.plans.best_of import is_run

router = APIRouter(tags=["questions"], prefix="/threads/{thread}", dependencies=[OF_THREAD])

Named = Annotated[str, Path(max_length=200)]

_OF_SESSION = re.compile(r"(session-\d{1,9})/(?:question|rule)-\d{1,9}", re.ASCII)
_OF_TASK = re.compile(r"([^/]*)/(?:question|rule)-\d{1,9}-\d{1,9}", re.ASCII)


@router.get("/questions")
async def questions(thread: Thread, folds: ThreadsDep, lines: LinesDep) -> tuple[OpenQuestion, ...]:
    """List the open questions of a thread's agents.

    Each has the `temporal workflow signal` commands that answer it without Treadle's API.
    """
    view = await folds.view(thread)
    return tuple(with_answers(asked, lines, view.repository) for asked in view.questions)


@router.post("/questions/{question:path}/answer")
async def answer(
    thread: Thread,
    question: Named,
    body: AnswerBody,
    folds: ThreadsDep,
    commands: CommandsDep,
) -> Answer:
    """Answer a question: a permission by option id, a decision by option labels.

    Without a `content_hash` this answers the question as it is now.
    """
    workflow_id = _workflow_of(thread, question)
    shown = body.content_hash or await _shown(thread, question, folds)
    return await send_answer(commands, workflow_id, question, body, shown)


async def send_answer(
    commands: CommandSender, workflow_id: str, question: str, body: AnswerBody, shown: str
) -> Answer:
    """Send the answer to a question as it was shown.

    Raises:
        InvalidError: The body has no answer.
    """
    about = {"content_hash": shown}
    if body.selections is not None:
        chosen = {"decision_id": question, "selections": labels_of(body.selections)}
        return await commands.send(workflow_id, Decide, body, **about, **chosen)
    if body.option_id is None:
        raise InvalidError("give an option_id for a permission, or selections for a decision")
    return await commands.send(workflow_id, AnswerPermission, body, **about, question_id=question)


@router.get("/rules")
async def rules(thread: Thread, folds: ThreadsDep) -> tuple[Rule, ...]:
    """List the remembered answers of a thread, its sessions and its tasks."""
    return (await folds.view(thread)).rules


@router.post("/rules/{rule:path}/forget")
async def forget(
    thread: Thread,
    rule: Named,
    body: CommandBody,
    folds: ThreadsDep,
    commands: CommandsDep,
) -> Answer:
    """Forget a remembered answer; the person is asked again."""
    kept = _workflow_of(thread, rule)
    state = (await folds.fold(thread)).thread
    where = thread if rule in state.remembered.rules else kept
    return await commands.send(where, ForgetRule, body, rule_id=rule)


def _workflow_of(thread: ThreadId, name: str) -> str:
    """Return the workflow that has a question or a rule, by its id."""
    if of_session := _OF_SESSION.fullmatch(name):
        return f"{thread}/{of_session[1]}"
    of_task = _OF_TASK.fullmatch(name)
    if of_task and is_run(of_task[1]):
        return task_workflow_id(thread, TaskId(of_task[1]))
    raise NotFoundError(
        "no such question or rule; ids look like 'task-1/question-1-2' or 'session-1/rule-1'"
    )


async def _shown(thread: ThreadId, question: str, folds: ThreadsDep) -> str:
    """Return the hash of a question as the journal shows it, empty where it is not open."""
    found = (await folds.view(thread)).questions
    return next((q.question.content_hash for q in found if q.question.question_id == question), "")
