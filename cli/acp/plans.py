"""A thread's plan as the editor shows it: entries of a plan, and a tool call for each task that began."""

from acp import helpers, schema

from cli.acp.rest import ACTIVE
from domain.core.ids import WORK
from domain.plans.status import PlanStatus
from domain.reading.views import TaskView, ThreadView
from domain.tasks.status import TaskStatus

_CALLS = {
    TaskStatus.PLANNING: "in_progress",
    TaskStatus.RUNNING: "in_progress",
    TaskStatus.NEEDS_DECISION: "in_progress",
    TaskStatus.COMPLETED: "completed",
    TaskStatus.FAILED: "failed",
    TaskStatus.CANCELLED: "failed",
}
"""The status of a task's tool call; one that has not begun has none."""

_MARKS = {
    TaskStatus.FAILED: "failed: ",
    TaskStatus.BLOCKED: "blocked: ",
    TaskStatus.CANCELLED: "cancelled: ",
    TaskStatus.NEEDS_DECISION: "needs a decision: ",
}


def entries_of(view: ThreadView) -> list[schema.PlanEntry]:
    """Return the entries of the plan: of the one that runs, else of the newest that is proposed."""
    if view.works:
        return [_entry(task) for task in view.works]
    if view.approved is not None or not view.plans or view.plan_status is PlanStatus.CANCELLED:
        return []
    plan = view.plans[-1].plan
    titles = [task.title for task in plan.tasks] or [plan.goal or plan.summary]
    return [helpers.plan_entry(title) for title in titles]


def _entry(task: TaskView) -> schema.PlanEntry:
    status: schema.PlanEntryStatus = "pending"
    if task.status is TaskStatus.COMPLETED:
        status = "completed"
    elif task.status.is_at_work:
        status = "in_progress"
    return helpers.plan_entry(f"{_MARKS.get(task.status, '')}{task.title}", status=status)


def call_of(view: ThreadView, task: TaskView) -> schema.ToolCallStart | None:
    """Return the tool call that a task is to the editor, as it stands; None before it begins."""
    status = _CALLS.get(task.status)
    if status is None or (task.task_id == WORK and not task.turns):
        return None
    return schema.ToolCallStart(
        session_update="tool_call",
        tool_call_id=f"{view.thread_id}/{task.task_id}#{task.run}",
        title=task.title,
        kind="other",
        status=status,  # pyright: ignore[reportArgumentType]  (one of _CALLS)
        content=[helpers.tool_content(helpers.text_block(_state_of(task)))],
    )


def _state_of(task: TaskView) -> str:
    """Return how a task stands, in a few lines."""
    lines = [task.doing or task.notes or task.status.replace("_", " ")]
    if task.attempts:
        lines += [f"{'✓' if step.passed else '✗'} {step.label}" for step in task.attempts[-1].steps]
    if task.snapshot is not None and task.snapshot.file_count:
        change = f"+{task.snapshot.insertions} −{task.snapshot.deletions}"
        lines.append(f"{change} in {', '.join(task.snapshot.files)}")
    if task.activity not in ACTIVE and task.report:
        lines.append(task.report)
    return "  \n".join(lines)
