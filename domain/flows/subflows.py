"""Rules of a `subflow` step: its runs begin together, it ends with the last; and of such a run itself."""

from collections.abc import Iterator

from domain.core.decisions import Decided
from domain.core.directories.events import DirectoryFreed, DirectoryGranted
from domain.core.event import EventBody
from domain.core.ids import flow_run_id
from domain.flows import events as flow_events
from domain.flows.commands import (
    CallRun,
    LoseParent,
    LoseRun,
    MarkParentNotified,
    NoteRun,
    TakeGrant,
)
from domain.flows.effects import AwaitRun, BorrowDirectory, FlowEffect, NotifyParent
from domain.flows.events import ChildEnd, StepOutcome
from domain.flows.registry import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus
from domain.flows.stepping import ended, failed, goes_on, held

_KEPT_REASON = 300
_ENDS = {
    FlowStatus.COMPLETED: ChildEnd.COMPLETED,
    FlowStatus.FAILED: ChildEnd.FAILED,
    FlowStatus.STOPPED: ChildEnd.STOPPED,
}


@FLOW_RULES.requires
def await_runs(state: FlowState) -> Iterator[FlowEffect]:
    """Yield the runs that are awaited, and what a run owes to the one that began it."""
    for run in state.awaited:
        yield AwaitRun(visit=state.visits, flow_name=run.flow_name, run_id=run.run_id)
    if state.parent is None:
        return
    if state.directory.turns:
        yield BorrowDirectory(turn_id=state.directory.turns[0].turn_id)
    if news_of(state) is not None:
        yield NotifyParent(call=state.parent.call)


def news_of(state: FlowState) -> NoteRun | None:
    """Return what the run that began this one is to be told and was not; None where nothing."""
    end = _ENDS.get(state.status)
    if state.parent is None or end is None or state.notified_call == state.parent.call:
        return None
    reason = state.reason[:_KEPT_REASON]
    return NoteRun(run_id=state.run_id, call=state.parent.call, end=end, reason=reason)


# --- of the run whose step it is


@FLOW_RULES.handles
def note_run(command: NoteRun, state: FlowState) -> Decided:
    run, place = state.subflow_runs.run(command.run_id), state.place
    is_awaited = bool(state.awaited) and command.call == state.visits
    if not is_awaited or run is None or place is None or run.end is ChildEnd.COMPLETED:
        return Decided()
    end = flow_events.FlowChildEnded(
        visit=state.visits,
        place=place,
        flow_name=run.flow_name,
        run_id=run.run_id,
        end=command.end,
        reason=command.reason[:_KEPT_REASON],
    )
    freed = _freed(state, run.run_id) if command.is_gone else ()
    after = FLOW_RULES.evolve(state, end)
    over = () if after.awaited else held(after, _over(after))
    return Decided((*freed, end, *over))


def _over(state: FlowState) -> tuple[EventBody, ...]:
    """Return the end of a step whose runs have all ended."""
    bad = [run for run in state.subflow_runs.runs if run.end is not ChildEnd.COMPLETED]
    if not bad:
        return (ended(state, StepOutcome.DONE),)
    words = (
        f"the flow {run.flow_name} {_was(run.end)} ({run.run_id})"
        + (f": {run.reason}" if run.reason else "")
        for run in bad
    )
    return failed(state, "; ".join(words)[:_KEPT_REASON])


def _was(end: ChildEnd | None) -> str:
    return "was stopped" if end is ChildEnd.STOPPED else "failed"


@FLOW_RULES.handles
def lose_run(command: LoseRun, state: FlowState) -> Decided:
    run = state.subflow_runs.run(command.run_id)
    if run is None or run not in state.awaited:
        return Decided()
    number = int(run.run_id.rpartition("-")[2]) + 1
    begun = flow_events.FlowChildRenumbered(
        flow_name=run.flow_name, old=run.run_id, run_id=flow_run_id(run.flow_name, number)
    )
    return Decided((*_freed(state, run.run_id), begun))


def _freed(state: FlowState, run_id: str) -> tuple[EventBody, ...]:
    """Return that a run which is gone needs the directory no more."""
    turns = (turn for turn in state.directory.turns if turn.session_id == run_id)
    return tuple(DirectoryFreed(turn_id=turn.turn_id) for turn in turns)


# --- of the run that it began


@FLOW_RULES.handles
def call_run(command: CallRun, state: FlowState) -> Decided:
    parent = state.parent
    if parent is None or command.call < parent.call:
        return Decided()
    called = flow_events.FlowCalled(call=command.call)
    if command.call == parent.call:
        return Decided((called,) if state.notified_call else ())
    is_archived = state.is_archived or state.is_deletion_requested
    if state.status in {FlowStatus.STOPPED, FlowStatus.FAILED} and not is_archived:
        return Decided((called, goes_on(state)))
    return Decided((called,))


@FLOW_RULES.handles
def mark_parent_notified(command: MarkParentNotified, state: FlowState) -> Decided:
    news = news_of(state)
    if news is None or news.call != command.call:
        return Decided()
    return Decided((flow_events.FlowParentNotified(call=command.call),))


@FLOW_RULES.handles
def take_grant(command: TakeGrant, state: FlowState) -> Decided:
    first = next(iter(state.directory.turns), None)
    if first is None or first.turn_id != command.turn_id or first.number:
        return Decided()
    granted = DirectoryGranted(
        session_id=first.session_id, turn_id=first.turn_id, number=command.number
    )
    return Decided((granted,))


@FLOW_RULES.handles(LoseParent)
def lose_parent(state: FlowState) -> Decided:
    if state.parent is None:
        return Decided()
    freed = (DirectoryFreed(turn_id=turn.turn_id) for turn in state.directory.turns)
    who = f"Treadle, for {state.parent.run_id}, whose folder it works in, is gone"
    is_running = state.status is FlowStatus.RUNNING
    return Decided((*freed, *([flow_events.FlowStopRequested(by=who)] if is_running else [])))
