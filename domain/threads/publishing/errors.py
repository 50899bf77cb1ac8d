"""What remotes and forges refuse: a branch of the tree in domain/errors.py."""

from datetime import timedelta

from domain.core.errors import TreadleError


class PushError(TreadleError):
    """The remote refused a push; the message says why and what to do."""

    type = "push_refused"
    status = 502


class PushNotThroughError(PushError):
    """The remote does not answer; retrying is safe."""

    type = "push_not_through"
    is_retryable = True


class ForgeError(TreadleError):
    """The forge refused a pull request; the message says why and what to do."""

    type = "forge_refused"
    status = 502


class ForgeBusyError(ForgeError):
    """The forge does not answer or limits requests; retry after `wait`, if given."""

    type = "forge_busy"
    status = 503
    is_retryable = True

    def __init__(self, message: str, wait: timedelta | None = None) -> None:
        super().__init__(message)
        self.wait = wait
