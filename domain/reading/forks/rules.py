"""Where a fork begins where nobody says it, and how."""

from domain.reading.projection import ThreadFold
from domain.threads.checkpoints import Checkpoint
from domain.threads.state import ThreadState


def is_planned(state: ThreadState) -> bool:
    """Tell whether a thread had a planner or a plan; its fork then begins with a planner."""
    return state.planner is not None or bool(state.tasks)


def forkable(fold: ThreadFold) -> tuple[Checkpoint, ...]:
    """Return the checkpoints that stand for a thread as a whole.

    Those of its branch; while it has no plan, those of the directory that its chats share as well.
    """
    sharing = {
        session_id
        for session_id, session in fold.thread.sessions.items()
        if not (session.has_own_worktree or fold.thread.tasks)
    }
    return tuple(
        each for each in fold.recall.checkpoints if each.is_of_branch or each.session_id in sharing
    )
