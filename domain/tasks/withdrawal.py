"""A person wants back what they said to a busy agent of a task."""

from domain.agents.agents import PromptName, SessionRole
from domain.conversations.commands import TakeBack
from domain.conversations.messages import ANSWER, Queue, WaitingMessage, take_back
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.ids import SessionId
from domain.tasks.checks import ended
from domain.tasks.dispatch import handles
from domain.tasks.state import Phase, TaskState

_WORKERS = frozenset({SessionRole.TASK, SessionRole.TASK_PLANNER})


def waiting_in(state: TaskState) -> tuple[WaitingMessage, ...]:
    """Return the messages of people that wait in a run, the oldest of each session first."""
    waiting = {name: each.messages for name, each in state.conversations.items()}
    waiting[worker_of(state)] = state.messages
    return tuple(
        WaitingMessage(
            message_id=message.message_id,
            session_id=session_id,
            task_id=state.task.id if state.task else None,
            text=message.text,
            attachments=message.attachments,
        )
        for session_id, messages in waiting.items()
        for message in messages
        if not message.message_id.startswith(ANSWER)
    )


def worker_of(state: TaskState) -> SessionId:
    """Return whose messages those are that were said to the task itself."""
    return state.worker.session_id if state.worker else state.session_id


@handles
def _take_back(command: TakeBack, state: TaskState) -> Decided:
    if state.end is not None:
        raise ended(state)
    waiting = tuple(message.message_id for message in waiting_in(state))
    everything = [
        *state.messages,
        *(m for conversation in state.conversations.values() for m in conversation.messages),
    ]
    queue = Queue(
        waiting=waiting,
        own=tuple(m.message_id for m in everything if m.message_id.startswith(ANSWER)),
        withdrawn=state.withdrawn,
        seen=state.seen_messages,
    )
    decided = take_back(command, queue)
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
