"""Schedules as they are drawn on a terminal."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain, quoted, rows
from domain.core.text import counted
from domain.queue.schedules.schedule import OverlapPolicy, ScheduleView

ADD = 'Add one: treadle schedule add NAME --cron "0 6 * * 1-5" "GOAL"'


def listing(schedules: list[ScheduleView]) -> RenderableType:
    """Draw schedules as a table, each with its next run."""
    if not schedules:
        return plain(f"No schedules yet. {ADD}", "dim")
    table = Table(box=None, pad_edge=False, padding=(0, 2), expand=True)
    for heading in ("schedule", "times", "next", "runs"):
        table.add_column(heading, overflow="ellipsis", no_wrap=True)
    table.add_column("what", overflow="ellipsis", no_wrap=True, ratio=1)  # this one alone is cut
    for each in schedules:
        due = each.next_at[0] if each.next_at else None
        paused = Text("paused", style="yellow") if each.is_paused else plain("no more runs")
        table.add_row(
            plain(each.name),
            plain(each.cron),
            plain(moment(due, each)) if due else paused,
            str(each.runs),
            plain(_what(each), "dim"),
        )
    return table


def page(schedule: ScheduleView) -> RenderableType:
    """Draw one schedule."""
    state = Text("paused", style="yellow") if schedule.is_paused else Text()
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    fields = {
        "what": _what(schedule),
        "in": schedule.project,
        "times": f"{schedule.cron} ({schedule.timezone})",
        "next": "\n".join(moment(due, schedule) for due in schedule.next_at),
        "overlap": _overlap(schedule.overlap),
        "priority": str(schedule.priority),
        "runs so far": _past(schedule),
        "last": schedule.last_result,
        "note": schedule.note,
    }
    for name, value in fields.items():
        if value:
            grid.add_row(name, quoted(value) if name != "next" else rows(value.split("\n")))
    return Group(Text.assemble(plain(schedule.name, "bold"), "  ", state), grid)


def moment(due: datetime, schedule: ScheduleView) -> str:
    """Return a time in the time zone of a schedule."""
    try:
        there = due.astimezone(ZoneInfo(schedule.timezone))
    except (ZoneInfoNotFoundError, ValueError):  # this machine knows fewer zones than Temporal
        there = due.astimezone()
    return there.strftime("%a %Y-%m-%d %H:%M %z")


def _what(schedule: ScheduleView) -> str:
    return f"flow {schedule.title}" if schedule.kind == "flow" else schedule.title


def _overlap(overlap: OverlapPolicy) -> str:
    return "skip the new run" if overlap is OverlapPolicy.SKIP else "queue the new run"


def _past(schedule: ScheduleView) -> str:
    if not schedule.runs and not schedule.missed:
        return "none yet"
    last = f", last {moment(schedule.last_at, schedule)}" if schedule.last_at else ""
    missed = f", {schedule.missed} missed" if schedule.missed else ""
    return f"{counted(schedule.runs, 'run')}{last}{missed}"
