"""Rules of the thread's own sessions: opening them, speaking to them, putting them away."""

from datetime import datetime

from domain.agents.agents import Prompt, SessionRole
from domain.conversations.commands import OpenSession, SendMessage
from domain.conversations.messages import A_PERSON
from domain.core.acting import told
from domain.core.command import Answer
from domain.core.decisions import Decided, refuse_flood
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId, session_stream
from domain.threads import events as thread_events
from domain.threads.commands import MarkDelivered
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import address
from domain.threads.running.verbs import carry_out_verb
from domain.threads.state import ThreadState
from domain.threads.working.rules import check_work

PLANNING_ROLES = frozenset({SessionRole.PLANNER, SessionRole.REVIEWER})


def opened_of(state: ThreadState) -> thread_events.ThreadOpened:
    """Return what the thread was opened with.

    Raises:
        WrongStateError: It is not open yet.
    """
    if state.opened is None:
        raise WrongStateError("the thread is not open yet")
    return state.opened


def opened_by(command_id: str, state: ThreadState) -> SessionId | None:
    """Return the session that a command opened when it came before."""
    sessions = state.sessions.values()
    return next((s.session_id for s in sessions if command_id and s.command_id == command_id), None)


def next_session(state: ThreadState, ahead: int = 0) -> SessionId:
    """Return the id of the session that is opened next, or so many after it."""
    return session_stream(state.thread_id, len(state.sessions) + 1 + ahead)


def end_planning(
    state: ThreadState, *, is_reset: bool = False, but: SessionId | None = None
) -> tuple[EventBody, ...]:
    """Archive planners and critics and close their agents; a chat that planned is a chat again.

    With `is_reset` in a fresh context; `but` is the session that goes on with the work.
    """
    working = [
        s
        for s in state.sessions.values()
        if s.role in PLANNING_ROLES and not s.is_archived and s.session_id != but
    ]
    number = len(state.seen_prompts) + 1
    chats = (
        thread_events.PromptQueued(
            key=f"{s.session_id}/chat-{number}",
            session_id=s.session_id,
            role=SessionRole.CHAT,
            is_reset=is_reset,
        )
        for s in working
        if s.is_chat
    )
    others = tuple(s.session_id for s in working if not s.is_chat)
    closing = (thread_events.PromptQueued(key=f"{s}/close", session_id=s) for s in others)
    archived = (thread_events.SessionsArchived(session_ids=others),) if others else ()
    return (*chats, *archived, *closing)


@THREAD_RULES.handles
def open_session(command: OpenSession, state: ThreadState) -> Decided:
    opened = opened_of(state)
    if earlier := opened_by(command.command_id, state):
        return Decided(answer=Answer(message="opened", data={"session_id": earlier}))
    session_id = next_session(state)
    session = thread_events.SessionOpened(
        session_id=session_id,
        role=SessionRole.CHAT,
        agent=command.agent or opened.agent,
        model=command.model or (opened.model if command.agent is None else None),
        options=command.options,
        command_id=command.command_id,
        has_own_worktree=command.has_own_worktree,
    )
    return Decided((session,), Answer(message="opened", data={"session_id": session_id}))


@THREAD_RULES.handles
def send_message(command: SendMessage, state: ThreadState, now: datetime) -> Decided:
    if (decided := carry_out_verb(command, state, now)) is not None:
        return decided
    session_id = command.session_id or _talking_session(state)
    session = state.sessions.get(session_id)
    if session is None:
        known = ", ".join(state.sessions) or "none"
        raise NotFoundError(f"no session {session_id!r} in this thread; it has: {known}")
    if session.is_archived:
        other = (
            f"it goes on in {session.replaced_by!r}" if session.replaced_by else "open another one"
        )
        raise WrongStateError(f"session {session_id!r} is archived: {other}")
    check_work(session, state)
    key = f"{session_id}/{command.command_id or f'message-{len(state.seen_prompts) + 1}'}"
    answer = Answer(message="queued", data={"session_id": session_id, "message_id": key})
    if key in state.seen_prompts:
        return Decided(answer=answer)
    waiting = (queued.prompt for queued in state.prompts if queued.prompt is not None)
    refuse_flood((prompt.fields.get("text", "") for prompt in waiting), command.text)
    by = command.by or A_PERSON
    text = told(command.text, by)
    prompt = Prompt(fields={"text": text}, attachments=command.attachments, by=by)
    queued = thread_events.PromptQueued(key=key, session_id=session_id, prompt=prompt)
    return Decided((queued,), answer)


def _talking_session(state: ThreadState) -> SessionId:
    """Return whom a message without an address goes to: planner, coordinator, else the last."""
    if state.planner is not None and not state.sessions[state.planner].is_archived:
        return state.planner
    if (coordinator := address(state)) is not None:
        return coordinator
    live = [s for s, session in state.sessions.items() if not session.is_archived]
    if not live:
        raise WrongStateError(
            "no session of this thread is open: speak to one of its tasks, or ask for another plan"
        )
    return live[-1]


@THREAD_RULES.handles
def mark_delivered(command: MarkDelivered, state: ThreadState) -> Decided:
    if all(prompt.key != command.key for prompt in state.prompts):
        return Decided()
    return Decided((thread_events.PromptDelivered(key=command.key),))
