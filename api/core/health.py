"""The health of Treadle; the only route that needs no token."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.dependencies import ThreadLists, WorkflowsDep
from api.core.permissions import OF_OWN

router = APIRouter(tags=["health"], dependencies=[OF_OWN])


class Health(BaseModel):
    """What is up: reading needs only the journal, writing also needs Temporal and a worker.

    A dead worker is noticed within six seconds, by its heartbeats; one that sends none within 90, and
    `unknown` means that Temporal does not say.
    """

    position: int
    temporal: Literal["up", "down"]
    worker: Literal["up", "down", "unknown"]


@router.get("/health")
async def health(journal: ThreadLists, workflows: WorkflowsDep) -> Health:
    """Get the health of Treadle."""
    is_up = await workflows.is_up()
    has_worker = await journal.presence.is_alive()
    if has_worker is None and is_up:
        has_worker = await workflows.has_worker()
    return Health(
        position=await journal.position(),
        temporal="up" if is_up else "down",
        worker="unknown" if has_worker is None else "up" if has_worker else "down",
    )
