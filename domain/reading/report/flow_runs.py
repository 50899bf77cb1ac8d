"""Flow runs: how they end, what they took, what they ask people."""

from datetime import datetime

from domain.flows import events as flow_events
from domain.reading.report.causes import Failed, Unit, WaitCause, cause_of
from domain.reading.report.state import StreamState, counts
from domain.reading.report.verification import count_step

RUNNING = "running"


@counts(flow_events.FlowStarted)
def _started(state: StreamState, event: flow_events.FlowStarted, at: datetime) -> None:
    del event
    state.flow.began, state.flow.status = at, RUNNING


@counts(flow_events.FlowResumed)
def _resumed(state: StreamState, event: flow_events.FlowResumed, at: datetime) -> None:
    """Go on with the run; the time that it stood still is none of its own."""
    del event
    flow = state.flow
    if flow.began is not None and flow.ended is not None:
        flow.began += at - flow.ended
    flow.status, flow.ended = RUNNING, None


@counts(flow_events.FlowCompleted, flow_events.FlowStopped, flow_events.FlowFailed)
def _over(
    state: StreamState,
    event: flow_events.FlowCompleted | flow_events.FlowStopped | flow_events.FlowFailed,
    at: datetime,
) -> None:
    state.flow.status, state.flow.ended = event.kind.removeprefix("flow_"), at
    state.end_all(at)
    if isinstance(event, flow_events.FlowFailed):
        state.book.at(at).failures[Failed.FLOW, cause_of(event.reason)] += 1


@counts(flow_events.FlowStepEnded)
def _step_ended(state: StreamState, event: flow_events.FlowStepEnded, at: datetime) -> None:
    """Count a command; one that is a condition answers, and its no is no failure."""
    command, state.flow.command = state.flow.command, None
    if command is not None and not event.answer:
        count_step(state, command, at)
    if event.outcome is flow_events.StepOutcome.NO_ANSWER:
        state.book.at(at).failures[Failed.FLOW, "no valid answer"] += 1


@counts(flow_events.FlowAsked)
def _asked(state: StreamState, event: flow_events.FlowAsked, at: datetime) -> None:
    state.begin(event.request.request_id, WaitCause.HUMAN_STEP, at)


@counts(flow_events.FlowAnswered)
def _answered(state: StreamState, event: flow_events.FlowAnswered, at: datetime) -> None:
    state.end(event.request_id, at)


def end_of_flow(state: StreamState) -> None:
    """Count the run once, by its newest end, or as it stands."""
    flow = state.flow
    if flow.ended is not None:
        state.book.at(flow.ended).end(Unit.FLOW, flow.status, flow.began, flow.ended)
    elif flow.began is not None:
        state.book.kept.unfinished[Unit.FLOW, flow.status] += 1
