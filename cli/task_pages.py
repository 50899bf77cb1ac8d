"""What a terminal shows of a task beside its gate: its own plan, its sessions, what it took."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from cli.console import BAR, plain
from cli.session_pages import drawn, took
from domain.reading.views import TaskView
from domain.tasks.terminals import told_end


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
        state = "running" if terminal.is_running else told_end(terminal)
        of_port = f" ({terminal.port})" if terminal.port else ""
        style = "" if terminal.is_running else "dim"
        lines.append(plain(f"  {terminal.id} {terminal.label}{of_port}: {state}", style))
    return Group(*lines)


def costs_of(task: TaskView) -> RenderableType:
    """Draw the sessions, those of earlier runs first, what the newest took, and what ran short."""
    return Group(drawn((*task.earlier_sessions, *task.sessions)), *_costs(task))


def _costs(task: TaskView) -> Iterator[Text]:
    if text := took(task.stats):
        yield plain(f"  {text}", "dim")
    for warning in task.warnings:
        yield plain(f"  {warning}", "yellow")
