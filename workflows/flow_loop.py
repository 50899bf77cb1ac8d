"""What the effects of a run work on: its loop, its input, and the sessions that were started."""

from temporalio import workflow

from domain.core.command import Command
from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.wire import Wire
from domain.flows import rules
from domain.flows.evolution import evolve
from domain.flows.inputs import FlowInput
from domain.flows.state import FlowState
from workflows.loop import Loop
from workflows.outbox import Outbox


class FlowLoop(Loop[FlowState]):
    """The loop of a run; `busy` are effects in a moment that the next run could not take up.

    `is_going` is set when the run's events are about to be removed, `ending` says how it ended.
    """

    def __init__(self, flow: FlowInput) -> None:
        stream = flow.run_id
        super().__init__(
            Outbox(stream, stream, flow.events_so_far, flow.effects_so_far), flow.answered
        )
        self.input = flow
        self._state = flow.state
        self.started = set(flow.started)
        self.busy: set[str] = set()
        self.is_going = False
        self.ending = ""

    def decide(self, command: Wire) -> Decided:
        """See domain/flows/rules.py."""
        return rules.decide(self._state, command, workflow.now())

    def evolve(self, event: EventBody) -> FlowState:
        """See domain/flows/evolution.py."""
        return evolve(self._state, event)

    def _start_flush(self) -> None:
        if not self.is_going:  # after a run's events were removed, none may be journaled
            super()._start_flush()

    def is_signalled(self, door: type[Command]) -> bool:
        """Tell whether a signal of this kind waits for the loop."""
        return any(waiting is door for waiting, _ in self._signals)
