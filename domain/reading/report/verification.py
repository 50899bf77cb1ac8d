"""Verification: how often each step ran and failed, and what was verified or asked again."""

from datetime import datetime

from domain.core.approvals import Choice, Decider
from domain.reading.report.state import StreamState, counts
from domain.tasks import events as task_events
from domain.threads import events as thread_events
from domain.verification.steps import StepResult

MAX_LABEL = 120


@counts(task_events.VerificationStepEnded, thread_events.MergeStepEnded)
def _step_ended(
    state: StreamState,
    event: task_events.VerificationStepEnded | thread_events.MergeStepEnded,
    at: datetime,
) -> None:
    if state.flow.began is not None:
        state.flow.command = event.result  # whether it was a condition is told by the step's end
    else:
        count_step(state, event.result, at)


def count_step(state: StreamState, result: StepResult, at: datetime) -> None:
    """Count a step that ran, or was to run."""
    tally, label = state.book.at(at), (result.label or result.step_id)[:MAX_LABEL]
    tally.steps[label, "ran"] += 1
    if not result.is_executed:
        tally.steps[label, "not_made"] += 1
    elif not result.passed:
        tally.steps[label, "failed"] += 1
    tally.steps_took[label].append(result.duration_ms)


@counts(task_events.VerificationStarted)
def _started(state: StreamState, event: task_events.VerificationStarted, at: datetime) -> None:
    repeats = state.book.at(at).repeats
    repeats["verifications"] += 1
    repeats["verifications_again"] += event.attempt > 1


@counts(task_events.GateDecided)
def _gate_decided(state: StreamState, event: task_events.GateDecided, at: datetime) -> None:
    if event.outcome.decider is Decider.PERSON:
        repeats = state.book.at(at).repeats
        repeats["gates"] += 1
        repeats["gates_rejected"] += event.outcome.choice is Choice.REJECT
