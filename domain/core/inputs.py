"""What the input of every workflow has: what a run hands to the run that continues it."""

from domain.core.answered import Answered
from domain.core.event import Event, Headline
from domain.core.wire import Wire


class Undelivered(Wire):
    """What a run did not get to journal: the next run does.

    `headline` is the stream's own, where a newer one than the journal's waits; `forwarded` are those
    of other streams.
    """

    events: tuple[Event, ...] = ()
    headline: Headline | None = None
    forwarded: tuple[Headline, ...] = ()


class WorkflowInput(Wire):
    """Base of the inputs of workflows; theirs is also `carried`, the state of a run before.

    `events_so_far` and `effects_so_far` number what comes next, `answered` are commands of before,
    `undelivered` is what a run that continued under a stream of commands had no time to journal.
    """

    events_so_far: int = 0
    effects_so_far: int = 0
    answered: Answered = Answered()
    undelivered: Undelivered = Undelivered()
