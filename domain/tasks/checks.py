"""What only the session may say that does a task's work."""

from domain.conversations.checks import check_agent
from domain.core.command import AgentCommand
from domain.core.errors import WrongStateError
from domain.tasks.state import TaskState


def check_worker(command: AgentCommand, state: TaskState) -> None:
    """Refuse what only the session may say that does the task's work.

    Raises:
        WrongStateError: Another one says it, or it is not at work.
    """
    check_agent(command, state)
    if command.session_id != state.session_id:
        raise WrongStateError(f"session {command.session_id!r} does not do this task's work")
