"""Where the rules of a run of a flow are registered; domain/flows/rules.py imports all that register some."""

from domain.core.kernel import Rules
from domain.flows.effects import FlowEffect
from domain.flows.state import FlowState

FLOW_RULES = Rules[FlowState, FlowEffect]("a run of a flow")
