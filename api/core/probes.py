"""The probes of an orchestrator: `/livez` says that the process answers, `/readyz` that it can read.

They need neither the token nor a known Host header, which a kubelet does not send; they reveal nothing
beyond that. A failing `/readyz` takes an API out of service; only a failing `/livez` restarts it, so an
outage of the database restarts nothing.
"""

import asyncio
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from adapters.journal import SqlJournal
from api.core.dependencies import ThreadLists, WorkflowsDep
from domain.core.errors import TreadleError

PROBES = frozenset({"/livez", "/readyz"})
READY_SECONDS = 2.0

router = APIRouter(include_in_schema=False)


class Liveness(BaseModel):
    """The process answers."""

    status: Literal["alive"] = "alive"


class Readiness(BaseModel):
    """Whether requests can be answered. Without Temporal and workers they can: reading needs neither.

    `temporal` is `down` as well where it is there and does not answer within two seconds.
    """

    status: Literal["ready", "unready"]
    journal: Literal["up", "down"]
    temporal: Literal["up", "down"]


@router.get("/livez")
async def livez() -> Liveness:
    """Tell that the process answers."""
    return Liveness()


@router.get("/readyz")
async def readyz(journal: ThreadLists, workflows: WorkflowsDep) -> Response:
    """Tell whether the journal answers within two seconds: 200, or 503; and whether Temporal does."""
    can_read, is_up = await asyncio.gather(_can_read(journal), workflows.is_up(READY_SECONDS))
    found = Readiness(
        status="ready" if can_read else "unready",
        journal="up" if can_read else "down",
        temporal="up" if is_up else "down",
    )
    code = HTTPStatus.OK if can_read else HTTPStatus.SERVICE_UNAVAILABLE
    return JSONResponse(found.model_dump(), code)


async def _can_read(journal: SqlJournal) -> bool:
    try:
        async with asyncio.timeout(READY_SECONDS):
            await journal.position()
    except (TreadleError, TimeoutError, OSError):
        return False
    return True
