"""Threads, plans and questions as they are drawn on a terminal.

Texts of agents and repositories are drawn as plain text: no markup, no control characters.
"""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.console import plain
from domain.events.thread import PlanStatus
from domain.threads.state import ProposedPlan
from domain.verification import VerificationStep
from domain.views import OpenRequest, TaskView, ThreadView

MARKS = {
    "pending": ("·", "dim"),
    "needs_decision": ("?", "yellow"),
    "planning": ("▸", "cyan"),
    "running": ("▸", "cyan"),
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "blocked": ("■", "red"),
    "cancelled": ("–", "dim"),
}
STATUS_STYLES = {"completed": "green", "waiting": "yellow", "failed": "red", "running": "cyan"}


def progress(view: ThreadView) -> RenderableType:
    """Draw where a thread stands: its bar, its tasks, what waits for a person."""
    head = Text.assemble(
        (view.thread_id, "bold"),
        "  ",
        (status(view), STATUS_STYLES.get(view.status, "")),
        "  ",
        view.progress.bar if view.progress.total else "",
    )
    parts: list[RenderableType] = [head]
    if view.tasks:
        parts.append(_tasks(view.tasks))
    elif (working := next((s for s in view.sessions if s.is_working), None)) is not None:
        parts.append(plain(f"  the {working.role} works ({working.tool_calls} tool calls)", "cyan"))
    parts += [plain(f"  ! {warning}", "yellow") for warning in view.warnings]
    parts += [plain(f"  ? {waiting}", "yellow") for waiting in questions(view)]
    return Group(*parts)


def status(view: ThreadView) -> str:
    """Return a thread's status; a paused one that also asks something is both."""
    is_hidden = view.plan_status is PlanStatus.PAUSED and view.status != "paused"
    return f"{view.status}, paused" if is_hidden else view.status


def questions(view: ThreadView) -> list[str]:
    """Say in a line each what a person is asked."""
    asked = [f"{r.request.title}: {answers(view, r)}" for r in view.requests]
    for decision in view.decisions:
        labels = " | ".join(option.label for option in decision.options)
        asked.append(
            f"{decision.question} treadle decide {view.thread_id} {decision.id} {labels!r}"
        )
    if view.waiting_for and not asked:
        asked.append(view.waiting_for)
    return asked


def answers(view: ThreadView, request: OpenRequest) -> str:
    """Return the commands that answer a request."""
    target = f"{view.thread_id} {request.task_id}" if request.task_id else view.thread_id
    return f"treadle approve {target}, or treadle reject {target} --feedback TEXT"


def _tasks(tasks: tuple[TaskView, ...]) -> Table:
    table = Table.grid(padding=(0, 2))
    for task in tasks:
        mark, style = MARKS[task.status]
        notes = task.notes if task.status in {"failed", "blocked"} else ""
        tries = f"attempt {len(task.attempts)}" if len(task.attempts) > 1 else ""
        table.add_row(
            Text(f"  {mark}", style=style),
            plain(task.task_id),
            plain(task.title),
            plain(task.doing or notes or task.status, style),
            Text(tries, style="dim"),
            Text((task.merge_commit or "")[:10], style="dim"),
            Text(took(task), style="dim"),
        )
    return table


def failures(task: TaskView) -> list[str]:
    """Say which verification steps of a task failed, a line each."""
    return [
        f"{task.task_id} attempt {attempt.attempt}: {step.label} failed"
        for attempt in task.attempts
        for step in attempt.steps
        if not step.passed
    ]


def plan(proposed: ProposedPlan) -> RenderableType:
    """Draw a plan as it is approved: tasks by parallel group, dependencies, steps, warnings."""
    content = proposed.plan
    parts: list[RenderableType] = [
        plain(f"Plan {proposed.revision}: {content.goal or content.summary}", "bold"),
        plain(f"content hash {proposed.request.content_hash[:12]}", "dim"),
    ]
    for label, text in (("Approach", content.approach), ("Key risk", content.key_risk)):
        if text:
            parts.append(plain(f"{label}: {text}"))
    parts += [plain(f"Consider: {consideration}") for consideration in content.considerations]
    for number, group in enumerate(content.parallel_groups, 1):
        together = ", at the same time" if len(group) > 1 else ""
        parts.append(Text(f"Group {number}{together}", style="bold dim"))
        for task in (task for task in content.tasks if task.id in group):
            after = f"  (after {', '.join(task.depends_on)})" if task.depends_on else ""
            parts.append(
                Text.assemble("  ", plain(task.id, "cyan"), "  ", plain(_line(task.title)), after)
            )
            if task.description:
                parts.append(_indented(task.description))
            parts += _steps(task.verification)
    if not content.tasks:
        parts += _steps(content.verification)
    parts += [plain(f"! {warning.text}", "yellow") for warning in proposed.warnings]
    for decision in content.decisions:
        labels = " | ".join(option.label for option in decision.options)
        parts.append(plain(f"? {decision.question}  [{labels}]", "yellow"))
    return Group(*parts)


def _steps(steps: tuple[VerificationStep, ...]) -> list[RenderableType]:
    """Draw what will be run, word for word: an approval approves these commands."""
    if not steps:
        return [plain("      verified by nothing", "yellow")]
    lines: list[RenderableType] = []
    for step in steps:
        optional = "" if step.required else " (optional)"
        label = "" if step.label in {"", step.subject} else f"{_line(step.label)}: "
        lines.append(plain(f"      verified{optional} by {label}{step.type}", "dim"))
        lines.append(_indented(step.subject, "cyan"))
    return lines


def _line(text: str) -> str:
    """Return a text as one line, so that it cannot pass for lines of ours."""
    return " ".join(text.split())


def _indented(text: str, style: str = "") -> RenderableType:
    return Padding(plain(text.strip(), style), (0, 0, 0, 8), expand=False)


def gate(task: TaskView) -> RenderableType:
    """Draw what a gate shows: the task, its verification and the size of its change."""
    parts: list[RenderableType] = [plain(f"{task.task_id}: {task.title}", "bold")]
    if task.attempts:
        for step in task.attempts[-1].steps:
            mark, style = MARKS["completed" if step.passed else "failed"]
            parts.append(plain(f"  {mark} {step.label}  {step.duration_ms / 1000:.1f} s", style))
    if task.snapshot is not None:
        change = f"+{task.snapshot.insertions} −{task.snapshot.deletions}"
        parts.append(plain(f"  {change} in {', '.join(task.snapshot.files) or 'no file'}"))
    if task.report:
        parts.append(plain(f"  Reported: {task.report}"))
    if task.feedback:
        parts.append(plain(f"  After your feedback: {task.feedback}"))
    if task.request is not None:
        parts.append(plain(f"  content hash {task.request.content_hash[:12]}", "dim"))
    return Group(*parts)


def took(task: TaskView) -> str:
    """Say how long a task took on the clock, waiting included; empty before its end."""
    if task.started_at is None or task.ended_at is None:
        return ""
    return f"{(task.ended_at - task.started_at).total_seconds():.1f} s"


def details(view: ThreadView) -> RenderableType:
    """Draw everything about a thread that a person looks at first."""
    table = Table.grid(padding=(0, 2))
    rows = {
        "goal": view.goal,
        "repository": view.repository,
        "branch": view.branch,
        "agent": view.agent,
        "template": f"{view.template} ({view.template_source}) {view.template_path}",
        "template hash": view.template_hash[:12],
        "opened": f"{view.opened_at:%Y-%m-%d %H:%M:%S} UTC" if view.opened_at else "",
    }
    for name, value in rows.items():
        table.add_row(Text(name, style="dim"), plain(value))
    return Group(table, progress(view))


def summary(view: ThreadView) -> RenderableType:
    """Draw how a job ended: branch, and for each task its commit, attempts and time."""
    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for heading in ("task", "status", "commit", "attempts", "took"):
        table.add_column(heading)
    for task in view.tasks:
        _, style = MARKS[task.status]
        table.add_row(
            plain(task.task_id),
            Text(task.status, style=style),
            (task.merge_commit or "")[:10],
            str(task.total_attempts),
            took(task),
        )
    passed = view.changed_at - view.opened_at if view.changed_at and view.opened_at else None
    length = f" in {passed.total_seconds():.0f} s" if passed else ""
    head = plain(
        f"{status(view)}{length}: branch {view.branch}", STATUS_STYLES.get(view.status, "")
    )
    parts: list[RenderableType] = [head, *([table] if view.tasks else [])]
    parts += [
        plain(f"{task.task_id}: {task.notes}", "red")
        for task in view.tasks
        if task.notes and task.status in {"failed", "blocked", "cancelled"}
    ]
    if view.summary:
        parts.append(plain(view.summary))
    return Group(*parts)
