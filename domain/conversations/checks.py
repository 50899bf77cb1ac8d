"""What sessions and tasks refuse alike."""

from domain.conversations.turn import TurnState
from domain.core.command import AgentCommand
from domain.core.errors import WrongStateError


def check_open(state: TurnState) -> None:
    """Refuse what comes after the end.

    Raises:
        WrongStateError: The session is closed, or the task has ended.
    """
    if state.over:
        raise WrongStateError(state.over)


def check_agent(command: AgentCommand, state: TurnState) -> None:
    """Refuse what a session says that is not at work now, or says of a turn that is over.

    Raises:
        WrongStateError: It does.
    """
    check_open(state)
    if state.turn is None or command.session_id != state.turn.session_id:
        raise WrongStateError(f"session {command.session_id!r} is not at work here now")
    if command.turn_id not in {"", state.turn.turn_id}:
        raise WrongStateError(f"this was said in {command.turn_id!r}, which is over")


def check_asker(command: AgentCommand, state: TurnState) -> None:
    """Refuse a question of a turn that does not run, or is being stopped.

    Raises:
        WrongStateError: It is one.
    """
    check_agent(command, state)
    if state.is_stop_requested or state.is_asleep:
        raise WrongStateError("the turn is being stopped: end it")
