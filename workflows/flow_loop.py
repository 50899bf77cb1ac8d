"""What the effects of a run work on: its loop, its input, and the sessions that were started."""

from domain.core.ids import host_queue
from domain.core.moves import HostMove
from domain.flows.effects import FlowEffect
from domain.flows.inputs import FlowInput
from domain.flows.person_commands import StopFlow
from domain.flows.rules import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus
from workflows.opening import OpeningLoop


class FlowLoop(OpeningLoop[FlowState, FlowEffect]):
    """The loop of a run; `busy` are effects in a moment that the next run could not take up."""

    rules = FLOW_RULES
    cancels = StopFlow
    given_up = "stopped{by} before it began"

    def __init__(self, flow: FlowInput) -> None:
        super().__init__(flow, flow.run_id, flow.started)
        self.input = flow
        self._state = flow.state
        self.busy: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether it has begun."""
        return self._state.status is not FlowStatus.OPENING

    @property
    def generation(self) -> int:
        """How often the run has moved to another host."""
        return self._state.moves

    def move(self, move: HostMove) -> None:
        """Go on at another host, with what is under way on this one; an older move changes nothing."""
        if self.is_open and move.generation > self.generation:
            self.submit(move)
            self._hosting.move(host_queue(move.host))
