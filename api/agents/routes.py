"""Agents: list, show, add, trust, inspect, test and install them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from pydantic import BaseModel

from adapters.journal import Wanted
from api.agents.bodies import AgentName, AgentTrustBody, CheckBody, NewAgentBody
from api.core.agents import FilesDep, StatusesDep
from api.core.checks import await_start
from api.core.dependencies import (
    After,
    JournalDep,
    Limit,
    Number,
    Person,
    Repository,
    Streaming,
    ThreadLists,
    WorkflowsDep,
)
from api.core.event_pages import EventPage, page_of
from api.core.host_files import HostFilesDep
from api.core.permissions import OF_REPOSITORY, OF_SERVER
from api.core.sse import EventStream, LastEventId, followed
from domain.agents.checks import CheckInput, CheckKind, check_stream
from domain.agents.status import AgentDetails, AgentStatus
from domain.core.checks import check_number
from domain.core.errors import NotFoundError
from domain.core.ids import StreamId
from domain.hosts.file_calls import FileSubject

router = APIRouter(tags=["agents"], prefix="/agents", dependencies=[OF_REPOSITORY])

Agent = Annotated[AgentName, Path(description="Agent name")]


async def _known(name: Agent, number: Number, journal: JournalDep) -> StreamId:
    stream = check_stream(name, number)
    if not await journal.read(stream, limit=1):
        raise NotFoundError(f"agent {name!r} has no check {number}")
    return stream


class Agents(BaseModel):
    """All agents by name, including broken ones; of the same name, in order of precedence."""

    agents: list[AgentStatus]


class CheckBegun(BaseModel):
    """A check that has started; `stream` has its events."""

    check: int
    stream: StreamId


@router.get("")
async def agents(files: HostFilesDep, repository: Repository = None) -> Agents:
    """List agents without starting any.

    Each says whether it is installed and logged in, what it offers, and what is missing.
    """
    found = await files.ask(list[AgentStatus], FileSubject.AGENTS, repository=repository)
    return Agents(agents=found)


@router.post("", status_code=201, dependencies=[OF_SERVER])
def add_agent(body: NewAgentBody, files: FilesDep, statuses: StatusesDep) -> AgentDetails:
    """Add an agent by its command; existing ones are never replaced."""
    files.add(body.name, body.command, title=body.title, environment=body.environment)
    return statuses.details(files.one(body.name))


@router.get("/{name}")
async def agent(name: Agent, files: HostFilesDep, repository: Repository = None) -> AgentDetails:
    """Get an agent: its command, its access, and what is missing."""
    return await files.ask(AgentDetails, FileSubject.AGENT, name=name, repository=repository)


@router.post("/{name}/trust")
async def trust_agent(name: Agent, body: AgentTrustBody, files: HostFilesDep) -> AgentStatus:
    """Trust an agent that a repository brings, on each host that has it so; refused if it has changed."""
    return await files.ask(AgentStatus, FileSubject.TRUST_AGENT, name=name, **body.model_dump())


@router.post("/{name}/{kind}", status_code=202, dependencies=[OF_SERVER])
async def check_agent(  # noqa: PLR0913  (each is a part of the request)
    name: Agent,
    kind: CheckKind,
    body: CheckBody,
    *,
    files: HostFilesDep,
    workflows: WorkflowsDep,
    journal: JournalDep,
    person: Person,
) -> CheckBegun:
    """Inspect an agent, test it with a harmless prompt, or install it.

    The events of the check have its progress and its result.
    """
    host = await files.host_of_agents()
    await files.ask(str, FileSubject.USABLE_AGENT, name=name, repository=body.repository)
    streams = await journal.headlines(below=StreamId(f"agents/{name}"))
    check = CheckInput(
        agent=name,
        kind=kind,
        number=max((check_number(each.stream) for each in streams), default=0) + 1,
        host=host,
        repository=body.repository,
        by=person,
    )
    begun = await workflows.start_check(check)
    await await_start(begun.stream, repr(name), journal, workflows)
    return CheckBegun(check=begun.number, stream=begun.stream)


@router.get("/{name}/checks/{number}/events", response_model=EventPage)
async def check_events(
    stream: Annotated[StreamId, Depends(_known)],
    journal: ThreadLists,
    after: After = 0,
    limit: Limit = 500,
) -> Response:
    """List events of a check; the last one is `agent_check_ended`, with the result."""
    return await page_of(journal, Wanted((stream,)), (after, None), limit)


@router.get(
    "/{name}/checks/{number}/events/stream",
    response_class=EventStream,
    dependencies=[Streaming],
)
async def check_events_stream(
    stream: Annotated[StreamId, Depends(_known)],
    journal: ThreadLists,
    after: After = 0,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream events of a check: existing ones, then new ones."""
    return followed(journal, Wanted((stream,)), last_event_id or after)
