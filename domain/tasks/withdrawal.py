"""A person wants back what they said to a busy agent of a task."""

from domain.agents.agents import PromptName, SessionRole
from domain.conversations.commands import WithdrawMessage
from domain.conversations.messages import withdraw_message
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.tasks.registry import TASK_RULES
from domain.tasks.state import Phase, TaskState

_WORKERS = frozenset({SessionRole.TASK, SessionRole.TASK_PLANNER})


@TASK_RULES.handles
def withdraw_unless_next(command: WithdrawMessage, state: TaskState) -> Decided:
    decided = withdraw_message(command, state)
    is_workers = any(message.message_id == command.message_id for message in state.messages)
    if decided.events and is_workers and _is_next(state):
        raise WrongStateError(
            "the agent goes on with this message as soon as the turn of another session ends: "
            "stop its turn then"
        )
    return decided


def _is_next(state: TaskState) -> bool:
    """Tell whether the run was woken by its messages: without them its next turn would say nothing."""
    conversation = state.running
    if conversation is not None and conversation.role in _WORKERS:
        return False
    if state.phase is Phase.PLANNING and state.planning is not None:
        return state.planning.next_prompt is PromptName.MESSAGE
    return state.phase is Phase.WORKING and state.next_prompt is PromptName.MESSAGE
