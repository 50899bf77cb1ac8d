"""Whether Treadle is here; the one route that needs no token."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.dependencies import JournalDep, WorkflowsDep

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """What works: reading needs the journal alone, writing needs Temporal and a worker too.

    A worker that died is found missing 90 seconds later; `unknown` is where Temporal does not say.
    """

    position: int
    temporal: Literal["up", "down"]
    worker: Literal["up", "down", "unknown"]


@router.get("/health")
async def health(journal: JournalDep, workflows: WorkflowsDep) -> Health:
    """Say what works."""
    is_up = await workflows.is_up()
    has_worker = await workflows.has_worker() if is_up else None
    return Health(
        position=await journal.position(),
        temporal="up" if is_up else "down",
        worker="unknown" if has_worker is None else "up" if has_worker else "down",
    )
