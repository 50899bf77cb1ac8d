"""Where a turn of a flow stands in it."""

from domain.core.wire import Wire


class FlowPlace(Wire):
    """Where a turn of a flow stands in it, as people see it; indexes and iterations begin at 0."""

    execution: int = 1
    step_index: int
    total_steps: int
    loop_depth: int = 0
    iteration: int = 0
    label: str = ""
    agent_type: str = ""
    identifier: str = ""
