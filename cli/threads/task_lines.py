"""The tasks of a thread as they are drawn on a terminal, and the work of a plan without any."""

from collections import Counter

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain
from cli.core.long_lists import NO_LIMIT, ROOM, WHOLE_LIST, more_words
from cli.tasks.result_drawing import MARKS, UNVERIFIED, result
from domain.reading.views import TaskView

_FIRST = ("failed", "needs_decision", "running", "planning", "cancelled", "blocked", "pending")
"""Which tasks come first where not all are listed; completed ones are only counted."""

_LATER = frozenset({"pending", "blocked"})
_FEW = 10


def took(task: TaskView) -> str:
    """Return how long a task took, including waits; empty before its end."""
    if task.started_at is None or task.ended_at is None:
        return ""
    return f"{(task.ended_at - task.started_at).total_seconds():.1f} s"


def work_lines(work: TaskView, plan: str) -> RenderableType:
    """Draw the work of a plan without tasks: what it does, its newest verification, its change."""
    mark, style = MARKS[work.status]
    state = " ".join((work.doing or work.status.replace("_", " ")).split())
    lines = [Text.assemble(plain(f"  {mark} ", style), plain(f"{plan}  ", ""), plain(state, style))]
    if end := _end(work):
        lines.append(plain(f"    {end}", "dim"))
    steps = work.attempts[-1].steps if work.attempts else ()
    is_unverified = bool(work.attempts) and work.attempts[-1].is_finished and not steps
    lines += [plain(f"    {UNVERIFIED}", "dim")] if is_unverified else []
    return Group(*lines, *(result(step) for step in steps))


def task_lines(
    tasks: tuple[TaskView, ...], room: int = ROOM, all_by: str = "treadle show --all"
) -> RenderableType:
    """Draw tasks, one line each; of many their numbers by status, and first those that need attention.

    `room` is how many lines there are, `all_by` the command that prints all.
    """
    is_long = len(tasks) > min(WHOLE_LIST, room) and room < NO_LIMIT
    shown = _by_attention(tasks, room) if is_long else list(tasks)
    table = Table.grid(padding=(0, 1))
    for column in ("mark", "id", "title", "state", "end"):
        is_cut = column in {"id", "title", "end"}
        table.add_column(no_wrap=is_cut, overflow="ellipsis" if is_cut else "fold")
    for task in shown:
        mark, style = MARKS[task.status]
        table.add_row(
            plain(f"  {mark}", style),
            plain(task.task_id),
            plain(task.title),
            plain(task.doing or task.status.replace("_", " "), style),
            plain(_end(task), "dim"),
        )
    left = len(tasks) - len(shown)
    if not left:
        return table
    return Group(plain(f"  {_counts(tasks)}"), table, more_words(left, all_by))


def _by_attention(tasks: tuple[TaskView, ...], room: int) -> list[TaskView]:
    """Return the tasks that stopped, ask or work, and a few of those that wait."""
    ranks = {status: rank for rank, status in enumerate(_FIRST)}
    listed = [task for task in tasks if task.status in ranks]
    ranked = sorted(listed, key=lambda task: (not task.waiting_for, ranks[task.status]))
    urgent = sum(bool(task.waiting_for) or task.status not in _LATER for task in listed)
    return ranked[: min(room, max(urgent, _FEW))]


def _counts(tasks: tuple[TaskView, ...]) -> str:
    numbers = Counter(task.status.replace("_", " ") for task in tasks)
    return ", ".join(f"{number:,} {status}" for status, number in numbers.most_common())


def _end(task: TaskView) -> str:
    tries = attempt_words(task)
    after = f"← {', '.join(task.depends_on)}" if task.depends_on else ""
    return "  ".join(filter(None, (tries, (task.merge_commit or "")[:10], took(task), after)))


def attempt_words(task: TaskView) -> str:
    """Return which attempt of its newest run a task is at, and of how many: `attempt 2 of 3`."""
    newest = task.attempts[-1].attempt if task.attempts else 0
    if newest < 2 and task.status == "completed":  # noqa: PLR2004  (the first attempt was enough)
        return ""
    most = f" of {max(task.max_attempts, newest)}" if task.max_attempts else ""
    return f"attempt {newest}{most}" if newest else ""
