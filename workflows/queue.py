"""QueueWorkflow: plans and flow runs that wait for their place."""  # noqa: A005 (it is none of the standard library's)

import asyncio
import hashlib
from functools import partial
from typing import Any, cast

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.exceptions import is_cancelled_exception as is_cancelled
from temporalio.workflow import ActivityConfig

from activities.queueing import Queueing
from activities.standings import Following
from domain.core.decisions import Decided
from domain.core.errors import TreadleError
from domain.core.event import EventBody, Headline
from domain.core.seals import Unsealed
from domain.core.wire import Wire
from domain.queue import rules
from domain.queue.commands import EnqueueScheduled
from domain.queue.entry import QueueEntry
from domain.queue.events import EntrySkipped, QueueOpened
from domain.queue.evolution import evolve
from domain.queue.inputs import QUEUE, NoteStart, QueueInput, standings_call, start_call
from domain.queue.state import QueueState
from domain.reading.commands import QUEUE_COMMANDS
from domain.reading.queue import details, headline_words
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors, told
from workflows.loop import Loop, Start
from workflows.outbox import Outbox
from workflows.starts import check_start

FOLLOW = "follow:"


@workflow.defn(name="Queue")
@doors(*QUEUE_COMMANDS)
class QueueWorkflow(Loop[QueueState]):
    """The one queue; it lives for ever."""

    @workflow.init
    def __init__(self, queue: QueueInput) -> None:
        # its id is no secret: one that nobody of ours began must end, not block its place
        self._is_ours = not isinstance(cast("object", queue), Unsealed)
        queue = queue if self._is_ours else QueueInput()
        # one that was terminated may be started anew: its events must not have the old one's ids
        prefix = f"{QUEUE}:{workflow.info().first_execution_run_id}"
        outbox = Outbox(QUEUE, prefix, queue.events_so_far, queue.effects_so_far)
        super().__init__(outbox, queue.answered)
        self._input = queue
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
        carried = {
            "carried": self._state,
            "events_so_far": self._outbox.numbered,
            "effects_so_far": self._outbox.loads,
            "answered": self._answered,
        }
        workflow.continue_as_new(queue.model_copy(update=carried))

    @workflow.signal(name="enqueue_scheduled")
    def enqueue_scheduled(self, *payloads: Any) -> None:
        """A schedule is due; told by its workflow."""
        if (due := told(EnqueueScheduled, payloads)) is None:
            return
        try:
            self.submit(due)
        except TreadleError as error:
            entry = due.entry
            skipped = EntrySkipped(
                series=entry.series, entry_id=entry.entry_id, reason=error.message
            )
            self.record((skipped,))

    # --- the loop's questions

    def decide(self, command: Wire) -> Decided:
        """See domain/queue/rules.py."""
        return rules.decide(self._state, command)

    def evolve(self, event: EventBody) -> QueueState:
        """See domain/queue/evolution.py."""
        return evolve(self._state, event)

    @property
    def is_over(self) -> bool:
        """The queue is never over."""
        return False

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect that is under way."""
        return key.startswith(FOLLOW)

    def is_carrier(self, key: str) -> bool:
        """Tell whether an effect ends soon, and another follows that carries events."""
        return key.startswith("start:")

    def effects(self) -> dict[str, Start]:
        """What must be under way, as the rules say."""
        work = rules.todo(self._state)
        wanted: dict[str, Start] = {
            f"start:{entry.entry_id}:{entry.attempt}": partial(self._start, entry)
            for entry in work.starting
        }
        if work.is_following:
            wanted[self._follow_key] = self._follow
        return wanted

    def cancellations(self) -> set[str]:
        """Looks at what is no longer asked."""
        wanted = {self._follow_key} if rules.todo(self._state).is_following else set[str]()
        return {key for key in self._under_way if key.startswith(FOLLOW)} - wanted

    @property
    def _follow_key(self) -> str:
        names = "\n".join((*self._state.own, "", *self._state.needed))
        return f"{FOLLOW}{hashlib.sha256(names.encode()).hexdigest()}"

    async def _start(self, entry: QueueEntry) -> None:
        result = await self.run_activity(Queueing.start_queued, start_call(entry), options.OPEN)
        self.submit(NoteStart(entry_id=entry.entry_id, attempt=entry.attempt, result=result))

    async def _follow(self) -> None:
        """Wait until the others stand otherwise; without the outbox, for it may last for days."""
        call = standings_call(self._state)
        named: ActivityConfig = {**options.FOLLOW, "activity_id": self._outbox.number_effect()}
        try:
            news = await workflow.execute_activity_method(Following.follow_standings, call, **named)
        except (asyncio.CancelledError, ActivityError) as error:
            if not is_cancelled(error):
                raise
            return  # something else is asked now
        if self.is_genuine(news):
            self.submit(news)

    def show(self) -> None:
        """Put the headline, the details and the attributes right."""
        status, waiting_for = headline_words(self._state)
        self._outbox.show(
            Headline(
                stream=QUEUE, kind="queue", title="queue", status=status, waiting_for=waiting_for
            )
        )
        self._shown.show(status, waiting_for, details(self._state))
