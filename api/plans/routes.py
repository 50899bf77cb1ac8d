"""Plans of a thread: ask for them, read, compare and change them, have them reviewed."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from api.core.agents import AgentsDep
from api.core.dependencies import Person, Thread, ThreadsDep, WorkflowsDep
from api.plans.bodies import AgentBody, CombinationBody, EditBody, PlanBody
from api.plans.views import PlanView, comparison, difference, plan_of, view_of
from domain.core.command import Answer
from domain.plans.changes import PlanChanges
from domain.plans.comparison import Comparison
from domain.threads.planning.commands import (
    AddPlanner,
    CombinePlans,
    EditPlan,
    PlannerChoice,
    RequestCritique,
    RequestPlan,
)

router = APIRouter(tags=["plans"], prefix="/threads/{thread}/plans")

Revision = Annotated[int, Path(ge=1, le=1_000_000)]
Revisions = Annotated[
    str | None,
    Query(
        pattern=r"^\d{1,6}(,\d{1,6}){0,9}$", description="Like 1,2; those that wait unless given"
    ),
]


class Difference(BaseModel):
    """What makes one revision the other."""

    before: int
    after: int
    changes: PlanChanges


@router.post("", status_code=202)
async def request_plan(
    thread: Thread, body: PlanBody, workflows: WorkflowsDep, agents: AgentsDep, person: Person
) -> Answer:
    """Ask for a plan, of the thread's goal or of a new one."""
    await agents.refuse_for(thread, body.agent, *(rival.agent for rival in body.rivals))
    rivals = tuple(PlannerChoice(**rival.model_dump()) for rival in body.rivals)
    fields = body.model_dump(exclude={"rivals"})
    return await workflows.send(thread, RequestPlan(**fields, rivals=rivals, by=person))


@router.get("")
async def plans(thread: Thread, folds: ThreadsDep) -> list[PlanView]:
    """List every revision that was proposed, in order."""
    fold = await folds.fold(thread)
    return [view_of(fold, proposed) for proposed in fold.thread.plans]


@router.post("/planners", status_code=202)
async def add_planner(
    thread: Thread, body: AgentBody, workflows: WorkflowsDep, agents: AgentsDep, person: Person
) -> Answer:
    """Have one more agent plan the same goal, beside the others."""
    await agents.refuse_for(thread, body.agent)
    return await workflows.send(thread, AddPlanner(**body.model_dump(), by=person))


@router.get("/compare")
async def compare(thread: Thread, folds: ThreadsDep, revisions: Revisions = None) -> Comparison:
    """Compare plans: tasks, approach, parallel groups, key risk, critical path, files, cost."""
    fold = await folds.fold(thread)
    wanted = [int(number) for number in revisions.split(",")] if revisions else None
    return comparison(fold, wanted)


@router.get("/{revision}")
async def plan(thread: Thread, revision: Revision, folds: ThreadsDep) -> PlanView:
    """Show one revision, with its handoff packet, its warnings, and what critics said."""
    fold = await folds.fold(thread)
    return view_of(fold, plan_of(fold, revision))


@router.get("/{revision}/diff/{other}")
async def diff(
    thread: Thread, revision: Revision, other: Revision, folds: ThreadsDep
) -> Difference:
    """Show what changed from one revision to another, per task and field."""
    fold = await folds.fold(thread)
    before, after = plan_of(fold, revision), plan_of(fold, other)
    found = difference(before, after)
    return Difference(before=before.revision, after=after.revision, changes=found)


@router.post("/{revision}/edits", status_code=202)
async def edit(
    thread: Thread, revision: Revision, body: EditBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Change a plan that waits, or its handoff packet; that makes a revision of one's own."""
    return await workflows.send(thread, EditPlan(**body.model_dump(), revision=revision, by=person))


@router.post("/{revision}/combinations", status_code=202)
async def combine(
    thread: Thread,
    revision: Revision,
    body: CombinationBody,
    workflows: WorkflowsDep,
    person: Person,
) -> Answer:
    """Ask the planner of a revision to take over parts of another one."""
    return await workflows.send(
        thread, CombinePlans(**body.model_dump(), revision=revision, by=person)
    )


@router.post("/{revision}/critiques", status_code=202)
async def criticise(
    thread: Thread,
    revision: Revision,
    body: AgentBody,
    workflows: WorkflowsDep,
    agents: AgentsDep,
    person: Person,
) -> Answer:
    """Have another agent look for what is wrong with a plan."""
    await agents.refuse_for(thread, body.agent)
    critique = RequestCritique(**body.model_dump(), revision=revision, by=person)
    return await workflows.send(thread, critique)
