"""What Temporal's "Request cancellation" does: the command of ours that it stands for."""

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar, TypeVar

from temporalio import workflow

from domain.core.command import Command
from workflows.patches import CANCELLATION_IS_A_COMMAND

BY = "Temporal"
"""Who is said to have asked: Temporal tells a workflow no names."""

R = TypeVar("R")


class Cancelling:
    """The part of a loop that takes a request for cancellation, of which a run gets one.

    `cancels` is the command that it stands for. What a workflow must do to its end it does `through`.
    """

    cancels: ClassVar[type[Command]]
    _is_requested = False

    def note(self, door: type[Command], raw: Any) -> None:
        """Record a signal; the loop takes it."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Do what a request for cancellation asks: who may send one, Temporal decides."""
        self.note(self.cancels, {"by": BY, "addressed_to": workflow.info().workflow_id})

    def take_cancellation(self) -> bool:
        """Take what has just cancelled this workflow; returns False where it is no new request."""
        if self._is_requested or workflow.cancellation_reason() is None:
            return False
        # a run of before ended by it, with all that it had started left as it was
        if not workflow.patched(CANCELLATION_IS_A_COMMAND):
            return False
        self._is_requested = True
        self.cancel()
        return True

    async def through(self, work: Coroutine[Any, Any, R]) -> R:
        """Do something to its end, whatever is requested meanwhile."""
        task = asyncio.create_task(work)
        while True:
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                if task.cancelled() or not self.take_cancellation():
                    raise
