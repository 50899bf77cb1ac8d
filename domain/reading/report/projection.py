"""One stream of the journal folded to what a report counts of it."""

from datetime import datetime

from domain.core.damage_events import EventDamaged
from domain.core.event import EventBody
from domain.reading.damage import left_out
from domain.reading.report import flow_runs, plans, queued, trials, turns, verification, waits
from domain.reading.report.flow_runs import end_of_flow
from domain.reading.report.plans import end_of_plan
from domain.reading.report.state import RULES, StreamState
from domain.reading.report.tally import Book, Tally

REGISTERED = (flow_runs, plans, queued, turns, trials, verification, waits)
"""The modules whose rules are carried out; importing them registers them."""

KINDS = frozenset(event.model_fields["kind"].default for event in RULES)
"""The kinds of events that count for anything; a reader leaves out all others."""


def is_counted(stream: str) -> bool:
    """Tell whether a stream has anything to count.

    What sessions of a task do is told in the task's stream as well, where it is counted once.
    """
    return stream.count("/") <= 1


class StreamFold:
    """One stream; only what happened at `since` or later is counted, all before is followed.

    With a `project` (a folder, or its last name) only that is counted of the queue. Calendar months are those of
    the time zone.
    """

    def __init__(self, since: datetime | None = None, project: str = "", zone: str = "UTC") -> None:
        self._state = StreamState(Book(since), project, zone)
        self._damaged: list[EventDamaged] = []

    def add(self, body: EventBody, at: datetime) -> None:
        """Fold the next event of the stream."""
        if isinstance(body, EventDamaged):
            self._damaged.append(body)
        rules = RULES.get(type(body), ())
        self._state.book.at(at).events += bool(rules)
        for rule in rules:
            with left_out(self._damaged):
                rule(self._state, body, at)

    def end(self) -> Tally:
        """Count what has not ended, and return all that was counted; nothing may be added then."""
        end_of_plan(self._state)
        end_of_flow(self._state)
        kept = self._state.book.kept
        for cause, _ in self._state.waits.values():
            kept.open_waits[cause] += 1
        return kept
