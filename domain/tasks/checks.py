"""What the rules of a task refuse alike."""

from domain.core.command import AgentCommand
from domain.core.errors import WrongStateError
from domain.tasks.state import TaskState


def ended(state: TaskState) -> WrongStateError:
    """Return the refusal of what comes after the end."""
    return WrongStateError(f"the task has ended ({state.end}): {state.reason or 'no reason given'}")


def check_agent(command: AgentCommand, state: TaskState) -> None:
    """Refuse what a session says that is not at work now, or says of a turn that is over.

    Raises:
        WrongStateError: It does.
    """
    if state.end is not None:
        raise ended(state)
    if command.session_id != state.running_session or state.running_turn is None:
        raise WrongStateError(f"session {command.session_id!r} is not at work on this task now")
    if command.turn_id not in {"", state.running_turn}:
        raise WrongStateError(f"this was said in {command.turn_id!r}, which is over")


def check_worker(command: AgentCommand, state: TaskState) -> None:
    """Refuse what only the session may say that does the task's work.

    Raises:
        WrongStateError: Another one says it, or it is not at work.
    """
    check_agent(command, state)
    if command.session_id != state.session_id:
        raise WrongStateError(f"session {command.session_id!r} does not do this task's work")
