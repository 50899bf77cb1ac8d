"""Plans of a thread: ask for one, read each revision."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.bodies import PlanBody
from api.dependencies import DoorDep, FoldsDep, Person, Thread
from domain.approvals import Outcome
from domain.commands import Answer, RequestPlan
from domain.errors import NotFoundError
from domain.folding import ThreadFold
from domain.threads.state import ProposedPlan

router = APIRouter(tags=["plans"], prefix="/threads/{thread}/plans")

Revision = Annotated[int, Path(ge=1, le=1_000_000)]


class PlanView(BaseModel):
    """One revision; `outcome` is there once it is decided."""

    proposed: ProposedPlan
    parallel_groups: list[list[str]]
    outcome: Outcome | None = None


@router.post("", status_code=202)
async def request_plan(thread: Thread, body: PlanBody, door: DoorDep, person: Person) -> Answer:
    """Ask for a plan, of the thread's goal or of a new one."""
    return await door.send(thread, RequestPlan(**body.model_dump(), by=person))


@router.get("")
async def plans(thread: Thread, folds: FoldsDep) -> list[PlanView]:
    """List every revision that was proposed, in order."""
    fold = await folds.fold(thread)
    return [_view(fold, proposed) for proposed in fold.thread.plans]


@router.get("/{revision}")
async def plan(thread: Thread, revision: Revision, folds: FoldsDep) -> PlanView:
    """Show one revision."""
    fold = await folds.fold(thread)
    found = [p for p in fold.thread.plans if p.revision == revision]
    if not found:
        known = ", ".join(str(p.revision) for p in fold.thread.plans) or "none yet"
        raise NotFoundError(f"thread {thread!r} has no plan {revision}; revisions: {known}")
    return _view(fold, found[-1])


def _view(fold: ThreadFold, proposed: ProposedPlan) -> PlanView:
    return PlanView(
        proposed=proposed,
        parallel_groups=proposed.plan.parallel_groups,
        outcome=fold.thread.outcomes.get(proposed.request.request_id),
    )
