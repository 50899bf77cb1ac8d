"""The audit log: pages of it, and whether it is whole."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from adapters.journal.audit import AuditWanted
from api.core.dependencies import MAX_POSITION, Limit, ThreadLists
from api.core.permissions import AUDITS
from domain.people.audit import AuditRecord, Verification

router = APIRouter(tags=["people"], prefix="/audit", dependencies=[AUDITS])


class AuditPage(BaseModel):
    """Records in order; `after` is the cursor of the next page."""

    records: list[AuditRecord]
    after: int


@router.get("")
async def audit(
    journal: ThreadLists,
    after: Annotated[int, Query(ge=0, le=MAX_POSITION, description="A record's number")] = 0,
    limit: Limit = 500,
    since: datetime | None = None,
    person: Annotated[str, Query(max_length=200)] = "",
    project: Annotated[str, Query(max_length=4096)] = "",
) -> AuditPage:
    """List records of the audit log, in order: who did what, from where, and what became of it."""
    wanted = AuditWanted(since, person, project)
    found = await journal.people.audit.page(wanted, after=after, limit=limit)
    return AuditPage(records=found, after=found[-1].number if found else after)


@router.get("/verification")
async def verify_audit(journal: ThreadLists) -> Verification:
    """Check that no record of the audit log is missing, and none was changed."""
    return await journal.people.audit.verify()
