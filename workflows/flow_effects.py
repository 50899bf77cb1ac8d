"""How a run carries out what its rules want under way: one coroutine for each effect."""

from datetime import timedelta
from functools import singledispatch

from temporalio import workflow
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    WorkflowAlreadyStartedError,
    is_cancelled_exception,
)

from activities.flows import FlowCommands
from activities.lifecycle import ThreadLifecycle
from domain.agents.agents import SessionRole
from domain.conversations.commands import Close
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions.inputs import Grant, SessionInput
from domain.conversations.sessions.rules import DropPrompt, QueuePrompt
from domain.core.directories.commands import FreeDirectory
from domain.core.event_text import cut
from domain.core.ids import StreamId, ThreadId, host_queue
from domain.core.listing import project_name
from domain.core.notices import ResourceWarned
from domain.core.workspaces import CommitSpec
from domain.flows.commands import EndCommand, EndWait, GiveUpStep, LoseConversation, MarkClosed
from domain.flows.effects import (
    CloseConversation,
    FlowEffect,
    GiveUp,
    GrantDirectory,
    RemoveRun,
    RunCommand,
    RunTurn,
    WaitUntil,
)
from domain.flows.inputs import FlowCommandCall, directory_of
from domain.flows.state import FlowState, FlowStatus
from domain.verification.steps import StepResult, StepType, VerificationStep
from workflows import children, options
from workflows.flow_loop import FlowLoop
from workflows.left_alone import leave_alone
from workflows.removals import removal_of_run
from workflows.session import SessionWorkflow
from workflows.signalling import reaches, send_signal
from workflows.summaries import shown
from workflows.timers import wait_until

STOP_PATIENCE = timedelta(milliseconds=500)
"""How long a run that is stopped waits for what is under way to end."""

RUNS_PATIENCE = timedelta(milliseconds=1500)
"""How long it waits for the runs that it began, which wait themselves."""

_AGAIN = timedelta(minutes=1)
_LABEL = 80


@singledispatch
async def carry_out(effect: FlowEffect, flow: FlowLoop) -> None:
    """Do what an effect says and tell the rules how it ended."""
    raise NotImplementedError(f"nothing carries out {effect.key} of {flow.input.run_id}")


carries = carry_out.register


@carries
async def _turn(effect: RunTurn, flow: FlowLoop) -> None:
    """Tell a conversation its message, opening it with its first, and wait; take it back on a stop."""

    def is_over() -> bool:
        return flow.state.prompt_key != effect.prompt_key or flow.state.step is None

    def is_stopping() -> bool:
        return flow.state.status is FlowStatus.STOPPING

    if not is_stopping():
        flow.busy.add(effect.key)
        is_told = await _tell(effect, flow)
        flow.busy.discard(effect.key)
        if not is_told:
            flow.submit(LoseConversation(session_id=effect.conversation.session_id))
            return
    elif effect.conversation.session_id not in flow.started:
        session_id, key = effect.conversation.session_id, effect.prompt_key
        unsent = EndSessionTurn(session_id=session_id, turn=0, prompt_key=key, is_stopped=True)
        flow.submit(unsent)
        return
    if not is_over():
        await workflow.wait_condition(lambda: is_over() or is_stopping())
        if is_over():
            return
    await reaches(effect.conversation.session_id, "drop_prompt", DropPrompt(key=effect.prompt_key))
    await workflow.wait_condition(is_over)


async def _tell(effect: RunTurn, flow: FlowLoop) -> bool:
    """Give a conversation its message; False where it is gone, or its id is another workflow's."""
    session_id = effect.conversation.session_id
    if session_id in flow.started:
        queued = QueuePrompt(key=effect.prompt_key, prompt=effect.prompt, place=effect.place)
        return await reaches(session_id, "queue_prompt", queued)
    flow.started.add(session_id)
    started = _session_input(effect, flow)
    try:
        session = await workflow.start_child_workflow(
            SessionWorkflow.run, started, id=session_id, **children.session_options(started)
        )
        leave_alone(session)
    except WorkflowAlreadyStartedError:
        return False
    return True


def _session_input(effect: RunTurn, flow: FlowLoop) -> SessionInput:
    state, conversation = flow.state, effect.conversation
    return SessionInput(
        thread_id=ThreadId(state.run_id),
        project=project_name(state.repository),
        repository=state.repository,
        host=state.host,
        generation=state.moves,
        base=state.branch,
        branch=state.branch,
        directory_of=state.owner if state.parent else "",
        session_id=conversation.session_id,
        person=flow.input.opened_by,
        role=SessionRole.FLOW,
        agent=conversation.chosen.agent,
        model=conversation.chosen.model,
        options=conversation.chosen.options,
        has_own_worktree=False,
        set_up=state.recipe,
        max_context_tokens=flow.input.max_context_tokens,
        first_key=effect.prompt_key,
        first_prompt=effect.prompt,
        first_place=effect.place,
    )


@carries
async def _command(effect: RunCommand, flow: FlowLoop) -> None:
    """Run the command of the step that holds the directory, then give that back."""
    state = flow.state
    if state.status is FlowStatus.RUNNING and effect.turn_id == state.holding and state.step:
        visit = state.visits
        result = await _run(effect, flow, visit)
        flow.submit(EndCommand(visit=visit, result=result))
    flow.submit(FreeDirectory(turn_id=effect.turn_id))


async def _run(effect: RunCommand, flow: FlowLoop, visit: int) -> StepResult:
    state = flow.state
    step = _step_of(state, visit)
    call = FlowCommandCall(
        key=flow.outbox.step_id(visit, step.id),
        stream=StreamId(state.run_id),
        attempt=visit,
        step=step,
        workspace=directory_of(state),
        grant=effect.grant,
        commit_spec=CommitSpec(
            key=effect.turn_id,
            title=f"Flow step {state.index}",
            trailers=(("Treadle-Thread", state.run_id),),
            checkpoint_ref=f"refs/treadle/{state.run_id}/step-{visit}",
            is_of_turn=True,
        ),
    )
    where = options.on(host_queue(state.host), options.STEP)
    try:
        answer = await flow.run_activity(FlowCommands.run_flow_command, call, where)
    except ActivityError as error:
        is_stopped = is_cancelled_exception(error)
        output = "stopped" if is_stopped else f"could not run: {error.cause or error}"
        return StepResult(step_id=step.id, passed=False, is_executed=False, output=output)
    return answer.result


def _step_of(state: FlowState, visit: int) -> VerificationStep:
    doing = state.doing
    limit = doing.timeout_ms if doing else 1
    label = (doing.label if doing else "") or cut(" ".join(state.command.split()), _LABEL)
    inside = f"cd -- '{_quoted(state.folder)}' || exit 1\n" if state.folder else ""
    return VerificationStep(
        id=f"flow-{visit}",
        type=StepType.COMMAND,
        label=label,
        command=f"{inside}{state.command}",
        timeout=limit,
    )


def _quoted(folder: str) -> str:
    return folder.replace("'", "'\\''")


@carries
async def _wait(effect: WaitUntil, flow: FlowLoop) -> None:
    if await wait_until(effect.at, f"step {flow.state.index} waits until its time"):
        flow.submit(EndWait(visit=effect.visit))


@carries
async def _give_up(effect: GiveUp, flow: FlowLoop) -> None:
    """Stop without what is under way, where that does not end in time."""
    patience = RUNS_PATIENCE if flow.state.awaited else STOP_PATIENCE
    await wait_until(workflow.now() + patience, "stop without what is under way")
    flow.submit(GiveUpStep(visit=effect.visit))


@carries
async def _grant(effect: GrantDirectory, flow: FlowLoop) -> None:
    """Tell the session; one that has ended needs the directory no more."""
    grant = Grant(turn_id=effect.turn_id, number=effect.number)
    try:
        await send_signal(effect.session_id, "grant_directory", grant)
    except ApplicationError:
        flow.submit(FreeDirectory(turn_id=effect.turn_id))
    await workflow.wait_condition(
        lambda: all(turn.number != effect.number for turn in flow.state.directory.turns)
    )


@carries
async def _close(effect: CloseConversation, flow: FlowLoop) -> None:
    if effect.session_id in flow.started:
        await reaches(effect.session_id, "close", _closing(effect.session_id))
        flow.started.discard(effect.session_id)
    flow.submit(MarkClosed(session_id=effect.session_id))


@carries
async def _remove(effect: RemoveRun, flow: FlowLoop) -> None:
    """Remove all that the run holds; its events go last, and none comes after them."""
    state = flow.state
    sessions = tuple(c.session_id for c in state.conversations if c.session_id in flow.started)
    for session_id in sessions:
        await reaches(session_id, "close", _closing(session_id))
    await workflow.wait_condition(lambda: flow.outbox.is_empty)
    flow.is_deleting = True
    call = removal_of_run(state, sessions, is_forced=effect.is_forced)
    where = options.on(host_queue(state.host), options.SETTLE)
    try:
        answer = await flow.run_activity(ThreadLifecycle.remove_thread, call, where)
    except ActivityError as error:
        flow.is_deleting = False
        words = f"the run cannot be removed, which is tried again: {error.cause or error}"
        flow.record((ResourceWarned(message=words),))
        await workflow.sleep(_AGAIN, summary=shown("try to remove it again"))
        return
    flow.ending = answer.words


def _closing(session_id: str) -> Close:
    return Close(by="treadle", addressed_to=session_id)
