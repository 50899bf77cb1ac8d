"""The loop of a thread or of a run of a flow: it opens its repository first, unless it is given up before."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.workflow import ActivityConfig

from domain.core.command import Answer, Command
from domain.core.effects import Effect
from domain.core.errors import WrongStateError
from domain.core.inputs import WorkflowInput
from domain.core.wire import Wire
from domain.hosts.errors import HostSilentError
from workflows import options
from workflows.effect_loop import E, EffectLoop
from workflows.failures import is_unbegun
from workflows.loop import S

A = TypeVar("A")
C = TypeVar("C", bound=Effect)
R = TypeVar("R", bound=Wire)


class OpeningLoop(EffectLoop[S, E], Generic[S, E]):
    """A loop that takes commands once it is open, and lives until it is deleted.

    `started` names what was started as workflows of their own. `is_deleting` is set when the events
    are about to be removed, `ending` says how it ended. `cancels` also ends one which is not open yet,
    `given_up` says that it did.
    """

    given_up: ClassVar[str]

    def __init__(self, given: WorkflowInput, stream: str, started: tuple[str, ...]) -> None:
        super().__init__(given, stream)
        self.started = set(started)
        self.is_deleting = False
        self.ending = ""
        self._refusal: ApplicationError | None = None

    @property
    def is_open(self) -> bool:
        """Whether it has opened."""
        raise NotImplementedError

    def describe(self) -> Answer:
        """Return what is answered to who waits until it is open."""
        raise NotImplementedError

    # --- opening

    async def opening(self, method: Callable[[A, C], Awaitable[R]], call: C) -> R | None:
        """Return what was found in the repository; None where it was refused or given up.

        What keeps a repository from being looked at (its disk is gone) is tried without end.
        """
        found = await self.attempt(method, call, options.GIT)
        if isinstance(found, ApplicationError):
            self.refuse(found)
            return None
        return found

    async def attempt(
        self, method: Callable[[A, C], Awaitable[R]], call: C, how: ActivityConfig
    ) -> R | ApplicationError | None:
        """Return what was found, why it was refused, or None where it was given up.

        A host that does not begin in time refuses by `host_silent`.
        """
        looking = asyncio.create_task(self.run_activity(method, call, how))
        try:
            await workflow.wait_condition(lambda: looking.done() or self._is_given_up)
        except asyncio.CancelledError:
            if not self.take_cancellation():
                raise
        if not looking.done():
            looking.cancel()
            with suppress(asyncio.CancelledError, ActivityError):
                await looking
            self.give_up("")
            return None
        try:
            return await looking
        except ActivityError as error:
            if isinstance(error.cause, ApplicationError):
                return error.cause
            if not is_unbegun(error):
                raise
            words = "the host did not begin with it in time"
            return ApplicationError(words, type=HostSilentError.type, non_retryable=True)

    def refuse(self, error: ApplicationError) -> None:
        """Do not open, for a reason; the first one counts."""
        self._refusal = self._refusal or error

    def give_up(self, by: str) -> None:
        """Do not open, as a person said so."""
        words = self.given_up.format(by=f" by {by or 'a person'}")
        self.refuse(ApplicationError(words, type=WrongStateError.type, non_retryable=True))

    @property
    def is_opening(self) -> bool:
        """Whether it is neither open nor refused."""
        return self._refusal is None and not self.is_open

    @property
    def _is_given_up(self) -> bool:
        is_signalled = any(door is self.cancels for door, _ in self._signals)
        return self._refusal is not None or is_signalled

    async def opened(self) -> None:
        """Wait until it is open, or refused."""
        await workflow.wait_condition(lambda: not self.is_opening)

    @workflow.update(name="open")
    async def open(self, *_: Any) -> Answer:
        """Wait until it is open; answers what was found, or why it was refused."""
        await self.opened()
        if self._refusal is not None:
            raise ApplicationError(
                self._refusal.message, type=self._refusal.type, non_retryable=True
            )
        await workflow.wait_condition(lambda: self._outbox.is_empty)
        return self.describe()

    async def take(self, command: Command) -> Answer:
        """Take a command from a door once it is open; one that is given up before never opens."""
        if isinstance(command, self.cancels) and self.is_opening:
            self.give_up(command.by)
            return Answer(message=self.given_up.format(by=""))
        await self.opened()
        return await super().take(command)

    # --- living

    async def live_until_deleted(self) -> str:
        """Take commands until it is deleted; returns how it ended, or why it was not opened."""
        if self._refusal is not None:
            await workflow.wait_condition(workflow.all_handlers_finished)
            return f"not opened: {self._refusal.message}"
        if await self.live():
            self.carry_over(started=tuple(sorted(self.started)))
        await self.through(self.drain())
        return self.ending

    @property
    def is_over(self) -> bool:
        """It is never over by itself, only when it was deleted."""
        return bool(self.ending)

    def _start_flush(self) -> None:
        if not self.is_deleting:  # after the events were removed, none may be journaled
            super()._start_flush()
