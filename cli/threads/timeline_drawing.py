"""A timeline as it is drawn on a terminal: a bar for each task, and the newest moments."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain
from cli.core.long_lists import WHOLE_LIST, first_of, more_words
from cli.core.tables import table_of
from domain.core.event_text import cut
from domain.core.task_names import place_in_thread, task_name
from domain.reading.timeline.timeline import SpanStatus, TaskLine, Timeline

_BARS = {
    SpanStatus.PENDING: ("·", "dim"),
    SpanStatus.PLANNING: ("░", "cyan"),
    SpanStatus.RUNNING: ("█", "cyan"),
    SpanStatus.VERIFYING: ("▓", "blue"),
    SpanStatus.WAITING: ("▒", "yellow"),
    SpanStatus.MERGING: ("▚", "green"),
    SpanStatus.FAILED: ("x", "red"),
    SpanStatus.BLOCKED: ("-", "red"),
}
_ENDS = {"merged": ("✓", "green"), "task_failed": ("✗", "red"), "task_cancelled": ("–", "dim")}
_NEVER = datetime.min.replace(tzinfo=UTC)
_NAME, _MARGIN = 24, 6
_NARROWEST, _WIDEST = 20, 100


def lines(timeline: Timeline, now: datetime, width: int, all_by: str = "") -> RenderableType:
    """Draw each task's line, from the first task's start until the thread's end, or now.

    Of many, where `all_by`, the command that prints all, is given, those that started last are drawn.
    """
    if not timeline.tasks:
        return plain("No plan has started yet.", "dim")
    starts = [span.began_at for task in timeline.tasks for span in task.spans[:1]]
    began, ended = min(starts, default=timeline.began_at), timeline.ended_at or now
    columns = max(_NARROWEST, min(_WIDEST, width - _NAME - _MARGIN))
    table = Table.grid(padding=(0, 1))
    for _ in range(3):
        table.add_column(no_wrap=True)
    tasks, left = _newest(timeline.tasks) if all_by else (timeline.tasks, 0)
    for task in tasks:
        row = [_bar(task, (began, ended), place, columns) for place in range(columns)]
        table.add_row(
            plain(cut(task_name(task.task_id, ""), _NAME)), Text.assemble(*row), _end(task)
        )
    first, last = (f"{at:{_clock(ended - began)}}" for at in (began, ended))
    scale = first.ljust(columns - len(last)) + last
    table.add_row("", plain(scale, "dim"), "")
    legend = Text("  ").join(
        plain(f"{mark} {status}", style) for status, (mark, style) in _BARS.items()
    )
    return Group(table, *([more_words(left, all_by)] if left else []), legend)


def _newest(tasks: Sequence[TaskLine]) -> tuple[Sequence[TaskLine], int]:
    """Return the tasks that started last in their order, and how many others there are."""
    if not first_of(tasks, WHOLE_LIST)[1]:
        return tasks, 0
    started = [task for task in tasks if task.spans and task.spans[-1].status != SpanStatus.PENDING]
    newest = sorted(
        started or tasks, key=lambda task: task.spans[-1].began_at if task.spans else _NEVER
    )
    names = {task.task_id for task in newest[-WHOLE_LIST:]}
    return [task for task in tasks if task.task_id in names], len(tasks) - len(names)


def moments(timeline: Timeline, count: int) -> RenderableType:
    """Draw the newest moments with their positions, for `--at`."""
    shown = timeline.moments[-count:] if count else ()
    table = table_of("position", "at", "where", "what", folded=["what"])
    for moment in shown:
        where = place_in_thread(moment.stream) or "thread"
        at = f"{moment.at:%m-%d %H:%M:%S}"
        table.add_row(str(moment.position), plain(at, "dim"), plain(where), plain(moment.label))
    left = len(timeline.moments) - len(shown)
    more = [plain(f"… and {left} earlier ones: --moments {len(timeline.moments)}", "dim")]
    return Group("", table, *(more if left and count else []))


def _bar(
    task: TaskLine, times: tuple[datetime, datetime], place: int, columns: int
) -> tuple[str, str]:
    """Return the mark of a column: the last span of the task that has started by then."""
    began, ended = times
    step = (ended - began) / columns
    first, last = began + place * step, began + (place + 1) * step
    within = [s for s in task.spans if s.began_at < last and (s.ended_at or ended) > first]
    return _BARS[within[-1].status] if within else (" ", "")


def _clock(length: timedelta) -> str:
    return "%H:%M:%S" if length < timedelta(days=1) else "%m-%d %H:%M"


def _end(task: TaskLine) -> Text:
    found = [_ENDS[mark.kind] for mark in task.marks if mark.kind in _ENDS]
    return plain(*found[-1]) if found else Text("")
