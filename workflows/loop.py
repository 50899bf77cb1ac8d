"""The loop that every workflow of ours runs: commands in, events out, effects under way.

A workflow holds one frozen state. Whatever arrives is a command: its rules decide the events and fold
them, the outbox journals them, and the effects that the state requires are started, once, by key.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

from pydantic import ValidationError
from temporalio import workflow
from temporalio.exceptions import FailureError
from temporalio.exceptions import is_cancelled_exception as is_cancelled

from activities.journal import Journaling
from domain.core.answered import Outcome, Refusal
from domain.core.command import AgentCommand, Answer, Command
from domain.core.decisions import Decided
from domain.core.effects import Effect, JournalCall
from domain.core.errors import TreadleError
from domain.core.event import EventBody
from domain.core.ids import CommandId
from domain.core.inputs import WorkflowInput
from domain.core.kernel import Rules
from domain.core.notices import CommandRejected
from domain.core.wire import Wire
from workflows import options
from workflows.cancelling import Cancelling
from workflows.carrying import Carrying
from workflows.codes import check_sender
from workflows.doors import command_id_of, read, rejection
from workflows.history import HistoryLength
from workflows.hosting import HostActivities
from workflows.outbox import Outbox
from workflows.patience import Patience

FLUSH = "journal"

Start = Callable[[], Coroutine[Any, Any, None]]
S = TypeVar("S", bound=Wire)
A = TypeVar("A")
C = TypeVar("C", bound=Effect)
R = TypeVar("R")


class Loop(Carrying, Cancelling, Generic[S]):
    """One decider at work; subclasses are the workflows."""

    rules: ClassVar[Rules[Any, Any]]
    _state: S

    def __init__(self, given: WorkflowInput, stream: str, prefix: str = "") -> None:
        """Go on where `given` says; the ids of events begin with `prefix`, else with the stream's."""
        self._given = given
        self._outbox = Outbox.of(given, stream, prefix or stream)
        self._answered = given.answered
        self._history = HistoryLength()
        self._signals: list[tuple[type[Command], Any]] = []
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._is_changed = True
        self._cancelled: set[str] = set()
        self._patience = Patience()
        self._hosting = HostActivities()

    @property
    def state(self) -> S:
        """What is known now."""
        return self._state

    @property
    def outbox(self) -> Outbox:
        """The events on their way to the journal."""
        return self._outbox

    # --- what a subclass gives

    def decide(self, command: Wire) -> Decided:
        """Return the events of a command in the present state, now."""
        return self.rules.decide(self._state, command, workflow.now())

    def evolve(self, event: EventBody) -> S:
        """Return the state after an event."""
        return self.rules.evolve(self._state, event)

    def effects(self) -> dict[str, Start]:
        """Return what must be under way, by key; what is, is not started again."""
        raise NotImplementedError

    def cancellations(self) -> set[str]:
        """Return the keys of effects that must stop."""
        return set()

    @property
    def is_over(self) -> bool:
        """Whether the loop is to end."""
        raise NotImplementedError

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect that is under way."""
        del key
        return False

    def is_carrier(self, key: str) -> bool:
        """Tell whether an effect ends soon, and most often another follows that carries events."""
        del key
        return False

    @property
    def keeps_patience(self) -> bool:
        """Whether one timer bounds all waits for a carrier, and is never cancelled."""
        return False

    def show(self) -> None:
        """Show people its status: headline, search attributes."""

    def details(self) -> str:
        """Return where it stands, as Markdown: what the Web UI shows when somebody looks."""
        return ""

    def carried_state(self) -> S:
        """Return what the next run must know."""
        return self._state

    def receive(self, message: Wire) -> None:
        """Take a message of another workflow of ours; see `doors.receives`."""
        self.submit(message)

    def submit(self, command: Wire) -> Answer:
        """Decide a command and fold its events.

        Raises:
            TreadleError: It is refused; nothing has changed.
        """
        decided = self.decide(command)
        self.record(decided.events)
        return decided.answer

    def record(self, events: Sequence[EventBody]) -> None:
        """Fold events and put them on their way to the journal."""
        for event in events:
            self._state = self.evolve(event)
        self._outbox.add(events)
        self._is_changed = True
        self.show()

    async def take(self, command: Command) -> Answer:
        """Take a command from a door; one that came before, by its id, is answered as before.

        Raises:
            TreadleError: It is refused; nothing has changed.
        """
        await check_sender(command, self._outbox.number_effect)
        earlier = self._answered.answer_to(command)
        if earlier is not None:
            return earlier
        before = self._state
        answer = self.submit(command)
        if self._state is not before or not isinstance(command, AgentCommand):
            self._answered = self._answered.after(command, answer)
        return answer

    def note(self, door: type[Command], raw: Any) -> None:
        """Record a signal; the loop takes it."""
        self._signals.append((door, raw))
        self._is_changed = True

    async def _take_signals(self) -> None:
        while self._signals:
            door, raw = self._signals.pop(0)
            try:
                await self.take(read(door, raw))
            except (ValidationError, TreadleError) as error:
                self._refuse(rejection(door, error), raw)
            except (asyncio.CancelledError, FailureError) as error:
                if not is_cancelled(error) or not self.take_cancellation():
                    raise
                self._signals.insert(0, (door, raw))  # it was under way, and is taken again

    def _refuse(self, rejected: CommandRejected, raw: Any) -> None:
        """Tell of a signal that was refused; one of our own programs can be asked for."""
        self.record((rejected,))
        command_id = command_id_of(raw)
        if command_id:
            refusal = Refusal(type=rejected.type, message=rejected.reason)
            self._answered = self._answered.refusing(command_id, refusal)

    @workflow.query(name="outcome")
    def outcome(self, command_id: Any = None) -> Outcome:
        """Return what became of a command, by its id."""
        return self._answered.outcome(CommandId(command_id if isinstance(command_id, str) else ""))

    def _start_effects(self, *, is_draining: bool) -> None:
        wanted: dict[str, Start] = {} if is_draining else self.effects()
        fresh = {key: effect for key, effect in wanted.items() if key not in self._under_way}
        for key, effect in fresh.items():
            self._under_way[key] = asyncio.create_task(self._carry_out(key, effect()))
        # a task that is cancelled before it took a step never says that it has ended
        running = self._under_way.keys() - fresh.keys() - self._cancelled
        for key in sorted(self.cancellations() & running):
            self._cancelled.add(key)
            self._under_way[key].cancel()

    def _start_flush(self) -> None:
        if not self._outbox.is_idle and FLUSH not in self._under_way:
            self._under_way[FLUSH] = asyncio.create_task(self._carry_out(FLUSH, self._flush_rest()))

    async def _carry_out(self, key: str, effect: Coroutine[Any, Any, None]) -> None:
        try:
            await effect
        finally:
            self._is_changed = True
        del self._under_way[key]
        self._cancelled.discard(key)

    async def _flush_rest(self) -> None:
        """Carry what no effect carries; a carrier under way has a second, the next may take it."""
        if self._has_carrier and not self._outbox.is_idle:
            await self._patience.wait(
                lambda: self._outbox.is_idle or not (self._is_changed or self._has_carrier),
                is_shared=self.keeps_patience,
            )
        if not self._outbox.is_idle:
            await self._flush()

    @property
    def _has_carrier(self) -> bool:
        return any(self.is_carrier(key) for key in self._under_way)

    async def _flush(self) -> None:
        await self.run_activity(Journaling.append_events, JournalCall(), options.SHORT)

    async def live(self) -> bool:
        """Run until it is over, or (True) until the run must continue as new.

        Then nothing new is started, and all ends first but for what the next run can take up.
        """
        while not self.is_over:
            self._history.look(has_events=not self._outbox.is_empty)
            await self._take_signals()
            if self._must_continue:
                return True
            self._is_changed = False
            self._start_effects(is_draining=self._history.is_full)
            try:
                await asyncio.sleep(0)  # activities that start now take the outbox with them
                self._start_flush()
                await workflow.wait_condition(
                    lambda: self._is_changed or self._history.must_look or self._must_continue
                )
            except asyncio.CancelledError:
                if not self.take_cancellation():
                    raise
            self._raise_failures()
        return False

    @property
    def _must_continue(self) -> bool:
        """Whether it is time for a new run; refused updates alone bring it, at 2,000 they end."""
        can_leave = self._history.leaves_events and self._outbox.can_be_left
        if not self._history.is_full or self._signals or not (self._outbox.is_empty or can_leave):
            return False
        is_resumable = all(self.can_resume(key) for key in self._under_way)
        return is_resumable and workflow.all_handlers_finished()

    def _raise_failures(self) -> None:
        for task in self._under_way.values():
            if task.done() and (error := task.exception()) is not None:
                raise error

    def carry_over(self, **more: object) -> NoReturn:
        """Continue as new; the next run goes on with what is carried, and with `more` of its input."""
        carried = {
            "carried": self.carried_state(),
            "answered": self._answered,
            **self._outbox.carried(),
            **more,
        }
        workflow.continue_as_new(self._given.model_copy(update=carried))

    async def drain(self) -> None:
        """Cancel what is still under way, wait until it has ended, and for the handlers."""
        for key, task in self._under_way.items():
            if key != FLUSH:
                task.cancel()
        for task in list(self._under_way.values()):
            try:
                await task
            except (asyncio.CancelledError, FailureError) as error:
                # a signal that was not sent yet ends in an error of Temporal's own
                if not is_cancelled(error):
                    raise
        await workflow.wait_condition(workflow.all_handlers_finished)

    async def flush(self) -> None:
        """Wait until every event is journaled."""
        while not self._outbox.is_empty:
            await self._flush()
