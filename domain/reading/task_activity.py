"""What a task does now: a word for programs, a phrase for people."""

from enum import StrEnum
from typing import Any

from domain.tasks import state as tasks
from domain.tasks.events import TaskEnd
from domain.tasks.progress import doing_of
from domain.tasks.status import TaskStatus
from domain.threads.contests.standing import contest_of, gate_of
from domain.threads.running.health import held
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState


class TaskActivity(StrEnum):
    """What a task does now, or what it waits for; nothing once it is over."""

    NONE = ""
    WAITING_TO_START = "waiting_to_start"
    STARTING = "starting"
    PLANNING = "planning"
    WORKING = "working"
    VERIFYING = "verifying"
    MERGING = "merging"
    WAITING_FOR_PROVIDER = "waiting_for_provider"
    WAITING_FOR_PERSON = "waiting_for_person"


def shown_activity(entry: ThreadTask, run: tasks.TaskState, thread: ThreadState) -> dict[str, Any]:
    """Return what a task does now, what it needs, and why it was aborted, as its view has them."""
    activity, doing = activity_of(entry, run, thread)
    return {
        "activity": activity,
        "doing": doing,
        "decision_id": entry.task.decision_id,
        "abort_reason": entry.abort_reason if entry.is_aborted else "",
    }


def activity_of(
    entry: ThreadTask, run: tasks.TaskState, thread: ThreadState
) -> tuple[TaskActivity, str]:
    """Return what a task does now or waits for, and that as a phrase."""
    if entry.status in {TaskStatus.PENDING, TaskStatus.NEEDS_DECISION}:
        return TaskActivity.WAITING_TO_START, held(entry, thread)
    if not entry.status.is_at_work:
        return TaskActivity.NONE, ""
    if entry.end is not None:
        return _activity_of_end(entry, thread)
    if entry.task.is_contest:
        return _activity_of_contest(entry, thread)
    child = thread.family.child_of(entry.task.id, entry.run)
    if child is not None:
        is_asking = child.report is not None and child.report.waiting_for != ""
        return TaskActivity.WAITING_FOR_PERSON if is_asking else TaskActivity.WORKING, child.doing
    return _activity_of_run(run), _phrase_of(run)


def _activity_of_end(entry: ThreadTask, thread: ThreadState) -> tuple[TaskActivity, str]:
    if entry.end is not TaskEnd.ACCEPTED:
        return TaskActivity.MERGING, "cleaning up"
    if entry.task.id in thread.merges.open:
        return TaskActivity.WAITING_FOR_PERSON, "waiting for its conflict to be resolved"
    return TaskActivity.MERGING, "merging"


def _activity_of_contest(entry: ThreadTask, thread: ThreadState) -> tuple[TaskActivity, str]:
    """Return what a task does that several agents do at once: it has no run of its own."""
    if contest_of(entry.task.id, thread).request is not None:
        return TaskActivity.WAITING_FOR_PERSON, "waiting for you to choose a candidate"
    candidates = thread.tasks.candidates_of(entry.task.id)
    going = [e.progress for _, e in candidates if e.status.is_at_work and gate_of(e) is None]
    asking = [p.waits_for for p in going if p is not None and (p.asks or p.is_over_limit)]
    if asking and len(asking) == len(going):
        return TaskActivity.WAITING_FOR_PERSON, f"waiting for {asking[0]}"
    return TaskActivity.WORKING, "candidates are working"


def _activity_of_run(run: tasks.TaskState) -> TaskActivity:
    is_asking = run.questions.open or run.is_review_held or run.phase is tasks.Phase.WAITING
    if is_asking or run.request is not None or run.over_limit:
        return TaskActivity.WAITING_FOR_PERSON
    if run.phase is tasks.Phase.VERIFYING:
        return TaskActivity.VERIFYING
    if run.held_by:
        return TaskActivity.WAITING_FOR_PROVIDER
    if run.phase in {tasks.Phase.PLANNING, tasks.Phase.REVIEWING, tasks.Phase.AT_PLAN}:
        return TaskActivity.PLANNING
    return TaskActivity.WORKING if run.turns else TaskActivity.STARTING


def _phrase_of(run: tasks.TaskState) -> str:
    if run.phase is tasks.Phase.VERIFYING and run.attempt is not None:
        over = {result.step_id for result in run.attempt.steps}
        label = next((s.label for s in run.steps if s.id not in over), "verdict")
        return f"verifying (attempt {run.attempt.attempt}): {label}"
    return doing_of(run)
