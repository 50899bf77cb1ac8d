"""QueueWorkflow: plans and flow runs that wait for their place."""  # noqa: A005 (it is none of the standard library's)

import asyncio
from collections.abc import Coroutine
from typing import Any, cast

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.exceptions import is_cancelled_exception as is_cancelled

from activities.queue_starts import QueueStarts
from activities.status_changes import StatusChanges
from domain.core.errors import TreadleError
from domain.core.event import Headline
from domain.core.seals import Unsealed
from domain.core.wire import Wire
from domain.queue.arrivals import EntryStanding, standing_of
from domain.queue.commands import EnqueueScheduled, HoldEntry
from domain.queue.effects import FollowOthers, QueueEffect, StartEntry
from domain.queue.entry import NewEntry, QueueEntry
from domain.queue.events import EntrySkipped, QueueOpened
from domain.queue.inputs import QUEUE, NoteStart, QueueInput, start_call, status_query
from domain.queue.rules import QUEUE_RULES
from domain.queue.state import QueueState
from domain.reading.queue import details as queue_details
from domain.reading.queue import headline_words
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors, receives
from workflows.effect_loop import EffectLoop
from workflows.starts import check_start


@workflow.defn(name="Queue")
@doors(*QUEUE_RULES.commands)
@receives(enqueue_scheduled=EnqueueScheduled)
class QueueWorkflow(EffectLoop[QueueState, QueueEffect]):
    """The one queue; it lives for ever."""

    rules = QUEUE_RULES
    cancels = HoldEntry

    @workflow.init
    def __init__(self, queue: QueueInput) -> None:
        # its id is no secret: one that nobody of ours began must end, not block its place
        self._is_ours = not isinstance(cast("object", queue), Unsealed)
        queue = queue if self._is_ours else QueueInput()
        # one that was terminated may be started anew: its events must not have the old one's ids
        prefix = f"{QUEUE}:{workflow.info().first_execution_run_id}"
        super().__init__(queue, QUEUE, prefix)
        self._state = queue.carried or QueueState(defaults=queue.defaults)
        self._shown = Shown("idle")
        if queue.carried is None:
            # a schedule's signal may come with the start, and is taken before `run`
            self.record((QueueOpened(defaults=queue.defaults),))

    @workflow.run
    async def run(self, queue: QueueInput) -> None:
        """Take commands for ever."""
        if not self._is_ours:
            raise ApplicationError("not started by Treadle", type="forbidden", non_retryable=True)
        is_carried = queue.carried is not None
        check_start(QUEUE, QUEUE, is_carried=is_carried, is_child=False)
        await self.live()
        self.carry_over()

    def receive(self, message: Wire) -> None:
        """Take an entry of a schedule that is due; where it is refused, that is recorded."""
        try:
            super().receive(message)
        except TreadleError as error:
            if not isinstance(message, EnqueueScheduled):
                raise
            entry = message.entry
            skipped = EntrySkipped(
                series=entry.series, entry_id=entry.entry_id, reason=error.message
            )
            self.record((skipped,))

    @workflow.query(name="standing")
    def standing(self, entry: NewEntry) -> EntryStanding:
        """Return whether the queue has an entry, or room for it."""
        return standing_of(self._state, entry)

    # --- the loop's questions

    @property
    def is_over(self) -> bool:
        """The queue is never over."""
        return False

    def carry_out(self, effect: QueueEffect) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect."""
        return self._start(effect.entry) if isinstance(effect, StartEntry) else self._follow()

    def must_stop(self, effect: QueueEffect) -> bool:
        """Tell whether an effect must stop: following what nobody waits for any longer."""
        return isinstance(effect, FollowOthers) and not self.is_required(effect)

    async def _start(self, entry: QueueEntry) -> None:
        result = await self.run_activity(QueueStarts.start_queued, start_call(entry), options.OPEN)
        self.submit(NoteStart(entry_id=entry.entry_id, attempt=entry.attempt, result=result))

    async def _follow(self) -> None:
        """Wait until the others stand otherwise; without the outbox, for it may last for days."""
        call = status_query(self._state)
        named = options.named(options.FOLLOW, self._outbox.number_effect(), call)
        try:
            news = await workflow.execute_activity_method(
                StatusChanges.follow_statuses, call, **named
            )
        except (asyncio.CancelledError, ActivityError) as error:
            if not is_cancelled(error):
                raise
            return  # something else is asked now
        if self.is_genuine(news):
            self.submit(news)

    def show(self) -> None:
        """Put the headline and the attributes right."""
        status, waiting_for = headline_words(self._state)
        self._outbox.show(
            Headline(
                stream=QUEUE, kind="queue", title="queue", status=status, waiting_for=waiting_for
            )
        )
        self._shown.show(status, waiting_for)

    def details(self) -> str:
        """Return what waits and what runs."""
        return queue_details(self._state)
