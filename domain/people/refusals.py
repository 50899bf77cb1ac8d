"""Refusals of doors, counted so that whoever knocks cannot fill the audit log."""

from collections import Counter
from datetime import datetime, timedelta
from typing import NamedTuple

from domain.people.audit import AuditEntry, AuditResult, Door

WINDOW = timedelta(minutes=1)
"""What repeats within it is one more record, which says how often."""

SPAN = timedelta(hours=1)


class Bound(NamedTuple):
    """How many records refusals may become, whoever knocks."""

    first: int
    """So many different refusals a minute are recorded at once; others are only counted."""
    in_span: int
    """So many records an hour at most."""


OF_STRANGERS = Bound(first=20, in_span=240)
"""Of requests whose sender is not known: about 100 KB an hour."""

OF_PEOPLE = Bound(first=60, in_span=1_000)
"""Of people who lack a role."""

ELSEWHERE = "several addresses"


class Knock(NamedTuple):
    """What makes refusals the same: from where, by whom, why, and of a person at what."""

    address: str
    person: str
    reason: str
    what: str


class Refusals:
    """Decides which refusals become records. It keeps counts of one minute, and no more keys than it records."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._began: datetime | None = None
        self._spans: list[datetime] = []
        self._seen: dict[Knock, AuditEntry] = {}
        self._repeats: Counter[Knock] = Counter()
        self._others = 0

    def note(self, entry: AuditEntry) -> list[AuditEntry]:
        """Return the records to write now that something was refused: those of a minute that is over, and this one."""
        due = self.due(entry.at)
        self._began = self._began or entry.at
        knock = _knock(entry)
        if knock in self._seen:
            self._repeats[knock] += 1
            return due
        if len(self._seen) >= self._bound.first or not self._has_room(entry.at):
            self._others += 1
            return due
        self._seen[knock] = entry
        self._spans.append(entry.at)
        return [*due, entry]

    @property
    def are_counted(self) -> bool:
        """Whether something was counted that no record tells of yet."""
        return self._others > 0 or bool(self._repeats)

    def due(self, now: datetime, *, is_last: bool = False) -> list[AuditEntry]:
        """Return the counts of a minute that is over, as records; at the end of a server those of the running one.

        What does not fit into the hour is counted on, and is told of when there is room.
        """
        if self._began is None or (now < self._began + WINDOW and not is_last):
            return []
        told: list[AuditEntry] = []
        for knock, count in self._repeats.items():
            if is_last or self._has_room(now):
                told.append(_again(self._seen[knock], count, now))
                self._spans.append(now)
            else:
                self._others += count
        if self._others and (is_last or self._has_room(now)):
            told.append(_elsewhere(self._others, now))
            self._spans.append(now)
            self._others = 0
        self._began, self._seen = (now if self._others else None), {}
        self._repeats.clear()
        return told

    def _has_room(self, now: datetime) -> bool:
        self._spans = [at for at in self._spans if now - at < SPAN]
        return len(self._spans) < self._bound.in_span


def _knock(entry: AuditEntry) -> Knock:
    what = f"{entry.action} {entry.target}" if entry.person else ""
    return Knock(entry.address, entry.person, _kind(entry.reason), what)


def _kind(reason: str) -> str:
    return reason.partition(":")[0]


def _again(first: AuditEntry, count: int, now: datetime) -> AuditEntry:
    reason = f"{_kind(first.reason)}: {count} more within a minute"
    return first.model_copy(update={"at": now, "reason": reason})


def _elsewhere(count: int, now: datetime) -> AuditEntry:
    return AuditEntry(
        at=now,
        person="",
        address=ELSEWHERE,
        door=Door.API,
        action="refused again",
        result=AuditResult.REFUSED,
        reason=f"{count} more requests were refused than are recorded one by one",
    )
