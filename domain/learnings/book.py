"""A repository's learnings, followed event by event of their stream."""

from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import singledispatchmethod

from domain.core.event import Event, EventBody
from domain.core.ids import ThreadId
from domain.core.wire import Wire
from domain.learnings.events import (
    LearningCited,
    LearningKept,
    LearningPinned,
    LearningRemoved,
    LearningsOffered,
    Origin,
    PromotionClaimed,
    PromotionDropped,
    PromotionMerged,
    PromotionStarted,
)
from domain.tasks.learnings import LearningKind

MAX_LEARNINGS = 1_000
"""Of one repository; beyond it, the one that would expire first is forgotten."""

MAX_ORIGINS = 10
MAX_THREADS = 500
"""Threads of which it is known what they were offered, used, or proposed; the newest."""

CLAIM = timedelta(minutes=2)
"""How long a thread that is being opened keeps others from promoting the same; then it may have been lost."""


class Standing(StrEnum):
    """What becomes of a learning: only what is `live` or `pinned` is offered."""

    LIVE = "live"
    PINNED = "pinned"
    EXPIRED = "expired"
    PROMOTING = "promoting"
    PROMOTED = "promoted"
    REMOVED = "removed"

    @property
    def is_offered(self) -> bool:
        """Whether planners and tasks are told of it."""
        return self in {Standing.LIVE, Standing.PINNED, Standing.PROMOTING}


class KeptLearning(Wire):
    """One learning; the same words from several tasks are one, with the newest `origins` last.

    `seen` counts the runs that learned it. `touched_at` is when it was last learned or used; `offered` counts
    prompts, `used` those that said that it helped: each thread once, and people.
    """

    learning_id: str
    text: str
    learning: LearningKind
    origins: tuple[Origin, ...]
    seen: int = 1
    touched_at: datetime
    offered: int = 0
    used: int = 0
    used_at: datetime | None = None
    used_in: tuple[ThreadId, ...] = ()
    pinned_by: str | None = None
    removed_by: str | None = None
    promotion: ThreadId = ThreadId("")
    promoted_as: str = ""
    """The commit that has it in AGENTS.md."""

    @property
    def is_decided(self) -> bool:
        """Whether a person said that it stays, or goes."""
        return self.pinned_by is not None or self.removed_by is not None

    @property
    def is_lasting(self) -> bool:
        """Whether it never expires: a person decided on it, or it is in AGENTS.md."""
        return self.is_decided or bool(self.promoted_as)

    def is_from_elsewhere(self, thread: ThreadId) -> bool:
        """Whether another thread has learned it too, or alone."""
        return any(origin.thread_id != thread for origin in self.origins)

    def expires_at(self, lifetime: timedelta) -> datetime | None:
        """Return when it is offered no more, unless somebody uses it; None where it does not expire."""
        return None if self.is_lasting else self.touched_at + lifetime

    def standing_at(self, now: datetime, lifetime: timedelta) -> Standing:
        """Return what becomes of it."""
        if self.removed_by is not None:
            return Standing.REMOVED
        if self.promoted_as:
            return Standing.PROMOTED
        expires = self.expires_at(lifetime)
        if expires is not None and expires <= now:
            return Standing.EXPIRED
        if self.promotion:
            return Standing.PROMOTING
        return Standing.LIVE if expires is not None else Standing.PINNED


class LearningBook:
    """The learnings of one repository, as its events tell of them."""

    def __init__(self, repository: str = "") -> None:
        self.repository = repository
        self._known: dict[str, KeptLearning] = {}
        self._offered: OrderedDict[ThreadId, set[str]] = OrderedDict()
        self._proposed: OrderedDict[ThreadId, set[str]] = OrderedDict()
        self._claims: OrderedDict[ThreadId, tuple[datetime, PromotionClaimed]] = OrderedDict()

    def add(self, event: Event) -> None:
        """Follow the next event of the stream; one of another kind changes nothing."""
        self._apply(event.body, event.at)

    def every(self) -> tuple[KeptLearning, ...]:
        """Return all learnings, the one that was touched last first."""
        return tuple(
            sorted(self._known.values(), key=lambda one: (one.touched_at, one.learning_id))[::-1]
        )

    def get(self, learning_id: str) -> KeptLearning | None:
        """Return a learning by its id."""
        return self._known.get(learning_id)

    def offerable(self, now: datetime, lifetime: timedelta) -> tuple[KeptLearning, ...]:
        """Return those that planners and tasks may be told of."""
        return tuple(one for one in self.every() if one.standing_at(now, lifetime).is_offered)

    def claimed_by(self, learning_id: str, now: datetime) -> ThreadId | None:
        """Return the thread that is being opened to promote a learning; None while there is none."""
        found = (
            thread
            for thread, (at, claim) in self._claims.items()
            if learning_id in claim.learning_ids and now < at + CLAIM
        )
        return next(found, None)

    @singledispatchmethod
    def _apply(self, body: EventBody, at: datetime) -> None:
        """Pass over what is no event of learnings, like one that is damaged."""

    @_apply.register
    def _kept(self, body: LearningKept, at: datetime) -> None:
        self.repository = body.project
        known = self._known.get(body.learning_id)
        if known is None:
            self._known[body.learning_id] = KeptLearning(
                learning_id=body.learning_id,
                text=body.text,
                learning=body.learning,
                origins=(body.origin,),
                touched_at=at,
            )
            self._bound()
            return
        others = [one for one in known.origins if not _is_same_run(one, body.origin)]
        self._change(
            body.learning_id,
            origins=(*others, body.origin)[-MAX_ORIGINS:],
            seen=known.seen + (len(others) == len(known.origins)),
            learning=body.learning,
            touched_at=max(at, known.touched_at),
        )

    def _bound(self) -> None:
        if len(self._known) <= MAX_LEARNINGS:
            return
        first = min(self._known.values(), key=lambda one: (one.is_lasting, one.touched_at))
        del self._known[first.learning_id]

    @_apply.register
    def _offered_to(self, body: LearningsOffered, at: datetime) -> None:
        del at
        _note(self._offered, body.thread_id, body.learning_ids)
        for one in self._of(body.learning_ids):
            self._change(one.learning_id, offered=one.offered + 1)

    @_apply.register
    def _cited(self, body: LearningCited, at: datetime) -> None:
        thread = body.thread_id
        told = self._offered.get(thread, set()) if thread else set(body.learning_ids)
        for one in self._of(body.learning_ids):
            if one.learning_id not in told or (thread and thread in one.used_in):
                continue
            used_in = (*one.used_in, thread)[-MAX_THREADS:] if thread else one.used_in
            touched = max(at, one.touched_at)
            changes = {"used_at": at, "used_in": used_in, "touched_at": touched}
            self._change(one.learning_id, used=one.used + 1, **changes)

    @_apply.register
    def _pinned(self, body: LearningPinned, at: datetime) -> None:
        for one in self._of((body.learning_id,)):
            pin, removed = (body.by, None) if body.is_pinned else (None, one.removed_by)
            changes = {
                "pinned_by": pin,
                "removed_by": removed,
                "touched_at": max(at, one.touched_at),
            }
            if body.is_pinned and one.promoted_as:  # AGENTS.md may not say it any more
                changes |= {"promoted_as": "", "promotion": ThreadId("")}
            self._change(one.learning_id, **changes)

    @_apply.register
    def _removed(self, body: LearningRemoved, at: datetime) -> None:
        del at
        for one in self._of((body.learning_id,)):
            self._change(one.learning_id, removed_by=body.by, pinned_by=None)

    @_apply.register
    def _claimed(self, body: PromotionClaimed, at: datetime) -> None:
        self._claims[body.thread_id] = (at, body)
        while len(self._claims) > MAX_THREADS:
            self._claims.popitem(last=False)

    @_apply.register
    def _dropped(self, body: PromotionDropped, at: datetime) -> None:
        del at
        self._claims.pop(body.thread_id, None)

    @_apply.register
    def _promoting(self, body: PromotionStarted, at: datetime) -> None:
        del at
        self._claims.pop(body.thread_id, None)
        _note(self._proposed, body.thread_id, body.learning_ids)
        for one in self._of(body.learning_ids):
            self._change(one.learning_id, promotion=body.thread_id)

    @_apply.register
    def _promoted(self, body: PromotionMerged, at: datetime) -> None:
        del at
        proposed = self._proposed.get(body.thread_id, set())
        for one in self._of(body.learning_ids):
            if one.learning_id in proposed and body.approved_by:
                changes = {"promotion": body.thread_id, "promoted_as": body.commit}
                self._change(one.learning_id, **changes)

    def _of(self, ids: Iterable[str]) -> list[KeptLearning]:
        return [self._known[name] for name in dict.fromkeys(ids) if name in self._known]

    def _change(self, learning_id: str, **changes: object) -> None:
        known = self._known[learning_id]
        self._known[learning_id] = known.model_copy(update=changes)


def _note(
    known: OrderedDict[ThreadId, set[str]], thread: ThreadId, learning_ids: Iterable[str]
) -> None:
    """Remember learnings of a thread, which then is the newest; the oldest threads are forgotten."""
    known.setdefault(thread, set()).update(learning_ids)
    known.move_to_end(thread)
    while len(known) > MAX_THREADS:
        known.popitem(last=False)


def _is_same_run(one: Origin, other: Origin) -> bool:
    return (one.thread_id, one.task_id, one.run) == (other.thread_id, other.task_id, other.run)
