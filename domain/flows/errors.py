"""What a run of a flow refuses."""

from domain.core.errors import ConflictError, InvalidError


class LoopMismatchError(ConflictError):
    """A run cannot be resumed inside a loop that is not open; the message says where it can."""

    type = "loop_mismatch"


class RunInProgressError(ConflictError):
    """A run goes on: it cannot be resumed as well."""

    type = "run_in_progress"


class ArchivedError(ConflictError):
    """A run was put away, and does nothing until it is restored."""

    type = "archived"
    status = 410


class UnknownStepError(InvalidError):
    """A flow has no step of that index."""

    type = "unknown_step"
