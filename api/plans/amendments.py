"""Changes of a running plan: propose them, have them planned, read all of them and their versions."""

from fastapi import APIRouter

from api.core.agents import AgentsDep
from api.core.dependencies import Person, Thread, ThreadsDep, WorkflowsDep
from api.plans.bodies import AmendmentBody, AmendmentRequestBody
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.threads.amending.history import AmendmentView, PlanVersion
from domain.threads.planning.commands import Amend, RequestAmendment

router = APIRouter(tags=["amendments"], prefix="/threads/{thread}")


@router.post("/amendments", status_code=201)
async def amend(
    thread: Thread, body: AmendmentBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Propose a change of the running plan; it is shown as a card, and approved like a plan."""
    command = Amend(command_id=body.command_id, by=person, amendment=body.amendment)
    return await workflows.send(thread, command)


@router.post("/amendment-requests", status_code=202)
async def request_amendment(
    thread: Thread,
    body: AmendmentRequestBody,
    workflows: WorkflowsDep,
    agents: AgentsDep,
    person: Person,
) -> Answer:
    """Open a planning session that works out how the running plan should change."""
    await agents.refuse_for(thread, body.agent)
    return await workflows.send(thread, RequestAmendment(**body.model_dump(), by=person))


@router.get("/amendments")
async def amendments(thread: Thread, folds: ThreadsDep) -> list[AmendmentView]:
    """List every amendment that was proposed, in order, with what became of it."""
    return list((await folds.fold(thread)).history.amendments.values())


@router.get("/amendments/{amendment}")
async def amendment(thread: Thread, amendment: str, folds: ThreadsDep) -> AmendmentView:
    """Show one amendment."""
    known = {
        str(name): each for name, each in (await folds.fold(thread)).history.amendments.items()
    }
    if amendment not in known:
        names = ", ".join(known) or "none yet"
        raise NotFoundError(f"thread {thread!r} has no such amendment; it has: {names}")
    return known[amendment]


@router.get("/versions")
async def versions(thread: Thread, folds: ThreadsDep) -> list[PlanVersion]:
    """List the versions of the thread's plans: who made each, when, and why."""
    return (await folds.fold(thread)).history.versions
