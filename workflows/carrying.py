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
from workflows.hosting import HostActivities
from workflows.outbox import Outbox

A = TypeVar("A")
C = TypeVar("C", bound=Effect)
R = TypeVar("R")


class Carrying:
    """The part of a loop that runs activities."""

    _outbox: Outbox
    _hosting: HostActivities

    @property
    def generation(self) -> int:
        """How often the workflow has moved to another host."""
        return 0

    async def called_again(self, call: C) -> C:
        """Return what an activity is called with on another host, for one that was lost with its own."""
        return call

    def was_cut_short(self, result: object) -> bool:
        """Tell whether a result is only that of the activity's cancellation, as its workflow moved."""
        del result
        return False

    def record(self, events: Sequence[EventBody]) -> None:
        """Fold events and put them on their way to the journal."""
        raise NotImplementedError

    async def run_activity(
        self,
        method: Callable[[A, C], Awaitable[R]],
        call: C,
        how: ActivityConfig,
    ) -> R:
        """Run an activity that carries the outbox.

        It runs again while what ends it is none of ours, and on another host where the workflow moves there.
        """
        hosting = self._hosting
        while True:
            number = self._outbox.number_effect()
            events, mark = self._outbox.load()
            load = {"headlines": self._outbox.headlines, "order": self._outbox.loads}
            load |= {"generation": self.generation}
            carried = call.model_copy(update={"events": events, **load})
            named = options.named(hosting.placed(how), number, carried)
            handle = workflow.start_activity_method(method, carried, **named)
            with hosting.running(handle, named) as run:
                try:
                    result = await handle
                except ActivityError as error:
                    if run.begins_again:
                        call = await self.called_again(call)
                        continue
                    if getattr(error.cause, "type", None) != UNSEALED_FAILURE:
                        raise
                    self.is_genuine(None)
                    continue
            if run.begins_again and self.was_cut_short(result):
                call = await self.called_again(call)
            elif self.is_genuine(result):
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
