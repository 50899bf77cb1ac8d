"""Whether Treadle is here; the one route that needs no token."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.dependencies import DoorDep, JournalDep

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """What works: reading needs the journal alone, writing needs Temporal too."""

    position: int
    temporal: Literal["up", "down"]


@router.get("/health")
async def health(journal: JournalDep, door: DoorDep) -> Health:
    """Say what works."""
    is_up = await door.is_up()
    return Health(position=await journal.position(), temporal="up" if is_up else "down")
