"""What the queue refuses: a branch of the tree in domain/errors.py."""

from domain.errors import ConflictError


class QueueFullError(ConflictError):
    """The queue holds as much as it takes."""

    type = "queue_full"
