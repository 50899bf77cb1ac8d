"""Which events a person would go back to, and what each is called in a line."""

from functools import singledispatch
from typing import NamedTuple

from domain.conversations import events as in_session
from domain.conversations.questions import events as questions
from domain.core.approvals import Choice, Outcome
from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.text import counted
from domain.plans.status import PlanStatus
from domain.tasks import events as in_task
from domain.tasks import plan_events as in_task_plan
from domain.tasks.status import TaskStatus
from domain.threads import events as in_thread
from domain.threads.amending import events as amending
from domain.threads.merging import events as conflicts
from domain.threads.planning import events as planning
from domain.threads.running import decision_events as decisions
from domain.threads.running import events as running

MAX_LABEL = 160
_ENDS = {
    TaskStatus.FAILED: "failed",
    TaskStatus.BLOCKED: "blocked",
    TaskStatus.CANCELLED: "cancelled",
}
_TURNS = {
    PlanStatus.PAUSED: "paused",
    PlanStatus.ACTIVE: "resumed",
    PlanStatus.CANCELLED: "cancelled",
}


class Told(NamedTuple):
    """What a moment is called; `task_id` where the thread tells it of a task."""

    kind: str
    label: str
    task_id: TaskId | None = None


def moment_of(body: EventBody) -> Told | None:
    """Return what an event is called as a moment, None where nobody would go back to it."""
    told = _told(body)
    return told and told._replace(label=" ".join(told.label.split())[:MAX_LABEL])


@singledispatch
def _told(body: EventBody) -> Told | None:
    del body
    return None


def _decided(what: str, name: str, outcome: Outcome) -> Told:
    is_approved = outcome.choice is Choice.APPROVE
    words = "approved" if is_approved else "rejected"
    why = f": {outcome.feedback}" if outcome.feedback else ""
    runs = f" (runs: {outcome.freedom.spoken})" if outcome.freedom else ""
    return Told(f"{what}_{words}", f"{name} {words} by {outcome.by or 'the policy'}{runs}{why}")


@_told.register
def _describe_thread_opened(body: in_thread.ThreadOpened) -> Told:
    return Told("thread_opened", body.goal)


@_told.register
def _describe_plan_proposed(body: in_thread.PlanProposed) -> Told:
    tasks = counted(len(body.plan.tasks), "task") if body.plan.tasks else "one unit of work"
    return Told("plan_proposed", f"plan {body.revision} proposed: {tasks}")


@_told.register
def _describe_plan_decided(body: in_thread.PlanDecided) -> Told:
    return _decided("plan", f"plan {body.revision}", body.outcome)


@_told.register
def _describe_planning_failed(body: in_thread.PlanningFailed) -> Told:
    return Told("planning_failed", f"planning failed: {body.reason}")


@_told.register
def _describe_plan_started(body: in_thread.PlanStarted) -> Told:
    return Told("context_reset", f"context reset; the plan starts: {body.goal}")


@_told.register
def _describe_plan_status_changed(body: in_thread.PlanStatusChanged) -> Told | None:
    words = _TURNS.get(body.status)
    return Told(f"plan_{words}", f"plan {words} by {body.by or 'Treadle'}") if words else None


@_told.register
def _describe_task_updated(body: in_thread.TaskUpdated) -> Told | None:
    words = _ENDS.get(body.new_status)
    if words is None:
        return None
    return Told(f"task_{words}", f"{body.task_id} {words}: {body.notes}", body.task_id)


@_told.register
def _describe_task_merged(body: in_thread.TaskMerged) -> Told:
    return Told("merged", f"{body.task_id} merged as {body.commit[:10]}", body.task_id)


@_told.register
def _describe_plan_completed(body: in_thread.PlanCompleted) -> Told:
    return Told("plan_ended", f"plan {body.final_status}: {body.summary}")


@_told.register
def _describe_planning_suggested(body: planning.PlanningSuggested) -> Told:
    return Told("planning_suggested", f"an agent suggests to plan first: {body.reason}")


@_told.register
def _describe_planning_cancelled(body: planning.PlanningCancelled) -> Told:
    return Told("planning_cancelled", f"planning cancelled by {body.by or 'a person'}")


@_told.register
def _describe_amendment_proposed(body: amending.AmendmentProposed) -> Told:
    return Told("amendment_proposed", f"amendment {body.number}: {body.amendment.why}")


@_told.register
def _describe_amendment_decided(body: amending.AmendmentDecided) -> Told:
    return _decided("amendment", body.outcome.request_id, body.outcome)


@_told.register
def _describe_decision_asked(body: decisions.DecisionAsked) -> Told:
    return Told("decision_asked", f"decision {body.decision_id}: {body.question}")


@_told.register
def _describe_decision_made(body: decisions.DecisionMade) -> Told:
    chosen = ", ".join(body.selections)
    return Told("decision_made", f"decision {body.decision_id}: {chosen}, by {body.by or 'time'}")


@_told.register
def _describe_conflict_found(body: conflicts.ConflictFound) -> Told:
    task_id, files = body.conflict.task_id, counted(len(body.conflict.files), "file")
    return Told("conflict", f"{task_id} conflicts in {files}", task_id)


@_told.register
def _describe_conflict_answered(body: conflicts.ConflictAnswered) -> Told:
    words = f"the conflict of {body.task_id}: {body.how.spoken}, by {body.by or 'a person'}"
    return Told("conflict_answered", words, body.task_id)


@_told.register
def _describe_supervision_raised(body: running.SupervisionRaised) -> Told:
    return Told("concern", f"{body.task_id}: {body.message}", body.task_id)


@_told.register
def _describe_task_opened(body: in_task.TaskOpened) -> Told:
    again = f", run {body.run}" if body.run > 1 else ""
    return Told("task_started", f"{body.task.title} started with {body.agent}{again}")


@_told.register
def _describe_task_plan_asked(body: in_task_plan.TaskPlanAsked) -> Told:
    return Told("task_plan_proposed", f"plan of the task proposed: {body.request.title}")


@_told.register
def _describe_task_plan_decided(body: in_task_plan.TaskPlanDecided) -> Told:
    return _decided("task_plan", "plan of the task", body.outcome)


@_told.register
def _describe_verification_ended(body: in_task.VerificationEnded) -> Told:
    words = "held" if body.held else "passed" if body.passed else "failed"
    why = f": {body.held}" if body.held else ""
    return Told(f"attempt_{words}", f"attempt {body.attempt} {words}{why}")


@_told.register
def _describe_gate_opened(body: in_task.GateOpened) -> Told:
    return Told("gate_opened", f"gate: {body.request.title}")


@_told.register
def _describe_gate_decided(body: in_task.GateDecided) -> Told:
    return _decided("gate", "gate", body.outcome)


@_told.register
def _describe_task_aborted(body: in_task.TaskAborted) -> Told:
    return Told("task_aborted", f"aborted by {body.by or 'a person'}")


@_told.register
def _describe_message_queued(body: in_session.MessageQueued) -> Told | None:
    text = body.prompt.fields.get("text", "")
    return Told("message", f"{body.by}: {text}") if body.by and text else None


@_told.register
def _describe_question_asked(body: questions.QuestionAsked) -> Told:
    return Told("question_asked", body.question.phrase)


@_told.register
def _describe_question_answered(body: questions.QuestionAnswered) -> Told:
    return Told("question_answered", f"{', '.join(body.labels)}, by {body.by or 'a person'}")
