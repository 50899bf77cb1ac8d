"""The report as it is drawn on a terminal: key numbers, and a table for each part."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from cli.core.console import plain
from cli.reports.number_table import NumberTable, bar
from domain.core.text import duration, spaced
from domain.reading.report.highlights import key_numbers, repeats, scope_of
from domain.reading.report.report import MoneyTotals, Report, Times, TurnTotals
from domain.reading.report.words import NONE, amount, money, share

MAX_CAUSES = 10
"""How many causes of failures are listed."""


def page(report: Report) -> RenderableType:
    """Draw the report without empty parts."""
    parts: list[RenderableType] = [plain(scope_of(report), "dim")]
    if report.is_empty:
        parts.append(plain("Nothing ended in this period; try an earlier --since."))
        return Group(*parts)
    tables = [_key_numbers(report), *_tables(report)]
    parts += [Padding(table, (1, 0, 0, 0)) for table in tables if table.row_count]
    return Group(*parts)


def _tables(report: Report) -> Iterator[Table | NumberTable]:
    yield _ends(report)
    yield _waits(report)
    yield _steps(report)
    yield _repeats(report)
    yield _failures(report)
    yield _spent(
        "agent", [(f"{line.agent} {line.model}".strip(), line) for line in report.by_agent]
    )
    yield _spent("mode", [(line.mode, line) for line in report.by_mode])
    yield _records(report)
    yield _versus(report)
    yield _money("month", report.by_month)
    yield _money("repository", report.by_project)


def _key_numbers(report: Report) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for each in key_numbers(report):
        grid.add_row(plain(each.what), plain(each.number, "bold"), plain(each.note, "dim"))
    return grid


def _ends(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("outcome", no_wrap=True, header_style="bold")
    for heading in ("median", "p90"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("ended")
    table.add_column("still open")
    units = {"plans": report.plans, "tasks": report.tasks, "flow runs": report.flow_runs}
    for name, ends in units.items():
        if ends.ended or ends.unfinished:
            table.add_row(name, *_times(ends.took), _listed(ends.ended), _listed(ends.unfinished))
    return table


def _waits(report: Report) -> NumberTable:
    table = NumberTable("waiting for", "total", "times", "median", "p90", "now")
    most = max((wait.took.total_ms for wait in report.waits), default=0)
    for wait in report.waits:
        table.add_row(
            plain(wait.phrase),
            bar(wait.took.total_ms, most, "blue" if wait.cause.is_a_persons else "bright_black"),
            duration(wait.took.total_ms) if wait.took.count else NONE,
            f"{wait.took.count:,}",
            *_times(wait.took),
            plain(f"{wait.waiting_now:,}", "yellow") if wait.waiting_now else NONE,
        )
    return table


def _steps(report: Report) -> NumberTable:
    table = NumberTable("verification step", "failed", "ran", "did not run", "median", "total")
    for step in report.steps:
        table.add_row(
            plain(step.label),
            bar(step.failed, step.ran, "red"),
            f"{step.failed:,} ({share(step.failed, step.ran)})" if step.failed else NONE,
            f"{step.ran:,}",
            f"{step.not_made:,}" if step.not_made else NONE,
            duration(step.took.median_ms),
            duration(step.took.total_ms),
        )
    return table


def _repeats(report: Report) -> NumberTable:
    table = NumberTable("retries and rejections", "repeated", "of")
    for what, again, whole in repeats(report):
        if whole:
            number = f"{again:,} ({share(again, whole)})" if again else NONE
            table.add_row(plain(what), bar(again, whole, "yellow"), number, f"{whole:,}")
    return table


def _failures(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("failures", no_wrap=True, header_style="bold")
    table.add_column("times", justify="right", no_wrap=True)
    table.add_column("cause", overflow="fold")
    for line in report.failures[:MAX_CAUSES]:
        table.add_row(line.what, f"{line.count:,}", plain(line.cause))
    others = report.other_failures + sum(line.count for line in report.failures[MAX_CAUSES:])
    if others:
        table.add_row("", f"{others:,}", plain("other causes (--json, --html)", "dim"))
    return table


def _spent(by: str, lines: Sequence[tuple[str, TurnTotals]]) -> NumberTable:
    table = NumberTable(by, "turns", "failed", "worked", "in", "cached", "out", "cost")
    whole = sum(line.turns for _, line in lines)
    for name, line in lines:
        least = "≥" if line.unreported_turns or line.partial_turns else ""
        tokens = (line.input_tokens, line.cached_tokens, line.output_tokens)
        table.add_row(
            plain(name or "unknown"),
            bar(line.turns, whole, "blue"),
            f"{line.turns:,}",
            f"{line.failed_turns:,}" if line.failed_turns else NONE,
            duration(line.work_ms),
            *(f"{least}{amount(number)}" if number else NONE for number in tokens),
            plain(money(line.money, line.costs)),
        )
    return table


def _records(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("how agents did", no_wrap=True, header_style="bold")
    table.add_column("work", no_wrap=True)
    table.add_column("first verification", overflow="fold")
    for one in report.records:
        name = f"{one.agent} {one.model}".strip()
        table.add_row(plain(name), plain(one.kind or "all"), plain(one.words))
    return table


def _versus(report: Report) -> NumberTable:
    table = NumberTable("same task at once", "only first", "only second", "same")
    for one in report.versus:
        first, second = f"{one.agent} {one.model}".strip(), f"{one.other} {one.other_model}".strip()
        counts = (f"{number:,}" for number in (one.won, one.lost, one.even))
        drawn = bar(one.won, one.won + one.lost, "green")
        table.add_row(plain(f"{first} and {second}"), drawn, *counts)
    return table


def _money(by: str, lines: Sequence[MoneyTotals]) -> NumberTable:
    table = NumberTable(by, "turns", "cost")
    whole = sum(line.turns for line in lines)
    for line in lines:
        cost = plain(money(line.money, {}))
        table.add_row(plain(line.name), bar(line.turns, whole, "blue"), f"{line.turns:,}", cost)
    return table


def _times(took: Times) -> tuple[str, str]:
    return (duration(took.median_ms), duration(took.p90_ms)) if took.count else (NONE, NONE)


def _listed(counted: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {spaced(name)}" for name, number in counted.items()) or NONE
