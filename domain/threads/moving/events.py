"""Events of a thread's moves between hosts."""

from typing import Literal

from domain.core.event import EventBody


class ThreadMoved(EventBody):
    """The work of a thread goes on at another host; what its last one does now is not taken any more."""

    kind: Literal["thread_moved"] = "thread_moved"
    from_host: str
    to_host: str
    generation: int
    reason: str = ""


class MoveSpread(EventBody):
    """The sessions and tasks of a thread know where they go on."""

    kind: Literal["move_spread"] = "move_spread"
    generation: int
