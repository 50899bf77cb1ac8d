"""Flow runs: start, list, show, and their events."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.dependencies import (
    MAX_POSITION,
    FlowProjectionsDep,
    Limit,
    Person,
    ThreadLists,
    WorkflowsDep,
)
from api.core.event_pages import add_event_routes
from api.core.list_parameters import Archived, NextPage, OfFlow, Project, Search
from api.core.permissions import OF_RUN, PermitsDep
from api.core.queue_client import QueueClientDep, QueueItem
from api.core.signal_lines import LinesDep
from api.flows.bodies import FlowRunBody
from api.flows.lookup import FlowRun, RunLists, known_run
from api.flows.signal_lines import with_flow_lines
from api.flows.starting import FlowStartsDep
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.flows.person_commands import ResumeFlow
from domain.flows.starting import AgentMismatchError, RunRequestError
from domain.people.commands import role_for
from domain.reading.flow_runs import FlowRunView
from domain.reading.listing import PAGE, FlowRunQuery

router = APIRouter(tags=["flows"], dependencies=[OF_RUN])

FlowName = Annotated[
    str, Path(max_length=200, description="Flow name, optionally with its scope: user:hello")
]
Status = Literal["open", "running", "waiting", "stopping", "stopped", "failed", "completed"]


class BegunRun(BaseModel):
    """A started, resumed or queued flow run; `conversation_id` is its id."""

    status: Literal["started", "resumed", "queued"]
    flow_name: str
    conversation_id: StreamId
    warnings: list[str] = []


class FlowRunLine(Headline):
    """A flow run in a list."""

    run_id: StreamId


class FlowRunPage(BaseModel):
    """A page of flow runs, most recently changed first; `next` is the `after` of the next page.

    `position` is the journal position of the query: start a stream there.
    """

    runs: list[FlowRunLine]
    next: int | None = None
    position: int


@router.post("/flows/{name}/runs", status_code=202)
async def run_flow(  # noqa: PLR0913, PLR0917  (what FastAPI gives)
    name: FlowName,
    body: FlowRunBody,
    runs: FlowStartsDep,
    workflows: WorkflowsDep,
    folds: FlowProjectionsDep,
    queue_client: QueueClientDep,
    person: Person,
    permits: PermitsDep,
) -> BegunRun:
    """Start a flow run; with a `conversation_id`, resume that one."""
    _refuse_contradictions(body)
    if body.conversation_id is None:
        flow = await runs.prepare(name, body)
        known = flow.definition.name
        if body.queue:
            item = QueueItem(flow, body.priority, tuple(body.after))
            (entry,) = await queue_client.enqueue([item], body.command_id)
            waits = StreamId(entry.entry_id)
            return BegunRun(status="queued", flow_name=known, conversation_id=waits)
        begun = await runs.begin(flow)
        return BegunRun(status="started", flow_name=known, conversation_id=begun.run_id)
    await permits.require(role_for(ResumeFlow.door), body.conversation_id)
    view = await folds.view(body.conversation_id)
    if view.flow_name != name.rpartition(":")[2]:
        raise AgentMismatchError(
            f"{view.run_id} is a run of the flow {view.flow_name!r}, not {name!r}"
        )
    has_changed = runs.has_changed(view)
    command = ResumeFlow(
        command_id=body.command_id,
        by=person,
        step_index=body.resume_step_index,
        has_definition_changed=has_changed,
    )
    answer = await workflows.send(view.run_id, command)
    warned = [answer.message] if has_changed else []
    flow_name, run_id = view.flow_name, view.run_id
    return BegunRun(status="resumed", flow_name=flow_name, conversation_id=run_id, warnings=warned)


def _refuse_contradictions(body: FlowRunBody) -> None:
    """Refuse fields that are for a new run only, or for one that is resumed.

    Raises:
        RunRequestError: There are some.
    """
    if body.conversation_id is None and body.resume_step_index is not None:
        raise RunRequestError("a resume_step_index needs the conversation_id of a run")
    if body.conversation_id is not None and not body.wish.is_empty:
        raise RunRequestError("a run that is resumed stays on its host: omit host and labels")


@router.get("/flow-runs")
async def flow_runs(  # noqa: PLR0913  (each is a parameter of the query)
    runs: RunLists,
    journal: ThreadLists,
    permits: PermitsDep,
    *,
    status: Status | None = None,
    flow: OfFlow = None,
    project: Project = None,
    q: Search = None,
    archived: Archived = False,
    limit: Limit = PAGE,
    after: NextPage = MAX_POSITION,
) -> FlowRunPage:
    """List flow runs, most recently changed first."""
    query = FlowRunQuery(
        words=q or "",
        status=status,
        project=project,
        flow=flow,
        is_archived=archived,
        before=after,
        projects=await permits.visible(),
    )
    position = await journal.position()
    found = await runs.page(query, limit + 1)
    page = [FlowRunLine(**dict(line), run_id=line.stream) for line in found[:limit]]
    behind = page[-1].changed if len(found) > limit else None
    return FlowRunPage(runs=page, next=behind, position=position)


@router.get("/flow-runs/{run}")
async def flow_run(run: FlowRun, folds: FlowProjectionsDep, lines: LinesDep) -> FlowRunView:
    """Get a flow run: its steps, conversations, position and open questions."""
    return with_flow_lines(await folds.view(run), lines)


add_event_routes(router, "/flow-runs/{run}/events", known_run, "a flow run and its conversations")
