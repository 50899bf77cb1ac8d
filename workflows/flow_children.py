"""How a run of a flow begins, awaits and stops the runs that a step names, and serves its own parent."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import (
    ApplicationError,
    ChildWorkflowError,
    WorkflowAlreadyStartedError,
)
from temporalio.workflow import ChildWorkflowHandle, ParentClosePolicy

from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.ids import CommandId, SessionId
from domain.flows.commands import CallRun, LoseParent, LoseRun, MarkParentNotified, NoteRun
from domain.flows.effects import AwaitRun, BorrowDirectory, NotifyParent
from domain.flows.events import ChildEnd, ParentRun
from domain.flows.inputs import FlowInput
from domain.flows.person_commands import StopFlow
from domain.flows.state import FlowStatus
from domain.flows.subflows import news_of
from workflows import options
from workflows.attributes import listed
from workflows.flow_effects import carries
from workflows.flow_loop import FlowLoop
from workflows.left_alone import leave_alone
from workflows.signalling import reaches, send_signal
from workflows.summaries import shown

ASK_AGAIN = timedelta(hours=1)
"""How long nothing may be heard of a run before it is asked whether it is there."""

_Handle = ChildWorkflowHandle[Any, Any]


@carries
async def _await_run(effect: AwaitRun, flow: FlowLoop) -> None:
    """Begin a run or call it, then wait until it told its end; a stop is passed on to it, always."""

    def is_awaited() -> bool:
        runs = flow.state.awaited if flow.state.visits == effect.visit else ()
        return any(run.run_id == effect.run_id for run in runs)

    def is_going_on() -> bool:
        return flow.state.status is FlowStatus.RUNNING and is_awaited()

    await workflow.wait_condition(lambda: not _is_begun_elsewhere(effect, flow))
    is_there = effect.run_id in flow.started
    if not is_there and not is_going_on():
        flow.submit(_news(effect, ChildEnd.STOPPED, "stopped before it began"))
        return
    flow.busy.add(effect.key)
    handle = None if is_there else await _begun(effect, flow)
    call = CallRun(call=effect.visit)
    if not (await reaches(effect.run_id, "call_run", call) if is_there else handle):
        flow.started.discard(SessionId(effect.run_id))
        flow.busy.discard(effect.key)
        flow.submit(LoseRun(run_id=effect.run_id))
        return
    flow.busy.discard(effect.key)
    while is_going_on() and not _has_ended(handle):
        await _wait(effect, handle, is_going_on)
    if is_going_on():
        flow.started.discard(SessionId(effect.run_id))
        reason = await _last_words(handle)
        flow.submit(_news(effect, ChildEnd.FAILED, reason, is_gone=True))
    elif _is_open(effect, flow):
        stop = StopFlow(
            command_id=CommandId(f"{effect.visit}"),
            by=flow.state.run_id,
            addressed_to=effect.run_id,
        )
        flow.busy.add(effect.key)
        await reaches(effect.run_id, "stop_flow", stop)
        flow.busy.discard(effect.key)
        await workflow.wait_condition(lambda: not is_awaited())


def _is_begun_elsewhere(effect: AwaitRun, flow: FlowLoop) -> bool:
    """Tell whether the run is just being begun for an earlier visit, that a stop gave up on."""
    others = flow.busy - {effect.key}
    return any(key.endswith(f":{effect.run_id}") for key in others)


def _is_open(effect: AwaitRun, flow: FlowLoop) -> bool:
    """Tell whether nothing is known of a run's end."""
    run = flow.state.subflow_runs.run(effect.run_id)
    return run is not None and run.end is None


async def _wait(effect: AwaitRun, handle: _Handle | None, is_going_on: Callable[[], bool]) -> None:
    """Wait for news of a run; one that is silent for long is asked for them."""
    try:
        await workflow.wait_condition(
            lambda: not is_going_on() or _has_ended(handle),
            timeout=ASK_AGAIN,
            timeout_summary=shown(f"ask {effect.run_id} whether it is there"),
        )
    except TimeoutError:
        await reaches(effect.run_id, "call_run", CallRun(call=effect.visit))


def _has_ended(handle: _Handle | None) -> bool:
    return handle is not None and handle.done()


async def _last_words(handle: _Handle | None) -> str:
    try:
        return f"its workflow has ended: {await handle}" if handle else ""
    except ChildWorkflowError as error:
        return f"its workflow has ended: {error.cause or error}"


def _news(effect: AwaitRun, end: ChildEnd, reason: str, *, is_gone: bool = False) -> NoteRun:
    return NoteRun(run_id=effect.run_id, call=effect.visit, end=end, reason=reason, is_gone=is_gone)


async def _begun(effect: AwaitRun, flow: FlowLoop) -> _Handle | None:
    """Begin a run; None where its id is another's."""
    started = child_input(effect, flow)
    try:
        handle: _Handle = await workflow.start_child_workflow(  # pyright: ignore[reportUnknownMemberType] SDK's type
            "Flow",
            started,
            id=effect.run_id,
            **listed(started.listing),
            parent_close_policy=ParentClosePolicy.ABANDON,
            task_timeout=options.WORKFLOW_TASK,
            # the events of another run with its id would be taken for those of the first
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        )
    except WorkflowAlreadyStartedError:
        return None
    leave_alone(handle)
    flow.started.add(SessionId(effect.run_id))
    return handle


def child_input(effect: AwaitRun, flow: FlowLoop) -> FlowInput:
    """Return what a run of another flow begins with: that flow as it was when the first run began."""
    state = flow.state
    definition = state.definition.subflow(effect.flow_name)
    types = definition.agent_types
    return FlowInput(
        run_id=effect.run_id,
        definition=definition,
        repository=state.repository,
        folder=state.folder,
        agents={name: chosen for name, chosen in state.agents.items() if name in types},
        opened_by=state.run_id,
        max_context_tokens=flow.input.max_context_tokens,
        parent=ParentRun(
            run_id=state.run_id,
            call=effect.visit,
            owner=state.owner,
            base=state.base,
            branch=state.branch,
            host=state.host,
            recipe=state.recipe,
        ),
    )


# --- of the run that was begun


@carries
async def _notify_parent(effect: NotifyParent, flow: FlowLoop) -> None:
    """Tell the parent how this run stands now; one that is gone is told nothing any more."""
    news, parent = news_of(flow.state), flow.state.parent
    if news is not None and parent is not None and news.call == effect.call:
        await reaches(parent.run_id, "note_run", news)
        flow.submit(MarkParentNotified(call=effect.call))


@carries
async def _borrow(effect: BorrowDirectory, flow: FlowLoop) -> None:
    """Have the parent lend its directory for one turn; without it nothing can go on."""
    state = flow.state
    if state.parent is None:
        return
    parent, turn_id = state.parent.run_id, effect.turn_id
    asked = AskDirectory(session_id=SessionId(state.run_id), turn_id=turn_id)
    try:
        await send_signal(parent, "ask_directory", asked)
    except ApplicationError:
        flow.submit(LoseParent())
    await workflow.wait_condition(lambda: not flow.state.directory.knows(turn_id))
    try:
        await send_signal(parent, "free_directory", FreeDirectory(turn_id=turn_id))
    except ApplicationError:
        flow.submit(LoseParent())
