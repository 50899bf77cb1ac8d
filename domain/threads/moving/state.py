"""Where a thread is, as far as it has moved."""

from domain.core.wire import Wire


class Moving(Wire):
    """How often a thread has moved, and the last move that its sessions and tasks know of."""

    generation: int = 0
    spread: int = 0
