"""How a run of a flow reports its move to what works for it."""

from domain.flows.effects import SpreadFlowMove
from domain.flows.moving.rules import EndFlowSpread
from workflows.flow_effects import carries
from workflows.flow_loop import FlowLoop
from workflows.signalling import reaches


@carries
async def _spread(effect: SpreadFlowMove, flow: FlowLoop) -> None:
    """Signal all that was started; what has ended needs no move."""
    for name in sorted(flow.started):
        await reaches(name, "move_host", effect.move)
    flow.submit(EndFlowSpread(generation=effect.move.generation))
