"""Flow runs: how they end, what they took, what they ask people."""

from datetime import datetime

from domain.flows import events as flows
from domain.reading.report.causes import Failed, Unit, WaitCause, cause_of
from domain.reading.report.state import StreamState, counts
from domain.reading.report.verification import count_step

RUNNING = "running"


@counts(flows.FlowStarted)
def _started(state: StreamState, event: flows.FlowStarted, at: datetime) -> None:
    del event
    state.flow.began, state.flow.status = at, RUNNING


@counts(flows.FlowResumed)
def _resumed(state: StreamState, event: flows.FlowResumed, at: datetime) -> None:
    """Go on with the run; the time that it stood still is none of its own."""
    del event
    flow = state.flow
    if flow.began is not None and flow.ended is not None:
        flow.began += at - flow.ended
    flow.status, flow.ended = RUNNING, None


@counts(flows.FlowCompleted, flows.FlowStopped, flows.FlowFailed)
def _over(
    state: StreamState,
    event: flows.FlowCompleted | flows.FlowStopped | flows.FlowFailed,
    at: datetime,
) -> None:
    state.flow.status, state.flow.ended = event.kind.removeprefix("flow_"), at
    state.end_all(at)
    if isinstance(event, flows.FlowFailed):
        state.book.at(at).failures[Failed.FLOW, cause_of(event.reason)] += 1


@counts(flows.FlowStepEnded)
def _step_ended(state: StreamState, event: flows.FlowStepEnded, at: datetime) -> None:
    """Count a command; one that is a condition answers, and its no is no failure."""
    command, state.flow.command = state.flow.command, None
    if command is not None and not event.answer:
        count_step(state, command, at)
    if event.outcome is flows.StepOutcome.NO_ANSWER:
        state.book.at(at).failures[Failed.FLOW, "no valid answer"] += 1


@counts(flows.FlowAsked)
def _asked(state: StreamState, event: flows.FlowAsked, at: datetime) -> None:
    state.begin(event.request.request_id, WaitCause.HUMAN_STEP, at)


@counts(flows.FlowAnswered)
def _answered(state: StreamState, event: flows.FlowAnswered, at: datetime) -> None:
    state.end(event.request_id, at)


def end_of_flow(state: StreamState) -> None:
    """Count the run once, by its newest end, or as it stands."""
    flow = state.flow
    if flow.ended is not None:
        state.book.at(flow.ended).end(Unit.FLOW, flow.status, flow.began, flow.ended)
    elif flow.began is not None:
        state.book.kept.standing[Unit.FLOW, flow.status] += 1
