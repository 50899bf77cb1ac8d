"""What remotes and forges refuse: a branch of the tree in domain/errors.py."""

from datetime import timedelta

from domain.core.errors import TreadleError


class PushError(TreadleError):
    """A remote refuses a push; the message says why and what to do."""

    type = "push_refused"
    status = 502


class PushNotThroughError(PushError):
    """A remote does not answer; pushing again is safe."""

    type = "push_not_through"
    is_retryable = True


class ForgeError(TreadleError):
    """A forge refuses a pull request; the message says why and what to do."""

    type = "forge_refused"
    status = 502


class ForgeBusyError(ForgeError):
    """A forge does not answer, or wants to be asked later: after `wait`, where it says so."""

    type = "forge_busy"
    status = 503
    is_retryable = True

    def __init__(self, message: str, wait: timedelta | None = None) -> None:
        super().__init__(message)
        self.wait = wait
