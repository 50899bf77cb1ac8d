"""Activities that carry events to the journal, and whose results must be of a worker of ours."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig

from domain.core.effects import Effect
from domain.core.event import EventBody
from domain.core.notices import ResourceWarned
from domain.core.seals import UNSEALED_FAILURE, Unsealed
from workflows import options
from workflows.outbox import Outbox

A = TypeVar("A")
C = TypeVar("C", bound=Effect)
R = TypeVar("R")


class Carrying:
    """The part of a loop that runs activities."""

    _outbox: Outbox

    def record(self, events: Sequence[EventBody]) -> None:
        """Fold events and put them on their way to the journal."""
        raise NotImplementedError

    async def run_activity(
        self,
        method: Callable[[A, C], Awaitable[R]],
        call: C,
        how: ActivityConfig,
    ) -> R:
        """Run an activity that carries the outbox; again, while what ends it is none of ours."""
        while True:
            number = self._outbox.number_effect()
            events, mark = self._outbox.load()
            load = {"headlines": self._outbox.headlines, "order": self._outbox.loads}
            carried = call.model_copy(update={"events": events, **load})
            named = options.named(how, number, carried)
            try:
                result = await workflow.execute_activity_method(method, carried, **named)
            except ActivityError as error:
                if getattr(error.cause, "type", None) != UNSEALED_FAILURE:
                    raise
                self.is_genuine(None)
                continue
            if self.is_genuine(result):
                self._outbox.arrived(mark)
                return result

    def is_genuine(self, result: object) -> bool:
        """Tell whether a worker of ours made a result; people are warned of one that none made.

        No activity of ours answers with nothing, so nothing is not ours either.
        """
        if result is not None and not isinstance(result, Unsealed):
            return True
        words = "a result that no worker of Treadle reported was refused; what it was of runs again"
        self.record((ResourceWarned(message=words),))
        return False
