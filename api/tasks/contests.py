"""Tasks that several agents do at once: the table, whose work is taken, one more candidate."""

from fastapi import APIRouter

from api.core.commands import CommandsDep
from api.core.dependencies import Task, Thread, ThreadsDep
from api.core.permissions import APPROVES, OF_THREAD
from api.plans.approvals import DecisionsDep
from api.tasks.bodies import CandidateBody, PartsBody, TakeBody
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.core.ids import TaskId
from domain.reading.contest_views import ContestView
from domain.threads.contests.commands import AddCandidate, Part, PutTogether, Take

router = APIRouter(
    tags=["candidates"], prefix="/threads/{thread}/tasks/{task}", dependencies=[OF_THREAD]
)


@router.get("/candidates")
async def candidates(thread: Thread, task: Task, folds: ThreadsDep) -> ContestView:
    """Get the candidates of a best-of task, side by side."""
    found = (each for each in (await folds.view(thread)).contests if each.task_id == task)
    if (contest := next(found, None)) is None:
        raise NotFoundError(f"task {task!r} of {thread!r} is done by one agent")
    return contest


@router.post("/take", dependencies=[APPROVES])
async def take(
    thread: Thread, task: Task, body: TakeBody, commands: CommandsDep, deciding: DecisionsDep
) -> Answer:
    """Take the work of one candidate, like `app.b`; it is merged, and the others are stopped.

    The choice is bound to the `content_hash` of all candidates as they were shown. Repeating it is harmless; another
    one is refused.
    """
    await deciding.refuse_damaged(thread, body.request_id, task)
    return await commands.send(thread, Take, body, candidate=task)


@router.post("/put-together", dependencies=[APPROVES])
async def put_together(
    thread: Thread, task: Task, body: PartsBody, commands: CommandsDep
) -> Answer:
    """Add a candidate: one candidate's work with files of others, verified like any other."""
    parts = tuple(
        Part(candidate=TaskId(part.candidate), files=tuple(part.files)) for part in body.parts
    )
    fields = {"task_id": task, "base": TaskId(body.base), "parts": parts}
    return await commands.send(thread, PutTogether, body, **fields)


@router.post("/candidates")
async def add(thread: Thread, task: Task, body: CandidateBody, commands: CommandsDep) -> Answer:
    """Add an agent to a best-of task."""
    return await commands.send(thread, AddCandidate, body, task_id=task)
