"""What a run of a flow refuses."""

from domain.core.errors import ConflictError, InvalidError


class LoopMismatchError(ConflictError):
    """A run cannot be resumed inside a loop that has not started; the message says where it can."""

    type = "loop_mismatch"


class RunInProgressError(ConflictError):
    """The run is in progress and cannot be resumed."""

    type = "run_in_progress"


class ArchivedError(ConflictError):
    """The run is archived; unarchive it first."""

    type = "archived"
    status = 410


class UnknownStepError(InvalidError):
    """The flow has no step of that index."""

    type = "unknown_step"
