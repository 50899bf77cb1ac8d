"""The report as doors show it."""

from datetime import date, datetime

from domain.core.money import Money
from domain.core.wire import Wire
from domain.reading.report.causes import Failed, WaitCause
from domain.reading.report.records import AgentRecord, Versus


class Times(Wire):
    """How long some things took, in milliseconds; nine of ten took `p90_ms` or less."""

    count: int = 0
    total_ms: int = 0
    median_ms: int = 0
    p90_ms: int = 0
    longest_ms: int = 0


class Ends(Wire):
    """How many ended, by how they did; `standing` are those that have not, by how they stand now."""

    ended: dict[str, int] = {}
    unfinished: dict[str, int] = {}
    took: Times = Times()


class Waits(Wire):
    """Waits for one cause that are over, and how many wait now."""

    cause: WaitCause
    phrase: str
    took: Times = Times()
    waiting_now: int = 0


class Repeats(Wire):
    """What was done, and how much of it was done again or sent back; `gates` are those of people."""

    task_runs: int = 0
    task_runs_again: int = 0
    verifications: int = 0
    verifications_again: int = 0
    plans_proposed: int = 0
    plans_rejected: int = 0
    gates: int = 0
    gates_rejected: int = 0
    provider_refusals: int = 0


class StepLine(Wire):
    """A verification step by its label; one that was `not_made` says nothing of the work."""

    label: str
    ran: int = 0
    failed: int = 0
    not_made: int = 0
    took: Times = Times()


class TurnTotals(Wire):
    """What turns took.

    Tokens are as the agent told them. It told none of `unreported_turns`, and of `partial_turns` those of
    its last call only. `costs` are by currency, and only what agents told; `money` has list prices as well.
    """

    turns: int = 0
    failed_turns: int = 0
    work_ms: int = 0
    tool_calls: int = 0
    tool_failures: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    thought_tokens: int = 0
    unreported_turns: int = 0
    partial_turns: int = 0
    costs: dict[str, float] = {}
    money: Money = Money()


class AgentTotals(TurnTotals):
    """What an agent's turns took; without a `model` it had its own."""

    agent: str
    model: str = ""


class ModeTotals(TurnTotals):
    """What turns for a kind of work took: a task's mode, or planning, review, chat, flow.

    Tokens of several `agents` are no exact sum: each counts in its own way.
    """

    mode: str
    agents: tuple[str, ...] = ()


class MoneyTotals(Wire):
    """What turns of a month (`2026-11`, UTC) or of a repository cost."""

    name: str
    turns: int = 0
    money: Money = Money()


class FailureLine(Wire):
    """A cause of failures; what differs from case to case is left out of it."""

    what: Failed
    cause: str
    count: int


class Day(Wire):
    """What ended on a day (UTC)."""

    day: date
    plans: dict[str, int] = {}
    tasks: dict[str, int] = {}
    flow_runs: dict[str, int] = {}
    turns: int = 0


class Report(Wire):
    """What plans, tasks, flow runs and agents took.

    Counted is what ended at `since` or later, by streams in which something happened since then;
    what began before counts with its whole time. `events` is how many it was counted from. Of causes
    of failures the most frequent are named, `other_failures` counts the rest.
    """

    since: datetime | None = None
    until: datetime
    project: str = ""
    events: int = 0
    plans: Ends = Ends()
    tasks: Ends = Ends()
    flow_runs: Ends = Ends()
    waits: tuple[Waits, ...] = ()
    repeats: Repeats = Repeats()
    steps: tuple[StepLine, ...] = ()
    by_agent: tuple[AgentTotals, ...] = ()
    by_mode: tuple[ModeTotals, ...] = ()
    records: tuple[AgentRecord, ...] = ()
    versus: tuple[Versus, ...] = ()
    by_month: tuple[MoneyTotals, ...] = ()
    time_zone: str = "UTC"
    """Of the months; days are those of UTC."""
    by_project: tuple[MoneyTotals, ...] = ()
    failures: tuple[FailureLine, ...] = ()
    other_failures: int = 0
    days: tuple[Day, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was counted."""
        return not self.events
