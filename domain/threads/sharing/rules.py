"""Rules of the directory that chats of a thread share: turns work in it one at a time.

Sessions are workflows of their own; their thread gives the directory to one turn after the other. The
number of a grant orders them all, so that what is left of an earlier turn can write nothing more.
"""

from collections.abc import Iterable

from domain.core.decisions import Decided
from domain.core.directories import events as directory_events
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId
from domain.threads.effects import ThreadEffect
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


class GrantDirectory(ThreadEffect):
    """Tell a session that the directory is its turn's, and wait until it is free again."""

    kind = "grant"
    is_resumable = True

    session_id: SessionId
    turn_id: TurnId
    number: int

    @property
    def name(self) -> str:
        """The grant."""
        return str(self.number)


@THREAD_RULES.handles
def ask_directory(command: AskDirectory, state: ThreadState) -> Decided:
    session = state.sessions.get(command.session_id)
    if session is None or session.has_own_worktree or state.directory.knows(command.turn_id):
        return Decided()
    return Decided((directory_events.DirectoryAsked(**dict(command)),))


@THREAD_RULES.handles
def free_directory(command: FreeDirectory, state: ThreadState) -> Decided:
    if not state.directory.knows(command.turn_id):
        return Decided()
    return Decided((directory_events.DirectoryFreed(turn_id=command.turn_id),))


@THREAD_RULES.reacts
def grant_directory(state: ThreadState) -> Iterable[EventBody]:
    if (granted := state.directory.due) is not None:
        yield granted


@THREAD_RULES.requires
def announce_grant(state: ThreadState) -> Iterable[ThreadEffect]:
    if (holder := state.directory.holder) is not None:
        yield GrantDirectory(**dict(holder))


@THREAD_RULES.evolves
def apply_directory_change(event: directory_events.SharingEvent, state: ThreadState) -> ThreadState:
    return state.model_copy(update={"directory": state.directory.after(event)})
