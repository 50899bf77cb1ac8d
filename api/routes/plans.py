"""Plans of a thread: ask for one, read each revision."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.bodies import PlanBody
from api.dependencies import DoorDep, JournalDep, KnownThread, Thread
from domain.approvals import ApprovalRequest, Outcome
from domain.commands import Answer, RequestPlan
from domain.errors import NotFoundError
from domain.events.thread import PlanDecided, PlanProposed
from domain.ids import StreamId, ThreadId
from domain.plans import Plan
from domain.ports import Journal

router = APIRouter(tags=["plans"], prefix="/threads/{thread}/plans")

Revision = Annotated[int, Path(ge=1, le=1_000_000)]
CHUNK = 500


class PlanView(BaseModel):
    """One revision of a plan; `outcome` is there once it is decided."""

    revision: int
    plan: Plan
    parallel_groups: list[list[str]]
    warnings: tuple[str, ...]
    request: ApprovalRequest
    outcome: Outcome | None = None


@router.post("", status_code=202)
async def request_plan(thread: Thread, body: PlanBody, door: DoorDep) -> Answer:
    """Ask for a plan, of the thread's goal or of a new one."""
    return await door.send(thread, RequestPlan(**body.model_dump(), by="api"))


@router.get("")
async def plans(thread: KnownThread, journal: JournalDep) -> list[PlanView]:
    """List every revision that was proposed, in order."""
    return list((await _plans(journal, thread)).values())


@router.get("/{revision}")
async def plan(thread: KnownThread, revision: Revision, journal: JournalDep) -> PlanView:
    """Show one revision."""
    found = await _plans(journal, thread)
    if revision not in found:
        raise NotFoundError(f"no plan {revision} in this thread; it has: {list(found) or 'none'}")
    return found[revision]


async def _plans(journal: Journal, thread: ThreadId) -> dict[int, PlanView]:
    found: dict[int, PlanView] = {}
    after = 0
    while batch := await journal.read(StreamId(thread), after=after, limit=CHUNK):
        after = batch[-1].position
        for journaled in batch:
            match journaled.event.body:
                case PlanProposed() as proposed:
                    found[proposed.revision] = PlanView(
                        revision=proposed.revision,
                        plan=proposed.plan,
                        parallel_groups=proposed.plan.parallel_groups,
                        warnings=proposed.warnings,
                        request=proposed.request,
                    )
                case PlanDecided() as decided:
                    known = found[decided.revision]
                    found[decided.revision] = known.model_copy(update={"outcome": decided.outcome})
                case _:
                    pass
    return found
