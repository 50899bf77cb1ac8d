"""What of a thread's own events people are warned of for as long as it lives."""

from collections.abc import Iterator

from domain.core.event import EventBody
from domain.core.notices import CommandRejected, ResourceWarned
from domain.threads.amending.events import AmendmentFailed
from domain.threads.replacing.events import SessionLost
from domain.threads.state import ThreadState


def warnings_of(body: EventBody) -> Iterator[str]:
    """Yield the warning that an event is, if it is one."""
    match body:
        case CommandRejected(command=command, reason=reason):
            yield f"the signal {command} was refused: {reason}"
        case AmendmentFailed(session_id=session_id, reason=reason):
            yield f"{session_id} proposes no amendment: {reason}"
        case ResourceWarned(message=message):
            yield message
        case SessionLost(session_id=session_id, reason=reason):
            yield f"{session_id} has ended by itself: {reason}"
        case _:
            pass


def refused_merges(thread: ThreadState) -> Iterator[str]:
    """Yield why the newest changes of chats are not merged, where nobody is asked about it."""
    for session_id, merge in thread.lifecycle.merged.items():
        if merge.is_refused and session_id not in thread.merges.open:
            why = merge.failure or f"they conflict in {', '.join(merge.conflicts)}"
            yield f"the changes of {session_id} are not merged: {why}"
