"""Rules of the moves of a run: the newest one counts, and whatever works for the run hears of it."""

from collections.abc import Iterator

from domain.core.decisions import Decided
from domain.core.moves import HostMove
from domain.core.wire import Wire
from domain.flows.effects import FlowEffect, SpreadFlowMove
from domain.flows.moving.events import FlowMoved, FlowMoveSpread
from domain.flows.registry import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus


class EndFlowSpread(Wire):
    """All conversations and child runs were told of a move."""

    generation: int


@FLOW_RULES.handles
def move_flow(command: HostMove, state: FlowState) -> Decided:
    if state.status is FlowStatus.OPENING or command.generation <= state.moves:
        return Decided()
    moved = FlowMoved(
        from_host=state.host,
        to_host=command.host,
        generation=command.generation,
        reason=command.reason,
    )
    return Decided((moved,))


@FLOW_RULES.handles
def end_flow_spread(command: EndFlowSpread, state: FlowState) -> Decided:
    is_known = command.generation <= state.spread_moves
    return Decided() if is_known else Decided((FlowMoveSpread(generation=command.generation),))


@FLOW_RULES.evolves
def apply_flow_moved(event: FlowMoved, state: FlowState) -> FlowState:
    return state.model_copy(update={"host": event.to_host, "moves": event.generation})


@FLOW_RULES.evolves
def apply_flow_move_spread(event: FlowMoveSpread, state: FlowState) -> FlowState:
    return state.model_copy(update={"spread_moves": event.generation})


@FLOW_RULES.requires
def spread_flow_move(state: FlowState) -> Iterator[FlowEffect]:
    if state.spread_moves < state.moves:
        yield SpreadFlowMove(move=HostMove(host=state.host, generation=state.moves))
