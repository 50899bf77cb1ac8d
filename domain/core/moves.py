"""The move of a workflow's work to another host."""

from pydantic import Field

from domain.core.wire import Wire


class HostMove(Wire):
    """A thread's work goes on at `host`; of two moves of one thread the one with the larger `generation` counts."""

    host: str
    generation: int = Field(ge=1)
    reason: str = ""
