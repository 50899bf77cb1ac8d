"""What is looked at first in a report, in the same words on a terminal and on a page."""

from typing import NamedTuple

from domain.report.report import Ends, Report
from domain.report.words import NONE, amount, duration, money, share, spoken
from domain.wording import counted


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
    """Return what is looked at first."""
    repeats, tasks = report.repeats, report.tasks
    persons = [wait for wait in report.waits if wait.cause.is_a_persons and wait.took.count]
    most = f"most for {persons[0].phrase}" if persons else "nothing waited for anybody"
    spent = report.by_agent
    tokens = sum(line.input_tokens + line.output_tokens for line in spent)
    turns = sum(line.turns for line in spent)
    numbers = [
        KeyNumber(
            "Plans completed", f"{report.plans.ended.get('completed', 0):,}", _of(report.plans)
        ),
        KeyNumber("Tasks completed", f"{tasks.ended.get('completed', 0):,}", _of(tasks)),
        KeyNumber(
            "A task took",
            duration(tasks.took.median_ms) if tasks.took.count else NONE,
            f"half of them; 9 of 10 at most {duration(tasks.took.p90_ms)}",
        ),
        KeyNumber("Waited for people", duration(sum(w.took.total_ms for w in persons)), most),
        KeyNumber(
            "Verified again",
            share(repeats.verifications_again, repeats.verifications),
            f"{repeats.verifications_again:,} of {counted(repeats.verifications, 'attempt')}",
        ),
        KeyNumber(
            "Cost, as agents told",
            money(_costs(report)),
            f"{amount(tokens)} tokens in {counted(turns, 'turn')}",
        ),
    ]
    if report.flow_runs.ended or report.flow_runs.standing:
        runs = report.flow_runs
        completed = str(runs.ended.get("completed", 0))
        numbers.insert(2, KeyNumber("Flow runs completed", completed, _of(runs)))
    return numbers


def _of(ends: Ends) -> str:
    standing = ", ".join(f"{n:,} {spoken(name)}" for name, n in ends.standing.items())
    return f"of {sum(ends.ended.values()):,} that ended" + (f"; now {standing}" if standing else "")


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
