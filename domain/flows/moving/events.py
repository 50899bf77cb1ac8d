"""Events of a run's moves between hosts."""

from typing import Literal

from domain.core.event import EventBody


class FlowMoved(EventBody):
    """A run goes on at another host; what its last one does now is not taken any more."""

    kind: Literal["flow_moved"] = "flow_moved"
    from_host: str
    to_host: str
    generation: int
    reason: str = ""


class FlowMoveSpread(EventBody):
    """The conversations and child runs of a run know where they go on."""

    kind: Literal["flow_move_spread"] = "flow_move_spread"
    generation: int
