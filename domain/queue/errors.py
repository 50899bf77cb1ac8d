"""What the queue refuses: a branch of the tree in domain/core/errors.py."""

from domain.core.errors import ConflictError


class QueueFullError(ConflictError):
    """The queue is full."""

    type = "queue_full"
