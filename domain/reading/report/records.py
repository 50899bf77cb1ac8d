"""How agents did here: how many tasks passed their first verification, at what time and cost."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from statistics import median

from domain.core.intervals import wilson
from domain.core.text import duration
from domain.core.wire import Wire
from domain.reading.report.tally import MILLIONTHS, Tally, Trial, Who

ENOUGH = 5
"""Tasks below which nothing is said of an agent but how few they are."""


class Spread(Wire):
    """The middle of some numbers, the least and the most of them, and how many they are."""

    count: int
    median: float
    least: float
    most: float


class AgentRecord(Wire):
    """What an agent's tasks came to, of a kind of work (a mode or an owner) or, without one, of all.

    Of fewer than five nothing is told but `tasks`. The true rate lies between `low` and `high` in 95 of 100
    cases. `took_ms` is what the agent's turns took in a task, reworks included. Costs are by currency, of those tasks
    whose agent told what every turn cost.
    """

    agent: str
    model: str = ""
    kind: str = ""
    tasks: int = 0
    passed_first: int | None = None
    low: float | None = None
    high: float | None = None
    took_ms: Spread | None = None
    costs: dict[str, Spread] = {}
    words: str = ""


class Versus(Wire):
    """How two agents did on the same tasks, at once: who alone passed first, and how often both or neither did."""

    agent: str
    model: str = ""
    other: str
    other_model: str = ""
    won: int = 0
    lost: int = 0
    even: int = 0


def records_of(tally: Tally) -> tuple[AgentRecord, ...]:
    """Return how agents did, of all kinds of work and then of each; who has most tasks comes first."""
    found: defaultdict[Who, list[Trial]] = defaultdict(list)
    for who, trials in tally.trials.items():
        found[who._replace(kind="")] += trials
        found[who] += trials
    records = [_record(who, trials) for who, trials in found.items()]
    return tuple(
        sorted(
            records, key=lambda one: (one.kind != "", one.kind, -one.tasks, one.agent, one.model)
        )
    )


def versus_of(tally: Tally) -> tuple[Versus, ...]:
    """Return how agents did against each other, each pair once."""
    found: defaultdict[tuple[Who, Who], Counter[str]] = defaultdict(Counter)
    for contenders in tally.contests.values():
        every = [(who._replace(kind=""), passed) for who, passed in contenders]
        for (one, mine), (other, theirs) in permutations(every, 2):
            if one < other:
                found[one, other][_outcome(is_mine=mine, is_theirs=theirs)] += 1
    lines = (
        Versus.model_validate(
            {
                "agent": one.agent,
                "model": one.model,
                "other": other.agent,
                "other_model": other.model,
                **outcomes,
            }
        )
        for (one, other), outcomes in sorted(found.items())
    )
    return tuple(lines)


def _outcome(*, is_mine: bool, is_theirs: bool) -> str:
    if is_mine == is_theirs:
        return "even"
    return "won" if is_mine else "lost"


def _record(who: Who, trials: Sequence[Trial]) -> AgentRecord:
    count = len(trials)
    if count < ENOUGH:
        return AgentRecord(**who._asdict(), tasks=count, words=f"only {count} so far")
    passed = sum(trial.has_passed for trial in trials)
    low, high = wilson(passed, count)
    priced: defaultdict[str, list[float]] = defaultdict(list)
    for trial in trials:
        if trial.cost is not None:
            priced[trial.currency].append(trial.cost / MILLIONTHS)
    record = AgentRecord(
        **who._asdict(),
        tasks=count,
        passed_first=passed,
        low=low,
        high=high,
        took_ms=_spread(trial.took_ms for trial in trials),
        costs={currency: _spread(costs) for currency, costs in sorted(priced.items())},
    )
    return record.model_copy(update={"words": _words(record)})


def _spread(numbers: Iterable[float]) -> Spread:
    ordered = sorted(numbers)
    return Spread(count=len(ordered), median=median(ordered), least=ordered[0], most=ordered[-1])


def _words(record: AgentRecord) -> str:
    """Say a record in a line, like `passes 14 of 16 here (64-97 %), median 6 min, $0.40`."""
    low, high = round(100 * (record.low or 0)), round(100 * (record.high or 0))
    parts = [f"passes {record.passed_first} of {record.tasks} here ({low}–{high} %)"]
    if record.took_ms is not None:
        parts.append(f"median {duration(round(record.took_ms.median))}")
    for currency, span in record.costs.items():
        of = "" if span.count == record.tasks else f" ({span.count} of {record.tasks} told)"
        parts.append(f"{_money(span.median, currency)}{of}")
    return ", ".join(parts)


def _money(amount: float, currency: str) -> str:
    return f"${amount:.2f}" if currency == "USD" else f"{amount:.2f} {currency}".rstrip()
