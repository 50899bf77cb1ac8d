"""Amendments, which change a running plan, and the versions that they made."""

from fastapi import APIRouter

from api.core.agents import AgentsDep
from api.core.commands import CommandsDep
from api.core.dependencies import RedactorDep, Thread, ThreadsDep
from api.core.permissions import OF_THREAD
from api.core.redaction import refuse_secret_ids
from api.plans.bodies import AmendmentBody, AmendmentRequestBody
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.threads.amending.history import AmendmentView, PlanVersion
from domain.threads.planning.commands import Amend, RequestAmendment

router = APIRouter(tags=["amendments"], prefix="/threads/{thread}", dependencies=[OF_THREAD])


@router.post("/amendments", status_code=201)
async def propose_amendment(
    thread: Thread,
    body: AmendmentBody,
    commands: CommandsDep,
    agents: AgentsDep,
    redactor: RedactorDep,
) -> Answer:
    """Propose an amendment of the running plan; it takes effect once you approve it."""
    refuse_secret_ids(redactor, body.amendment)
    doubts = await agents.doubts_of(thread, body.amendment)
    return await commands.send(thread, Amend, body, doubts=doubts)


@router.post("/amendment-requests", status_code=202)
async def request_amendment(
    thread: Thread, body: AmendmentRequestBody, commands: CommandsDep, agents: AgentsDep
) -> Answer:
    """Ask a planner to propose an amendment of the running plan."""
    await agents.refuse_for(thread, body.agent)
    return await commands.send(thread, RequestAmendment, body)


@router.get("/amendments")
async def amendments(thread: Thread, folds: ThreadsDep) -> list[AmendmentView]:
    """List all amendments in the order of their proposal, with their outcome."""
    return list((await folds.fold(thread)).history.amendments.values())


@router.get("/amendments/{amendment}")
async def amendment(thread: Thread, amendment: str, folds: ThreadsDep) -> AmendmentView:
    """Get an amendment."""
    known = {
        str(name): each for name, each in (await folds.fold(thread)).history.amendments.items()
    }
    if amendment not in known:
        names = ", ".join(known) or "none yet"
        raise NotFoundError(f"thread {thread!r} has no such amendment; amendments: {names}")
    return known[amendment]


@router.get("/versions")
async def versions(thread: Thread, folds: ThreadsDep) -> list[PlanVersion]:
    """List the versions of a thread's plans: who made each, when, and why."""
    return (await folds.fold(thread)).history.versions
