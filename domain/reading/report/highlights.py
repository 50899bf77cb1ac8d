"""What is looked at first in a report, in the same words on a terminal and on a page."""

from functools import reduce
from typing import NamedTuple

from domain.core.money import Money
from domain.core.text import counted, duration, spaced
from domain.reading.report.report import Ends, Repeats, Report, Times
from domain.reading.report.words import amount, money, share


class KeyNumber(NamedTuple):
    """A number that is looked at first."""

    what: str
    number: str
    note: str


def scope_of(report: Report) -> str:
    """Say what a report is of: which projects, and from when to when."""
    where = f"Project {report.project}" if report.project else "All projects"
    if report.since is None:
        return f"{where}, from the beginning to {report.until:%Y-%m-%d %H:%M} UTC"
    return f"{where}, {report.since:%Y-%m-%d %H:%M} to {report.until:%Y-%m-%d %H:%M} UTC"


def key_numbers(report: Report) -> list[KeyNumber]:
    """Return what is looked at first, of what there is."""
    units = {"Plans": report.plans, "Tasks": report.tasks, "Flow runs": report.flow_runs}
    found = [
        KeyNumber(f"{name} completed", f"{ends.ended.get('completed', 0):,}", _of(ends))
        for name, ends in units.items()
        if ends.ended or ends.unfinished
    ]
    if report.tasks.took.count:
        found.append(_task_time(report.tasks.took))
    waits = [wait for wait in report.waits if wait.cause.is_a_persons and wait.took.count]
    if waits:
        whole = duration(sum(wait.took.total_ms for wait in waits))
        found.append(KeyNumber("Waited for people", whole, f"most for {waits[0].phrase}"))
    if report.repeats.verifications:
        found.append(_again(report.repeats))
    if report.by_agent:
        found.append(_cost(report))
    return found


def _task_time(took: Times) -> KeyNumber:
    note = f"median; 9 of 10 at most {duration(took.p90_ms)}"
    return KeyNumber("A task took", duration(took.median_ms), note)


def _again(done: Repeats) -> KeyNumber:
    again, whole = done.verifications_again, done.verifications
    note = f"{again:,} of {counted(whole, 'attempt')}"
    return KeyNumber("Verified again", share(again, whole), note)


def _cost(report: Report) -> KeyNumber:
    turns, costs = sum(line.turns for line in report.by_agent), _costs(report)
    spent = reduce(Money.plus, (line.money for line in report.by_agent), Money())
    tokens = sum(line.input_tokens + line.output_tokens for line in report.by_agent)
    note = f"{amount(tokens)} tokens" if tokens else "no tokens reported"
    if not costs and not spent.spent and not spent.included_turns:
        return KeyNumber("Turns of agents", f"{turns:,}", note)
    return KeyNumber("Cost", money(spent, costs), f"{note} in {counted(turns, 'turn')}")


def _of(ends: Ends) -> str:
    unfinished = ", ".join(f"{n:,} {spaced(name)}" for name, n in ends.unfinished.items())
    return f"of {sum(ends.ended.values()):,} that ended" + (
        f"; now {unfinished}" if unfinished else ""
    )


def _costs(report: Report) -> dict[str, float]:
    costs: dict[str, float] = {}
    for line in report.by_agent:
        for currency, cost in line.costs.items():
            costs[currency] = costs.get(currency, 0) + cost
    return costs


def repeats(report: Report) -> list[tuple[str, int, int]]:
    """Return what was done again or sent back, how often, and of how many."""
    done = report.repeats
    return [
        ("runs of tasks", done.task_runs_again, done.task_runs),
        ("attempts at verification", done.verifications_again, done.verifications),
        ("plans that were rejected", done.plans_rejected, done.plans_proposed),
        ("changes that were rejected", done.gates_rejected, done.gates),
    ]
