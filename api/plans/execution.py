"""A running plan: its status, its learnings, and whether plans start without asking."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import Thread, ThreadsDep, thread_id
from api.core.permissions import APPROVES, OF_THREAD
from api.plans.bodies import AutoBody, OwnTurnsBody
from domain.plans.status import PlanStatus
from domain.tasks.learnings import Learning
from domain.tasks.running_commands import SetOwnTurns
from domain.threads.planning.commands import SetAuto
from domain.threads.running.health import ShownNotice, current
from domain.threads.running.reports import status_text
from domain.threads.running.view import RunningView, running_view

router = APIRouter(tags=["plans"], prefix="/threads/{thread}", dependencies=[OF_THREAD])

add_commands(
    router,
    thread_id,
    CommandRoute(
        "/auto-run",
        SetAuto,
        "Start plans without warnings as soon as they are proposed, or ask first.",
        AutoBody,
        dependencies=(APPROVES,),
    ),
    CommandRoute(
        "/own-turns",
        SetOwnTurns,
        "Let the thread's agent take so many more turns without a message, or none.",
        OwnTurnsBody,
    ),
)


class PlanStatusView(BaseModel):
    """A plan's status: as text, as `/plan status` prints it, and in parts."""

    plan_status: PlanStatus
    text: str
    running: RunningView
    notices: tuple[ShownNotice, ...]


@router.get("/plan-status")
async def plan_status(thread: Thread, folds: ThreadsDep) -> PlanStatusView:
    """Get a plan's progress, the state of its tasks, open questions and advice."""
    state = (await folds.fold(thread)).thread
    return PlanStatusView(
        plan_status=state.plan_status,
        text=status_text(state),
        running=running_view(state),
        notices=current(state),
    )


@router.get("/learnings")
async def learnings(thread: Thread, folds: ThreadsDep) -> tuple[Learning, ...]:
    """List the learnings of completed tasks, in the order in which they completed."""
    return (await folds.fold(thread)).thread.learnings
