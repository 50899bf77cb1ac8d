"""Plans and their tasks: how they end, what they took, what tasks wait for, what is done again."""

from datetime import datetime

from domain.core.approvals import Choice
from domain.core.ids import TaskId
from domain.plans.plan import PlannedTask
from domain.plans.status import PlanStatus
from domain.reading.report.causes import Failed, Unit, WaitCause, cause_of
from domain.reading.report.state import FollowedPlan, FollowedTask, StreamState, counts
from domain.reading.report.tally import milliseconds
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.amending import events as amending_events
from domain.threads.publishing import events as publishing_events

STALLED = "stalled"
"""A plan that runs, although nothing of it does: a person retries tasks or cancels it."""


def _graph(tasks: tuple[PlannedTask, ...]) -> dict[TaskId, tuple[TaskId, ...]]:
    return {task.id: task.depends_on for task in tasks}


@counts(thread_events.PlanProposed)
def _proposed(state: StreamState, event: thread_events.PlanProposed, at: datetime) -> None:
    state.plan.proposed[event.revision] = _graph(event.plan.tasks)
    state.book.at(at).repeats["plans_proposed"] += 1


@counts(thread_events.PlanDecided)
def _decided(state: StreamState, event: thread_events.PlanDecided, at: datetime) -> None:
    if event.outcome.choice is Choice.APPROVE:
        state.plan.after = state.plan.proposed.get(event.revision, {})
    else:
        state.book.at(at).repeats["plans_rejected"] += 1


@counts(thread_events.PlanningFailed)
def _planning_failed(state: StreamState, event: thread_events.PlanningFailed, at: datetime) -> None:
    state.book.at(at).failures[Failed.PLANNING, cause_of(event.reason)] += 1


@counts(publishing_events.PublishFailed)
def _publish_failed(
    state: StreamState, event: publishing_events.PublishFailed, at: datetime
) -> None:
    state.book.at(at).failures[Failed.PUBLISHING, cause_of(event.reason)] += 1


@counts(thread_events.PlanStarted)
def _started(state: StreamState, event: thread_events.PlanStarted, at: datetime) -> None:
    end_of_tasks(state)
    pending = {task: FollowedTask(TaskStatus.PENDING, at) for task in event.tasks}
    state.plan = FollowedPlan(event.plan_id, at, PlanStatus.ACTIVE, pending, state.plan.after)


@counts(amending_events.PlanAmended)
def _amended(state: StreamState, event: amending_events.PlanAmended, at: datetime) -> None:
    plan = state.plan
    plan.after |= _graph(event.tasks)
    for task in event.removed:
        plan.tasks.pop(task, None)
    for task in event.tasks:
        plan.tasks.setdefault(task.id, FollowedTask(TaskStatus.PENDING, at))


@counts(thread_events.PlanStatusChanged)
def _status_changed(
    state: StreamState, event: thread_events.PlanStatusChanged, at: datetime
) -> None:
    del at
    state.plan.status = event.status


@counts(thread_events.PlanCompleted)
def _completed(state: StreamState, event: thread_events.PlanCompleted, at: datetime) -> None:
    state.book.at(at).end(Unit.PLAN, event.final_status, state.plan.began, at)
    state.plan.began = None


@counts(thread_events.TaskUpdated)
def _task_updated(state: StreamState, event: thread_events.TaskUpdated, at: datetime) -> None:
    status = event.new_status
    if status is TaskStatus.FAILED:
        state.book.at(at).failures[Failed.TASK, cause_of(event.notes)] += 1
    if event.plan_id != state.plan.plan_id:
        return  # the last of an earlier plan, whose tasks are counted
    task = state.plan.tasks.setdefault(event.task_id, FollowedTask(status, at))
    if status.is_at_work:
        _at_work(state, event, at)
    task.status, task.changed = status, at


def _at_work(state: StreamState, event: thread_events.TaskUpdated, at: datetime) -> None:
    """Count a run of a task once, and before the first one what it waited for."""
    task = state.plan.tasks[event.task_id]
    run = max(event.run, 1)
    if task.began is None:
        task.began = at
        _waited_for_others(state, event.task_id, at)
    if run > task.runs:
        tally = state.book.at(at)
        tally.repeats["task_runs"] += 1
        tally.repeats["task_runs_again"] += run > 1
        task.runs = run


def _waited_for_others(state: StreamState, task_id: TaskId, at: datetime) -> None:
    """Count how long a task that starts now waited for those it depends on."""
    plan = state.plan
    needed = [plan.tasks[n].changed for n in plan.after.get(task_id, ()) if n in plan.tasks]
    if needed and plan.began is not None:
        waited = milliseconds(plan.began, max(needed))
        state.book.at(at).waits[WaitCause.DEPENDENCY].append(waited)


def _is_moving(task_id: TaskId, plan: FollowedPlan) -> bool:
    needed = (plan.tasks[n].status for n in plan.after.get(task_id, ()) if n in plan.tasks)
    return plan.tasks[task_id].status.is_moving(needed)


def end_of_tasks(state: StreamState) -> None:
    """Count the tasks of the newest plan: each once, by its newest status."""
    for task in state.plan.tasks.values():
        if task.status.is_over:
            state.book.at(task.changed).end(Unit.TASK, task.status, task.began, task.changed)
        elif state.plan.began is not None:
            state.book.kept.unfinished[Unit.TASK, task.status] += 1


def end_of_plan(state: StreamState) -> None:
    """Count the plan that has not ended, and its tasks."""
    end_of_tasks(state)
    plan = state.plan
    if plan.began is not None:
        is_stalled = bool(plan.tasks) and not any(_is_moving(name, plan) for name in plan.tasks)
        is_active = plan.status == PlanStatus.ACTIVE
        status = STALLED if is_stalled and is_active else "running" if is_active else plan.status
        state.book.kept.unfinished[Unit.PLAN, status] += 1
