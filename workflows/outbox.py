"""Events on their way from a workflow to the journal, in order and each once.

Every activity that a workflow starts carries all events that are not known to be journaled, oldest
first; the worker journals them before the activity's own work. Carried twice is journaled once, by
the event's id. So the journal's order is the workflow's order, whichever carrier arrives first, and
only what a history has recorded is ever journaled (docs/adr/0004).
"""

from collections.abc import Sequence
from typing import Self

from temporalio import workflow

from domain.conversations.events import TurnEnded
from domain.core.event import Event, EventBody, Headline, QuotedBody
from domain.core.ids import EventId, StreamId
from domain.core.inputs import Undelivered, WorkflowInput
from domain.core.wire import size_bytes
from domain.tasks.events import VerificationStepEnded

MAX_LOAD_BYTES = 1_000_000
"""What one carrier takes; Temporal's payloads end at two megabytes."""

MAX_UNDELIVERED_BYTES = 250_000
"""What one run leaves to the next to journal; its state is in the same payload."""

MAX_TITLE = 1_000
"""Characters of a headline's texts: every carrier brings it."""


class Outbox:
    """The events of one stream that wait for the journal."""

    def __init__(self, stream: str, prefix: str, numbered: int = 0, loads: int = 0) -> None:
        self._stream = StreamId(stream)
        self._prefix = prefix
        self.numbered = numbered
        self.loads = loads
        self._waiting: list[Event] = []
        self._journaled = 0
        self._carried = 0
        self._headline: Headline | None = None
        self._is_headline_new = False
        self._forwarded: list[tuple[int, Headline]] = []
        # the effects of a first run are numbered as Temporal would do it, as in its old histories
        self._effects = "" if prefix in {stream, f"{stream}.1"} else f"{prefix}:"

    @classmethod
    def of(cls, given: WorkflowInput, stream: str, prefix: str) -> Self:
        """Return the outbox of a run, with what the run before it did not get to journal."""
        outbox = cls(stream, prefix, given.events_so_far, given.effects_so_far)
        outbox.forward(given.undelivered.events, given.undelivered.forwarded)
        if given.undelivered.headline is not None:
            outbox.show(given.undelivered.headline)
        return outbox

    def number_effect(self) -> str:
        """Return the id of the activity that starts next; no other of this workflow id has it.

        Results are sealed to it, so an earlier one cannot be passed off as a later one.
        """
        self.loads += 1
        return f"{self._effects}{self.loads}"

    def add(self, bodies: Sequence[EventBody]) -> None:
        """Put in new events of this stream."""
        for body in bodies:
            self.numbered += 1
            event = Event(id=self._id_of(body), stream=self._stream, at=workflow.now(), body=body)
            self._waiting.append(event)

    def forward(self, events: Sequence[Event], headlines: Sequence[Headline]) -> None:
        """Put in what another workflow did not get to journal."""
        self._waiting.extend(events)
        mark = self._journaled + len(self._waiting) + (0 if events else 1)
        self._forwarded.extend((mark, headline) for headline in headlines)

    def show(self, headline: Headline) -> None:
        """Replace the stream's headline."""
        if headline != self._headline:
            self._headline = headline
            self._is_headline_new = True

    def _id_of(self, body: EventBody) -> EventId:
        # the activities of turns and steps journal these ends as well, under the same ids
        if isinstance(body, TurnEnded) and body.session_id == self._stream:
            return EventId(f"{body.result.turn_id}:ended")
        if isinstance(body, VerificationStepEnded):
            return self.step_id(body.attempt, body.result.step_id)
        if isinstance(body, QuotedBody) and body.quoted_as:
            return body.quoted_as
        return EventId(f"{self._prefix}.{self.numbered}")

    def step_id(self, attempt: int, step: str) -> EventId:
        """Return the id of the event that ends a verification step."""
        return EventId(f"{self._prefix}:step:{attempt}:{step}")

    @property
    def is_idle(self) -> bool:
        """Whether no event waits that nobody carries."""
        return self._carried == self._journaled + len(self._waiting) and not self._is_headline_new

    @property
    def is_empty(self) -> bool:
        """Whether every event is known to be journaled."""
        return not self._waiting and not self._is_headline_new

    @property
    def waiting(self) -> tuple[Event, ...]:
        """The events that are not known to be journaled."""
        return tuple(self._waiting)

    @property
    def headlines(self) -> tuple[Headline, ...]:
        """The headline to journal with the events."""
        own = (self._headline,) if self._headline else ()
        return (*(headline for _, headline in self._forwarded), *own)

    @property
    def can_be_left(self) -> bool:
        """Whether the next run can journal what this one did not."""
        return sum(map(size_bytes, self._waiting)) <= MAX_UNDELIVERED_BYTES

    def carried(self) -> dict[str, object]:
        """Return the part of the next run's input that `of` reads: numbers, and what it journals."""
        undelivered = Undelivered(
            events=self.waiting,
            headline=None if self.is_empty else self._headline,
            forwarded=tuple(headline for _, headline in self._forwarded),
        )
        return {
            "events_so_far": self.numbered,
            "effects_so_far": self.loads,
            "undelivered": undelivered,
        }

    def load(self) -> tuple[tuple[Event, ...], int]:
        """Return waiting events for a carrier, and the mark to give back when it arrived.

        All of them, or as many of the oldest as one payload of Temporal's takes.
        """
        self._is_headline_new = False
        load, size = list[Event](), 0
        for event in self._waiting:
            size += size_bytes(event)
            if load and size > MAX_LOAD_BYTES:
                break
            load.append(event)
        mark = self._journaled + len(load)
        self._carried = max(self._carried, mark)
        return tuple(load), mark

    def arrived(self, mark: int) -> None:
        """Forget what a carrier has brought to the journal."""
        if mark > self._journaled:
            del self._waiting[: mark - self._journaled]
            self._journaled = mark
            self._forwarded = [(m, headline) for m, headline in self._forwarded if m > mark]
