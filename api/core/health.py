"""The health of Treadle; the only route that needs no token."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.dependencies import JournalDep, WorkflowsDep

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """What is up: reading needs only the journal, writing also needs Temporal and a worker.

    It takes 90 seconds to notice a dead worker; `unknown` means that Temporal does not say.
    """

    position: int
    temporal: Literal["up", "down"]
    worker: Literal["up", "down", "unknown"]


@router.get("/health")
async def health(journal: JournalDep, workflows: WorkflowsDep) -> Health:
    """Get the health of Treadle."""
    is_up = await workflows.is_up()
    has_worker = await workflows.has_worker() if is_up else None
    return Health(
        position=await journal.position(),
        temporal="up" if is_up else "down",
        worker="unknown" if has_worker is None else "up" if has_worker else "down",
    )
