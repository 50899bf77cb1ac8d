"""The report: outcomes, durations, waits, failures and costs."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from adapters.journal import SqlJournal
from api.core.dependencies import SettingsDep, ThreadLists
from api.core.permissions import OF_PROJECTS, PermitsDep, canonical_project
from api.reports.html.page import CONTENT_POLICY, page_of
from domain.people.roles import EVERY_PROJECT, Role
from domain.reading.report.making import Scope, report_of
from domain.reading.report.records import AgentRecord, Versus, records_of, versus_of
from domain.reading.report.report import Report
from domain.reading.report.since import MAX_SINCE, read_since


class AgentRecords(BaseModel):
    """How agents did in a project, of all kinds of work and of each; and against each other on the same tasks."""

    project: str
    records: tuple[AgentRecord, ...]
    versus: tuple[Versus, ...]


router = APIRouter(tags=["report"], dependencies=[OF_PROJECTS])

_Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]
Since = Annotated[
    Annotated[_Text, Field(max_length=MAX_SINCE)] | None,
    Query(
        description="Start of the period: hours, days or weeks ago (12h, 7d, 2w), or a UTC date or time"
    ),
]
Project = Annotated[
    Annotated[_Text, Field(max_length=4096)] | None,
    Query(description="A repository's path, or the last part of it"),
]


@router.get("/report")
async def report(
    journal: ThreadLists,
    permits: PermitsDep,
    settings: SettingsDep,
    since: Since = None,
    project: Project = None,
) -> Report:
    """Report outcomes, durations, waits, failures and costs, of one project or all."""
    permits.access.require(Role.VIEWER, project or EVERY_PROJECT)
    return await _made(journal, since, project, settings.money.time_zone)


@router.get("/report.html", response_class=HTMLResponse)
async def report_page(
    journal: ThreadLists,
    permits: PermitsDep,
    settings: SettingsDep,
    since: Since = None,
    project: Project = None,
) -> HTMLResponse:
    """Get the report as a self-contained HTML page with charts."""
    permits.access.require(Role.VIEWER, project or EVERY_PROJECT)
    page = page_of(await _made(journal, since, project, settings.money.time_zone))
    return HTMLResponse(
        page, headers={"Content-Security-Policy": f"{CONTENT_POLICY}; frame-ancestors 'none'"}
    )


@router.get("/report/agents")
async def agent_records(
    journal: ThreadLists, permits: PermitsDep, project: Project = None
) -> AgentRecords:
    """Report how agents did: how many tasks passed their first verification, with time and cost.

    Of one project or all; the list is empty where no task has ended yet. It is kept up to date as tasks end.
    """
    named = _repository_of(project or "")
    permits.access.require(Role.VIEWER, named or EVERY_PROJECT)
    tally = await journal.agent_records.of(named)
    return AgentRecords(project=named, records=records_of(tally), versus=versus_of(tally))


def _repository_of(project: str) -> str:
    """Return the repository that a folder is in; a name, a URL, and a folder that is not here stay as they are."""
    if not project.startswith("/"):
        return project
    found = canonical_project(project)
    return project if found == EVERY_PROJECT else found


async def _made(journal: SqlJournal, since: str | None, project: str | None, zone: str) -> Report:
    now = datetime.now(UTC)
    begin = read_since(since, now) if since else None
    tally = await journal.counted(begin, project or "", zone)
    return report_of(tally, Scope(until=now, since=begin, project=project or "", zone=zone))
