"""What remotes refuse: a branch of the tree in domain/core/errors.py."""

from domain.core.errors import TreadleError


class PushError(TreadleError):
    """The remote refused a push; the message says why and what to do."""

    type = "push_refused"
    status = 502


class PushNotThroughError(PushError):
    """The remote does not answer; retrying is safe."""

    type = "push_not_through"
    is_retryable = True
