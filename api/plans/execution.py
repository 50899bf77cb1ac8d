"""A plan that runs: its status, what was learned, and whether plans start without asking."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.dependencies import Person, Thread, ThreadsDep, WorkflowsDep
from api.plans.bodies import AutoBody
from domain.core.command import Answer
from domain.plans.status import PlanStatus
from domain.tasks.learnings import Learning
from domain.threads.planning.commands import SetAuto
from domain.threads.running.health import ShownNotice, current
from domain.threads.running.reports import status_text
from domain.threads.running.view import RunningView, running_view

router = APIRouter(tags=["plans"], prefix="/threads/{thread}")


class PlanStatusView(BaseModel):
    """A plan as `/plan status` tells it: in words, and the parts of it."""

    plan_status: PlanStatus
    text: str
    running: RunningView
    notices: tuple[ShownNotice, ...]


@router.get("/plan-status")
async def plan_status(thread: Thread, folds: ThreadsDep) -> PlanStatusView:
    """Tell how far the plan is, what its tasks do, what is asked and advised."""
    state = (await folds.fold(thread)).thread
    return PlanStatusView(
        plan_status=state.plan_status,
        text=status_text(state),
        running=running_view(state),
        notices=current(state),
    )


@router.get("/learnings")
async def learnings(thread: Thread, folds: ThreadsDep) -> tuple[Learning, ...]:
    """List what completed tasks found out, in the order in which they completed."""
    return (await folds.fold(thread)).thread.learnings


@router.post("/auto-run")
async def set_auto_run(
    thread: Thread, body: AutoBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Start plans without warnings as soon as they are proposed, or ask first."""
    command = SetAuto(command_id=body.command_id, by=person, is_on=body.is_on)
    return await workflows.send(thread, command)
