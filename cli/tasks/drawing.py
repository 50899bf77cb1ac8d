"""Tasks as they are drawn on a terminal: gate, plan, resources, sessions, costs."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from cli.core.console import BAR, plain, quoted
from cli.tasks import result_drawing
from cli.tasks.result_drawing import UNVERIFIED
from cli.tasks.session_drawing import drawn, took
from domain.agents.protected import planted_words
from domain.core.comments import with_comments
from domain.core.money import spent_words
from domain.core.task_names import task_name
from domain.reading.views import TaskView
from domain.tasks.terminals import describe_exit_of
from domain.verification.checkouts import carried_words
from domain.verification.judges.names import judges_words


def plan_of(task: TaskView) -> RenderableType:
    """Draw the task's own plan, and who approves it."""
    if task.plan is None:
        return Group()
    by = {"auto": "the thread's agent", "user": "you"}.get(str(task.plan_approval), "")
    state = "approved" if task.is_plan_approved else f"proposed, {by} to approve"
    head = plain(f"  Plan of the task ({state})", "bold")
    lines = [plain(f"  {BAR}{line}") for line in task.plan.text.splitlines()]
    return Group(head, *lines)


def resources_of(task: TaskView) -> RenderableType:
    """Draw the task's ports and terminals."""
    lines: list[Text] = []
    for port in task.allocated:
        released = "" if port.status == "active" else ", released"
        lines.append(plain(f"  port {port.id} -> :{port.port}{released}", "dim" * bool(released)))
    for terminal in task.terminals:
        state = "running" if terminal.is_running else describe_exit_of(terminal)
        of_port = f" ({terminal.port})" if terminal.port else ""
        style = "" if terminal.is_running else "dim"
        lines.append(plain(f"  {terminal.id} {terminal.label}{of_port}: {state}", style))
    return Group(*lines)


def costs_of(task: TaskView) -> RenderableType:
    """Draw the sessions of a task, oldest first, its costs and its warnings."""
    return Group(drawn((*task.earlier_sessions, *task.sessions)), *_costs(task))


def _costs(task: TaskView) -> Iterator[Text]:
    if text := took(task.stats):
        yield plain(f"  {text}", "dim")
    for warning in task.warnings:
        yield plain(f"  {warning}", "yellow")


def failures(task: TaskView) -> list[str]:
    """Return the failed verification steps of a task, one line each."""
    return [
        f"{task_name(task.task_id, '')} attempt {attempt.attempt}: {step.label} failed"
        for attempt in task.attempts
        for step in attempt.steps
        if not step.passed
    ]


def gate(task: TaskView) -> RenderableType:
    """Draw a task at its gate: its verification, its report and the size of its changes."""
    parts: list[RenderableType] = [plain(f"{task_name(task.task_id, '')}: {task.title}", "bold")]
    if task.plan is not None and not task.is_plan_approved:
        parts.append(plan_of(task))
    if task.attempts:
        parts += [result_drawing.result(step) for step in task.attempts[-1].steps]
        parts += [plain(f"  {UNVERIFIED}", "dim")] if not task.attempts[-1].steps else []
        if carried := carried_words(task.attempts[-1].steps):
            parts.append(plain(f"  {carried}", "yellow"))
    if task.snapshot is not None:
        change = f"+{task.snapshot.insertions} −{task.snapshot.deletions}"
        parts.append(plain(f"  {change} in {', '.join(task.snapshot.files) or 'no file'}"))
        if task.snapshot.planted:
            parts.append(plain(f"  {planted_words(task.snapshot.planted)}", "bold red"))
        if task.snapshot.judges:
            parts.append(plain(f"  {judges_words(task.snapshot.judges)}", "bold red"))
    parts += [plain(f"  ! {doubt}", "bold red") for doubt in task.doubts]
    parts += [plain(f"  cost {spent}") for spent in filter(None, [spent_words(task.money)])]
    if task.report:
        parts.append(quoted(f"  Reported: {task.report}"))
    if feedback := with_comments(task.feedback, task.comments):
        parts.append(quoted(f"  After your feedback: {feedback}"))
    if task.request is not None:
        parts.append(plain(f"  content hash {task.request.content_hash[:12]}", "dim"))
    return Group(*parts)
