"""What of a thread's own events people are warned of for as long as it lives."""

from collections.abc import Iterator

from domain.core.event import EventBody
from domain.core.notices import CommandRejected, ResourceWarned
from domain.threads.amending.events import AmendmentFailed
from domain.threads.replacing.events import SessionLost


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
