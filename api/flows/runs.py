"""Runs of flows: begin, go on with, list, show, steer."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel

from adapters.journal import Wanted
from api.core.dependencies import (
    MAX_POSITION,
    After,
    KeyDep,
    Limit,
    Person,
    Streaming,
    ThreadLists,
    WorkflowsDep,
)
from api.core.event_pages import Before, EventPage, OneStream, page_of, wanted_in
from api.core.queue_client import QueueClientDep, QueueItem
from api.core.sse import EventStream, LastEventId, followed
from api.flows.bodies import FlowRunBody
from api.flows.lookup import FlowProjectionsDep, FlowRun, KnownFlowRun, RunLists
from api.flows.signal_lines import with_flow_lines
from api.flows.starting import FlowStartsDep
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.flows.person_commands import ResumeFlow
from domain.flows.starting import AgentMismatchError, RunRequestError
from domain.reading.flow_runs import FlowRunView
from domain.reading.listing import PAGE, FlowRunQuery

router = APIRouter(tags=["flows"])

FlowName = Annotated[str, Path(max_length=200, description="A flow, or scope and name: user:hello")]
Status = Literal["open", "running", "waiting", "stopping", "stopped", "failed", "completed"]
Text = Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class BegunRun(BaseModel):
    """A run that was begun, or goes on; its id is that of its conversation."""

    status: Literal["started", "resumed", "queued"]
    flow_name: str
    conversation_id: StreamId
    warnings: list[str] = []


class FlowRunLine(Headline):
    """A run in one line."""

    run_id: StreamId


class FlowRunPage(BaseModel):
    """Runs, the latest changed first; `next` is the `after` of the page behind, if any.

    `position` is how far the journal was when they were looked for: a stream goes on from there.
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
) -> BegunRun:
    """Begin a run of a flow; with a `conversation_id`, go on with that one."""
    if body.conversation_id is None and body.resume_step_index is not None:
        raise RunRequestError("a resume_step_index needs the conversation_id of a run")
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
    view = await folds.view(body.conversation_id)
    if view.flow_name != name.rpartition(":")[2]:
        raise AgentMismatchError(f"{view.run_id} is a run of the flow {view.flow_name!r}")
    has_changed = runs.has_changed(view)
    command = ResumeFlow(
        command_id=body.command_id,
        by=person,
        step_index=body.resume_step_index,
        has_definition_changed=has_changed,
    )
    answer = await workflows.send(view.run_id, command)
    warnings = [answer.message] if has_changed else []
    return BegunRun(
        status="resumed", flow_name=view.flow_name, conversation_id=view.run_id, warnings=warnings
    )


@router.get("/flow-runs")
async def flow_runs(  # noqa: PLR0913  (each is a parameter of the query)
    runs: RunLists,
    journal: ThreadLists,
    *,
    status: Status | None = None,
    flow: Text = None,
    project: Text = None,
    q: Text = None,
    archived: bool = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = PAGE,
    after: Annotated[int, Query(ge=0, le=MAX_POSITION)] = MAX_POSITION,
) -> FlowRunPage:
    """List runs of flows, the latest changed first."""
    query = FlowRunQuery(
        words=q or "", status=status, project=project, flow=flow, is_archived=archived, before=after
    )
    position = await journal.position()
    found = await runs.page(query, limit + 1)
    page = [FlowRunLine(**dict(line), run_id=line.stream) for line in found[:limit]]
    behind = page[-1].changed if len(found) > limit else None
    return FlowRunPage(runs=page, next=behind, position=position)


@router.get("/flow-runs/{run}")
async def flow_run(
    run: FlowRun, folds: FlowProjectionsDep, workflows: WorkflowsDep, key: KeyDep
) -> FlowRunView:
    """Show a run: its steps, its conversations, where it is, and what waits for a person."""
    return with_flow_lines(await folds.view(run), key, workflows.address)


@router.get("/flow-runs/{run}/events", response_model=EventPage)
async def flow_run_events(
    run: KnownFlowRun,
    journal: ThreadLists,
    after: After = 0,
    before: Before = None,
    limit: Limit = 500,
    stream: OneStream = None,
) -> Response:
    """Return events of a run and of its conversations, the merged transcript: the next, or earlier."""
    return await page_of(journal, wanted_in(run, stream), (after, before), limit)


@router.get(
    "/flow-runs/{run}/events/stream",
    response_class=EventStream,
    dependencies=[Streaming],
)
async def flow_run_stream(
    run: KnownFlowRun, journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream the events of a run and of its conversations, then new ones as they come."""
    return followed(journal, Wanted((run,), below=True), last_event_id or after)
