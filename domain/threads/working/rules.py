"""The session that planned carries out a plan without tasks: it is lent to the work, and comes back as a chat.

The work is verified, gated and merged by the rules of tasks. Only one of the two takes turns in the session:
it says when its own turn has ended, before the work starts, and is a chat again once the work is settled.
"""

from collections.abc import Iterable

from domain.agents.agents import SessionRole
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import WORK, SessionId, TaskId
from domain.plans.status import PlanStatus
from domain.tasks.state import AT_GATE
from domain.tasks.status import TaskStatus
from domain.threads.events import PromptQueued
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import QueuedPrompt, ThreadSession
from domain.threads.working.commands import HandOver
from domain.threads.working.events import SessionLent


def session_of(state: ThreadState) -> ThreadSession | None:
    """Return the session of the work, None where the plan has tasks."""
    name = state.working.session_id
    return state.sessions.get(name) if name and state.work else None


def is_called(session_id: SessionId, state: ThreadState) -> bool:
    """Tell whether a session is the work's now, or is to be."""
    session = session_of(state)
    is_own = session is not None and session.session_id == session_id
    return is_own and session is not None and session.role is SessionRole.TASK


def _is_at_work(state: ThreadState) -> bool:
    work = state.work
    return work is not None and work.status.is_at_work and work.end is None


@THREAD_RULES.reacts
def lend_session(state: ThreadState) -> Iterable[EventBody]:
    """Call the session to the work before that starts, and make it a chat again after its end."""
    session, work = session_of(state), state.work
    if session is None or work is None or session.is_archived:
        return
    name, number = session.session_id, len(state.seen_prompts) + 1
    is_called = session.role is SessionRole.TASK
    is_due = work.status is TaskStatus.PENDING and state.plan_status is PlanStatus.ACTIVE
    if is_due and not is_called:
        yield PromptQueued(
            key=f"{name}/work-{number}", session_id=name, role=SessionRole.TASK, is_reset=True
        )
    elif work.is_over and is_called:
        yield PromptQueued(
            key=f"{name}/chat-{number}",
            session_id=name,
            role=SessionRole.CHAT,
            is_reset=True,
            turns=state.working.turns if state.working.is_lent else None,
        )


@THREAD_RULES.handles
def hand_over(command: HandOver, state: ThreadState) -> Decided:
    said = again(command.messages, command.session_id, state)
    if not is_called(command.session_id, state) or state.working.is_ready:
        return Decided(said)
    return Decided((SessionLent(**command.model_dump(exclude={"messages"})), *said))


@THREAD_RULES.evolves
def apply_session_lent(event: SessionLent, state: ThreadState) -> ThreadState:
    changes: dict[str, object] = {
        "is_lent": not event.is_gone,
        **event.model_dump(exclude={"kind", "session_id"}),
    }
    return state.model_copy(update={"working": state.working.model_copy(update=changes)})


def must_wait(task_id: TaskId, state: ThreadState) -> bool:
    """Tell whether a task can't start yet, since its session still takes turns of its own."""
    return task_id == WORK and not state.working.is_ready


def takes_turns_of(session_id: SessionId, state: ThreadState) -> bool:
    """Tell whether the work takes a session's turns now: what is said to that is the work's."""
    return is_called(session_id, state) and _is_at_work(state)


# --- messages to the session while the work has it


def takes(prompt: QueuedPrompt, state: ThreadState) -> bool:
    """Tell whether a prompt is a person's word to the work that runs."""
    is_said = prompt.prompt is not None and prompt.prompt.by != ""
    return is_said and prompt.role is None and takes_turns_of(prompt.session_id, state)


def holds(prompt: QueuedPrompt, state: ThreadState) -> bool:
    """Tell whether a prompt waits: the session is called to the work, and that can't read it now."""
    is_message = prompt.prompt is not None and prompt.role is None
    return is_message and is_called(prompt.session_id, state) and not takes(prompt, state)


def check_work(session: ThreadSession, state: ThreadState) -> None:
    """Refuse a message to the work while that waits for a decision.

    Raises:
        WrongStateError: It waits at its gate.
    """
    work = state.work
    if work is None or work.progress is None or not is_called(session.session_id, state):
        return
    if work.end is None and work.progress.asks == AT_GATE:
        raise WrongStateError("the work waits for approval: reject it with your text as feedback")


def again(
    messages: tuple[QueuePrompt, ...], session_id: SessionId, state: ThreadState
) -> tuple[EventBody, ...]:
    """Return messages to a session queued anew, for who takes its turns now; an archived one has none."""
    session = state.sessions.get(session_id)
    if session is None or session.is_archived:
        return ()
    found = ((f"{message.key}/again", message.prompt) for message in messages)
    return tuple(
        PromptQueued(key=key, session_id=session_id, prompt=prompt)
        for key, prompt in found
        if key not in state.seen_prompts
    )


def unread_before(state: ThreadState) -> tuple[QueuePrompt, ...]:
    """Return what people said to the session before its work begins, which that is given at once."""
    waiting = (prompt for prompt in state.prompts if takes(prompt, state))
    return tuple(QueuePrompt(key=p.key, prompt=p.prompt) for p in waiting if p.prompt is not None)
