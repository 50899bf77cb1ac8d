"""What the workflow of a tracker tells its rules of activities that ended."""

from domain.core.wire import Wire
from domain.trackers.calls import EnqueueResult, FollowResult, LookResult


class NoteLook(Wire):
    """A look is over."""

    result: LookResult


class NoteEnqueued(Wire):
    """An attempt to put an issue's entry into the queue is over."""

    issue_id: str
    entry_id: str
    result: EnqueueResult


class NoteFollowed(Wire):
    """An issue was followed."""

    result: FollowResult
