"""What forges and trackers refuse: a branch of the tree in domain/core/errors.py."""

from datetime import timedelta

from domain.core.errors import TreadleError


class ForgeError(TreadleError):
    """The forge refused; the message says what, why and what to do."""

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


class ForgeAccessError(ForgeError):
    """The token is missing, wrong, expired, or has too narrow a scope."""

    type = "forge_access"


class ForgeGoneError(ForgeError):
    """The project, pull request or issue was deleted, moved, archived, or is hidden from the token."""

    type = "forge_gone"


class ForgeConflictError(ForgeError):
    """What was asked no longer fits: another head, a closed pull request, a protected branch."""

    type = "forge_conflict"
