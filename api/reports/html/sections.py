"""The sections of the report's page: a heading, what it counts, a chart, a table."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from api.reports.html.charts import Column, bar, colour_of, columns, in_order, legend, text_of
from api.reports.html.periods import periods
from domain.core.text import counted, duration, spaced
from domain.reading.report.highlights import repeats
from domain.reading.report.report import Ends, Report, TurnTotals
from domain.reading.report.words import NONE, amount, money, share

_NUMBER = "number"
Heading = tuple[str, str]
"""A column's name, and its class in the style."""

Row = Sequence[str]


def sections(report: Report) -> str:
    """Return all sections that are not empty."""
    made = (draw(report) for draw in _SECTIONS)
    return "\n".join(section for section in made if section)


def _section(title: str, note: str, *parts: str) -> str:
    return f'<section><h2>{title}</h2><p class="note">{note}</p>{"".join(parts)}</section>'


def _table(headings: Sequence[Heading], rows: Iterable[Row]) -> str:
    """Draw a table; its cells are HTML already."""
    head = "".join(f'<th class="{kind}" scope="col">{name}</th>' for name, kind in headings)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="{kind}">{cell}</td>' for (_, kind), cell in zip(headings, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _time(report: Report) -> str:
    kind, shown = periods(report)
    ends = in_order(end for period in shown for end in period.ended)
    if not ends:
        return ""
    drawn = [Column(p.label, {end: p.ended[end] for end in ends}) for p in shown]
    units = {"Tasks": report.tasks.ended, "flow runs": report.flow_runs.ended}
    names = " and ".join(name for name, ended in units.items() if ended)
    what = f"{names[0].upper()}{names[1:]} that ended, by {kind}"
    note = "Each counts once, on the day when it last ended (UTC)."
    return _section(what, note, columns(drawn, what), legend(ends))


def _ends(report: Report) -> str:
    units = {"Plans": report.plans, "Tasks": report.tasks, "Flow runs": report.flow_runs}
    shown = {name: ends for name, ends in units.items() if ends.ended or ends.unfinished}
    if not shown:
        return ""
    headings = [
        ("", "name"),
        ("Outcome", "bar"),
        ("Ended", _NUMBER),
        ("Still open", "words"),
        ("Median", _NUMBER),
        ("90th percentile", _NUMBER),
        ("Longest", _NUMBER),
    ]
    names = in_order(end for ends in shown.values() for end in ends.ended)
    rows = [_ends_row(name, ends) for name, ends in shown.items()]
    note = "Durations are from the start of a plan, task or flow run to its end, including waits."
    return _section("Outcomes and durations", note, _table(headings, rows), legend(names))


def _ends_row(name: str, ends: Ends) -> Row:
    whole = sum(ends.ended.values())
    parts = [(colour_of(end), float(ends.ended[end])) for end in in_order(ends.ended)]
    ended = ", ".join(f"{ends.ended[end]:,} {spaced(end)}" for end in in_order(ends.ended))
    unfinished = ", ".join(f"{number:,} {spaced(how)}" for how, number in ends.unfinished.items())
    took = ends.took
    times = (took.median_ms, took.p90_ms, took.longest_ms)
    return [
        text_of(name),
        f'{bar(parts, whole)}<span class="told">{text_of(ended)}</span>',
        f"{whole:,}",
        text_of(unfinished) or NONE,
        *(duration(ms) if took.count else NONE for ms in times),
    ]


def _waits(report: Report) -> str:
    if not report.waits:
        return ""
    most = max(wait.took.total_ms for wait in report.waits)
    headings = [
        ("Waiting for", "name"),
        ("", "bar"),
        ("Total", _NUMBER),
        ("Times", _NUMBER),
        ("Median", _NUMBER),
        ("90th percentile", _NUMBER),
        ("Now", _NUMBER),
    ]
    rows = [
        [
            text_of(wait.phrase),
            bar([("main" if wait.cause.is_a_persons else "idle", wait.took.total_ms)], most),
            duration(wait.took.total_ms) if wait.took.count else NONE,
            f"{wait.took.count:,}",
            duration(wait.took.median_ms) if wait.took.count else NONE,
            duration(wait.took.p90_ms) if wait.took.count else NONE,
            f"{wait.waiting_now:,}" if wait.waiting_now else NONE,
        ]
        for wait in report.waits
    ]
    note = (
        "Gray waits are not for people. Waits overlap, so totals can be longer than the time that "
        "passed."
    )
    return _section("Waits", note, _table(headings, rows))


def _steps(report: Report) -> str:
    if not report.steps:
        return ""
    headings = [
        ("Step", "name"),
        ("Failed", "bar"),
        ("", _NUMBER),
        ("Ran", _NUMBER),
        ("Did not run", _NUMBER),
        ("Median", _NUMBER),
        ("Total", _NUMBER),
    ]
    rows = [
        [
            text_of(step.label),
            bar([("bad", step.failed)], step.ran),
            f"{step.failed:,} ({share(step.failed, step.ran)})" if step.failed else NONE,
            f"{step.ran:,}",
            f"{step.not_made:,}" if step.not_made else NONE,
            duration(step.took.median_ms),
            duration(step.took.total_ms),
        ]
        for step in report.steps
    ]
    note = "By label, in tasks, before merges and in flows. Steps that did not run have no verdict."
    return _section("Verification steps and commands", note, _table(headings, rows))


def _repeats(report: Report) -> str:
    lines = [line for line in repeats(report) if line[2]]
    if not lines:
        return ""
    headings = [("What", "name"), ("", "bar"), ("Repeated", _NUMBER), ("Of", _NUMBER)]
    rows = [
        [
            text_of(what),
            bar([("warm", again)], whole),
            f"{again:,} ({share(again, whole)})" if again else NONE,
            f"{whole:,}",
        ]
        for what, again, whole in lines
    ]
    refused = report.repeats.provider_refusals
    note = f"Providers delayed a turn {counted(refused, 'time')}."
    return _section("Retries and rejections", note, _table(headings, rows))


def _spent(report: Report) -> str:
    if not report.by_agent:
        return ""
    whole = sum(line.turns for line in report.by_agent)
    headings = [
        ("", "name"),
        ("Turns", "bar"),
        ("", _NUMBER),
        ("Failed", _NUMBER),
        ("Worked", _NUMBER),
        ("Tokens in", _NUMBER),
        ("Out", _NUMBER),
        ("Cached", _NUMBER),
        ("Cost", _NUMBER),
    ]
    agents = [_spent_row(f"{line.agent} {line.model}", line, whole) for line in report.by_agent]
    modes = [_spent_row(line.mode, line, whole) for line in report.by_mode]
    note = (
        "Tokens are as reported by agents, which count differently, so totals across agents are approximate. "
        "Costs are as reported, else by list prices. ≥ marks totals with incomplete reports."
    )
    tables = ("<h3>By agent and model</h3>", _table(headings, agents), "<h3>By mode</h3>")
    return _section(
        "Turns, tokens and cost", note, *tables, _table(headings, modes), *_money_tables(report)
    )


def _money_tables(report: Report) -> Iterator[str]:
    """Yield what each month and each repository cost."""
    for title, lines in (("By month", report.by_month), ("By repository", report.by_project)):
        rows = [
            [text_of(line.name), f"{line.turns:,}", text_of(money(line.money, {}))]
            for line in lines
        ]
        if rows:
            yield f"<h3>{title}</h3>"
            yield _table([("", "name"), ("Turns", _NUMBER), ("Cost", _NUMBER)], rows)


def _spent_row(name: str, line: TurnTotals, whole: int) -> Row:
    least = "≥ " if line.unreported_turns or line.partial_turns else ""
    tokens = (line.input_tokens, line.output_tokens, line.cached_tokens)
    return [
        text_of(name.strip() or "unknown"),
        bar([("main", line.turns)], whole),
        f"{line.turns:,}",
        f"{line.failed_turns:,}" if line.failed_turns else NONE,
        duration(line.work_ms),
        *(f"{least}{amount(number)}" if number else NONE for number in tokens),
        text_of(money(line.money, line.costs)),
    ]


def _failures(report: Report) -> str:
    if not report.failures:
        return ""
    most = report.failures[0].count
    headings = [("Cause", "cause"), ("", "bar"), ("Times", _NUMBER), ("In", "words")]
    rows = [
        [text_of(line.cause), bar([("bad", line.count)], most), f"{line.count:,}", line.what.value]
        for line in report.failures
    ]
    more = (
        f" {counted(report.other_failures, 'failure')} had other causes."
        if report.other_failures
        else ""
    )
    note = f"Numbers and names that vary are left out.{more}"
    return _section("Causes of failures", note, _table(headings, rows))


def _records(report: Report) -> str:
    if not report.records:
        return ""
    headings = [("Agent", "name"), ("Kind of work", "words"), ("First verification", "words")]
    rows = [
        (
            text_of(f"{one.agent} {one.model}".strip()),
            text_of(one.kind or "all"),
            text_of(one.words),
        )
        for one in report.records
    ]
    note = (
        "Tasks that passed their first verification, by the agent and model that did them. The true rate is in "
        "the range in 95 of 100 cases."
    )
    return _section("How agents did", note, _table(headings, rows))


_SECTIONS: tuple[Callable[[Report], str], ...] = (
    _time,
    _ends,
    _waits,
    _steps,
    _repeats,
    _failures,
    _spent,
    _records,
)
