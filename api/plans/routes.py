"""Plans of a thread: request, read, compare, edit and critique them."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from api.core.agents import AgentsDep
from api.core.commands import CommandsDep
from api.core.dependencies import LedgerDep, RedactorDep, Thread, ThreadsDep
from api.core.permissions import OF_THREAD, PermitsDep
from api.core.redaction import refuse_secret_ids
from api.core.seen_accounts import seen_accounts
from api.plans.bodies import AddedPlannerBody, AgentBody, CombinationBody, EditBody, PlanBody
from api.plans.views import PlanEstimate, PlanView, comparison, difference, plan_of, view_of
from domain.agents.ledger import next_entry
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.core.ids import SessionId
from domain.plans.changes import PlanChanges
from domain.plans.comparison import Comparison
from domain.plans.estimates import expected_tasks
from domain.reading.money import LimitView
from domain.reading.talk import talk_of
from domain.threads.planning.commands import (
    AddPlanner,
    CombinePlans,
    EditPlan,
    RequestCritique,
    RequestPlan,
)
from domain.threads.sessions import opened_of
from domain.threads.turn_limits import turn_limits

router = APIRouter(tags=["plans"], prefix="/threads/{thread}/plans", dependencies=[OF_THREAD])

Revision = Annotated[int, Path(ge=1, le=1_000_000)]
Revisions = Annotated[
    str | None,
    Query(
        pattern=r"^\d{1,6}(,\d{1,6}){0,9}$",
        description="Revisions, like 1,2. Default: all that are waiting",
    ),
]


class Difference(BaseModel):
    """The changes from one revision to another."""

    before: int
    after: int
    changes: PlanChanges


class PlannerContext(BaseModel):
    """What was said in a chat, as Markdown."""

    text: str


@router.post("", status_code=202)
async def request_plan(
    thread: Thread,
    body: PlanBody,
    commands: CommandsDep,
    agents: AgentsDep,
    folds: ThreadsDep,
) -> Answer:
    """Ask for a plan of the thread's goal, or of a new one.

    The chat goes on as the planner, unless another agent or model is named. Planners that were not in
    the chat are told what was said in it, or your `context` in its place.
    """
    await agents.refuse_for(thread, body.agent, *(rival.agent for rival in body.rivals))
    context = body.context or ""
    if body.context is None and (body.rivals or body.agent or body.model):
        chat = SessionId(body.session_id) if body.session_id else None
        context = await _told(folds, thread, chat)
    return await commands.send(thread, RequestPlan, body, context=context)


async def _told(folds: ThreadsDep, thread: str, chat: SessionId | None = None) -> str:
    """Return what was said in the chat; a thread that the journal does not have yet said nothing."""
    try:
        return talk_of(await folds.fold(thread), chat)
    except NotFoundError:
        return ""


@router.get("/context")
async def context(
    thread: Thread,
    folds: ThreadsDep,
    session_id: Annotated[str | None, Query(max_length=300)] = None,
) -> PlannerContext:
    """Get what planners would be told that were not in the chat; send it with changes as `context`."""
    wanted = SessionId(session_id) if session_id else None
    return PlannerContext(text=talk_of(await folds.fold(thread), wanted))


@router.get("")
async def plans(thread: Thread, folds: ThreadsDep) -> list[PlanView]:
    """List all proposed plans in the order of their revisions."""
    fold = await folds.fold(thread)
    return [view_of(fold, proposed) for proposed in fold.thread.plans]


@router.post("/planners", status_code=202)
async def add_planner(
    thread: Thread,
    body: AddedPlannerBody,
    commands: CommandsDep,
    agents: AgentsDep,
    folds: ThreadsDep,
) -> Answer:
    """Ask another agent to propose a plan for the same goal; it is told what was said in the chat."""
    await agents.refuse_for(thread, body.agent)
    context = body.context
    if context is None:
        context = await _told(folds, thread)
    return await commands.send(thread, AddPlanner, body, context=context)


@router.get("/compare")
async def compare(thread: Thread, folds: ThreadsDep, revisions: Revisions = None) -> Comparison:
    """Compare plans by tasks, approach, parallel groups, key risk, critical path, files and cost."""
    fold = await folds.fold(thread)
    wanted = [int(number) for number in revisions.split(",")] if revisions else None
    return comparison(fold, wanted)


@router.get("/{revision}")
async def plan(thread: Thread, revision: Revision, folds: ThreadsDep) -> PlanView:
    """Get a plan with its handoff packet, warnings and critiques."""
    fold = await folds.fold(thread)
    return view_of(fold, plan_of(fold, revision))


@router.get("/{revision}/estimate")
async def plan_estimate(
    thread: Thread, revision: Revision, ledger: LedgerDep, folds: ThreadsDep, permits: PermitsDep
) -> PlanEstimate:
    """Get a plan's expected cost, based on earlier tasks, with the limits that apply."""
    fold = await folds.fold(thread)
    plan, opened = plan_of(fold, revision).plan, opened_of(fold.thread)
    project = opened.facts.root
    found = await ledger.estimate(expected_tasks(plan, opened.agent, opened.model), project)
    entry = next_entry(thread, project, turn_limits(opened))
    accounts = seen_accounts(permits, await ledger.accounts(entry))
    return PlanEstimate(
        estimate=found,
        words=found.words,
        limits=[LimitView.of(each) for each in accounts],
        beyond=[
            each.words
            for each in accounts
            if found.known and found.high > each.limit - each.settled - each.reserved
        ],
    )


@router.get("/{revision}/diff/{other}")
async def diff(
    thread: Thread, revision: Revision, other: Revision, folds: ThreadsDep
) -> Difference:
    """Get the changes between two revisions, by task and field."""
    fold = await folds.fold(thread)
    before, after = plan_of(fold, revision), plan_of(fold, other)
    found = difference(before, after)
    return Difference(before=before.revision, after=after.revision, changes=found)


@router.post("/{revision}/edits", status_code=202)
async def edit(
    thread: Thread,
    revision: Revision,
    body: EditBody,
    commands: CommandsDep,
    agents: AgentsDep,
    redactor: RedactorDep,
) -> Answer:
    """Edit a waiting plan or its handoff packet; this makes a new revision."""
    refuse_secret_ids(redactor, body.plan or {})
    doubts = await agents.doubts_of(thread, body.plan) if body.plan else ()
    return await commands.send(thread, EditPlan, body, revision=revision, doubts=doubts)


@router.post("/{revision}/combinations", status_code=202)
async def combine(
    thread: Thread, revision: Revision, body: CombinationBody, commands: CommandsDep
) -> Answer:
    """Ask the planner of a revision to take over parts of another plan."""
    return await commands.send(thread, CombinePlans, body, revision=revision)


@router.post("/{revision}/critiques", status_code=202)
async def criticise(
    thread: Thread,
    revision: Revision,
    body: AgentBody,
    commands: CommandsDep,
    agents: AgentsDep,
) -> Answer:
    """Ask another agent to critique a plan."""
    await agents.refuse_for(thread, body.agent)
    return await commands.send(thread, RequestCritique, body, revision=revision)
