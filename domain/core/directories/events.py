"""Events of the directory that chats of a thread share: one of their turns at a time works in it."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId


class DirectoryAsked(EventBody):
    """A session has a turn for the shared directory, and waits for its place."""

    kind: Literal["directory_asked"] = "directory_asked"
    session_id: SessionId
    turn_id: TurnId


class DirectoryGranted(EventBody):
    """The shared directory is a turn's; `number` grows with each, so a later one is the newer."""

    kind: Literal["directory_granted"] = "directory_granted"
    session_id: SessionId
    turn_id: TurnId
    number: int


class DirectoryFreed(EventBody):
    """A turn needs the shared directory no more, or never got it."""

    kind: Literal["directory_freed"] = "directory_freed"
    turn_id: TurnId


SharingEvent = DirectoryAsked | DirectoryGranted | DirectoryFreed
