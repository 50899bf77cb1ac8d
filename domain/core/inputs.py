"""What the input of every workflow has: what a run hands to the run that continues it."""

from domain.core.answered import Answered
from domain.core.wire import Wire


class WorkflowInput(Wire):
    """Base of the inputs of workflows; theirs is also `carried`, the state of a run before.

    `events_so_far` and `effects_so_far` number what comes next, `answered` are commands of before.
    """

    events_so_far: int = 0
    effects_so_far: int = 0
    answered: Answered = Answered()
