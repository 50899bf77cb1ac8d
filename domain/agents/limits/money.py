"""Spending limits: what is limited, what a turn that starts reserves, and whether it may start.

A turn that starts reserves what turns of its kind cost, against all of its limits at once, and settles at its end
what it cost. It starts where all limits have room for that; where nothing else of a limit runs, also where only a
part of it is left. So what is settled and reserved passes a limit by at most what one turn is reserved with, and
then by what turns cost more than was expected of them; a turn is never cut off.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from domain.core.amounts import dollars
from domain.core.money import MAX_USD, millionths
from domain.core.text import counted
from domain.core.wire import Wire

WARNING_PERCENT = 80
OVER_LIMIT = "a spending limit"
"""What a turn waits for that may not start, as others wait for their provider."""

CROWDED = "room under a spending limit"
"""The same where nobody is asked: it only waits for other turns to end."""

HOLDS = frozenset({OVER_LIMIT, CROWDED})
"""Both: no provider has refused such a turn."""


def _no_dust(usd: float) -> float:
    if millionths(usd) < 1:
        raise PydanticCustomError("usd", "give at least a millionth of a dollar")
    return usd


Usd = Annotated[float, Field(gt=0, le=MAX_USD, allow_inf_nan=False), AfterValidator(_no_dust)]
"""A limit in US dollars."""


def _known_zone(name: str) -> str:
    if name not in available_timezones():
        raise PydanticCustomError("time_zone", "give a time zone like `Europe/Zurich`, or `UTC`")
    return name


TimeZone = Annotated[str, AfterValidator(_known_zone)]


class Limited(StrEnum):
    """What a limit is of; those of a repository and of all are of a calendar month."""

    TASK = "task"
    THREAD = "thread"
    PROJECT = "project"
    MONTH = "month"


class TurnLimits(Wire):
    """What the task and the thread of a turn may cost; `thread` is the outermost one, which all below it count for.

    `task` is the id of the task that candidates do at once: they all count for it. None is no limit.
    """

    thread: str = ""
    task: str = Field(default="", exclude_if=lambda task: not task)
    thread_usd: float | None = None
    task_usd: float | None = None


class LimitScope(Wire):
    """What a limit is of, by name: a task's or thread's id, a repository, a month like `2026-11`."""

    kind: Limited
    name: str
    month: str = ""

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return " ".join(filter(None, (self.kind, self.month, self.name)))

    @property
    def is_monthly(self) -> bool:
        """Whether it is of a calendar month."""
        return self.kind in {Limited.PROJECT, Limited.MONTH}

    def is_of_month_before(self, month: str) -> bool:
        """Tell whether it is of a calendar month that is over; months are written so that their order is theirs."""
        mine = self.name if self.kind is Limited.MONTH else self.month
        return "" < mine < month

    @property
    def words(self) -> str:
        """What people call it."""
        if self.kind is Limited.MONTH:
            return f"all work in {self.name}"
        short = self.name.rstrip("/").rpartition("/")[2]
        if self.kind is Limited.PROJECT:
            return f"the repository {short} in {self.month}"
        return self.name if self.kind is Limited.THREAD else f"the task {short}"


class Account(NamedTuple):
    """How a limit stands, in millionths: what is settled, and reserved by `running` other turns."""

    scope: LimitScope
    limit: int
    settled: int = 0
    reserved: int = 0
    running: int = 0
    unknown: int = 0

    @property
    def is_reached(self) -> bool:
        """Whether all of it is spent."""
        return self.settled >= self.limit

    @property
    def is_near(self) -> bool:
        """Whether four fifths of it are spent."""
        return 100 * self.settled >= WARNING_PERCENT * self.limit

    def has_room(self, expected: int) -> bool:
        """Tell whether a turn may start that is expected to cost so much."""
        fits = self.settled + self.reserved + expected <= self.limit
        return not self.is_reached and (fits or self.running == 0)

    @property
    def words(self) -> str:
        """How it stands, as people read it."""
        least = f", plus {counted(self.unknown, 'turn')} of unknown cost" if self.unknown else ""
        return f"{dollars(self.settled)} of {dollars(self.limit)} for {self.scope.words}{least}"

    @property
    def words_in_thread(self) -> str:
        """How it stands, for all who read a thread: what all work costs is for who reads all of it."""
        of_all = self.scope.kind is Limited.MONTH
        return f"the limit for {self.scope.words}" if of_all else self.words


class SpentLimit(Wire):
    """A limit and what is spent of it, in millionths."""

    scope: LimitScope
    limit: int
    spent: int
    unknown: int = 0


class Admission(Wire):
    """Whether a turn may start: not where limits are `reached`, or where others have reserved what is left.

    `near` are those of which four fifths are spent. `until` is when to ask again by itself, `month_ends` when
    limits of the calendar month are those of the next one.
    """

    is_admitted: bool = True
    reached: tuple[SpentLimit, ...] = ()
    near: tuple[SpentLimit, ...] = ()
    reason: str = ""
    until: datetime | None = None
    month_ends: datetime | None = None


RETRY = timedelta(hours=24)
"""When a turn that waits for a limit tries again although nobody said a word: it would not wait for ever."""

RETRY_CROWDED = timedelta(minutes=10)
"""The same where it only waits for other turns to end."""


def admit(accounts: Sequence[Account], expected: int, now: datetime, zone: str) -> Admission:
    """Return whether a turn may start that is expected to cost so much, by all of its limits."""
    near = spent_limits(a for a in accounts if a.is_near and not a.is_reached)
    lacking = [account for account in accounts if not account.has_room(expected)]
    if not lacking:
        return Admission(near=near, month_ends=next_month(now, zone))
    reached = [account for account in lacking if account.is_reached]
    if not reached:
        others = counted(lacking[0].running, "running turn")
        tells = f"{others} may use what is left: {lacking[0].words_in_thread}"
        until = now + RETRY_CROWDED
        return Admission(is_admitted=False, near=near, reason=tells, until=until)
    ends = next_month(now, zone)
    return Admission(
        is_admitted=False,
        month_ends=ends,
        reached=spent_limits(reached),
        near=near,
        reason="; ".join(account.words_in_thread for account in reached),
        until=min(now + RETRY, ends),
    )


def spent_limits(accounts: Iterable[Account]) -> tuple[SpentLimit, ...]:
    """Return how limits stand, as it is told on."""
    return tuple(
        SpentLimit(scope=a.scope, limit=a.limit, spent=a.settled, unknown=a.unknown)
        for a in accounts
    )


def month_of(at: datetime, zone: str) -> str:
    """Return the calendar month of a moment there, like `2026-11`."""
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m}"


def next_month(at: datetime, zone: str) -> datetime:
    """Return when the next calendar month begins there."""
    there = at.astimezone(ZoneInfo(zone))
    year, month = divmod(there.year * 12 + there.month, 12)
    return datetime(year, month + 1, 1, tzinfo=ZoneInfo(zone)).astimezone(at.tzinfo)


def lowest(*limits: float | None) -> float | None:
    """Return the lowest of some limits; None where there is none."""
    return min((limit for limit in limits if limit is not None), default=None)
