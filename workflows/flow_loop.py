"""What the effects of a run work on: its loop, its input, and the sessions that were started."""

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
