"""What follows when a session's workflow has ended by itself: somebody closed or terminated it in Temporal.

The session is archived. What people said to it and its agent has not read is for another session, which is opened
where none is left to talk to. What only its own agent could have done fails, so that nothing waits for it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from domain.agents.agents import PromptName, SessionRole
from domain.conversations.reports import EndSessionTurn
from domain.core.decisions import Decided
from domain.core.directories.events import DirectoryFreed
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.core.summaries import last_part
from domain.tasks.conflicts import ConflictStage
from domain.threads.events import (
    PlanningFailed,
    PlanRequested,
    PromptDelivered,
    PromptQueued,
    SessionOpened,
)
from domain.threads.merging.chats import prompt_key
from domain.threads.patches import LATE_BRIEFS_ARE_TAKEN, LOST_SESSIONS_ARE_REPLACED
from domain.threads.planning.events import PlannerAdded
from domain.threads.planning.turns import end_planner_turn
from domain.threads.registry import THREAD_RULES
from domain.threads.replacing.commands import LoseSession
from domain.threads.replacing.events import SessionLost
from domain.threads.running.events import CoordinatorNamed
from domain.threads.sessions import next_session
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import QueuedPrompt, ThreadSession
from domain.threads.working.commands import HandOver, ReturnMessages
from domain.threads.working.rules import again, hand_over, is_called, session_of


class _Lost(NamedTuple):
    """A session that was lost, and what it has not read: given to it or not."""

    session: ThreadSession
    reason: str
    waiting: tuple[QueuedPrompt, ...]
    brief: QueuedPrompt | None
    """The prompt by which it was to begin planning that is still wanted."""

    @property
    def name(self) -> SessionId:
        return self.session.session_id

    @property
    def said(self) -> dict[str, QueuedPrompt]:
        """What another session is told, by how its key ends there: who lost it, and what."""
        of = last_part(self.name)
        said = (queued for queued in self.waiting if _is_said(queued))
        return {f"/from-{of}-{q.key.removeprefix(f'{self.name}/')}": q for q in said}


@THREAD_RULES.handles
def lose_session(command: LoseSession, state: ThreadState) -> Decided:
    session_id = command.session_id
    over = EndSessionTurn(session_id=session_id, turn=0, failure=command.reason)
    if not state.has_patch(LOST_SESSIONS_ARE_REPLACED):
        return end_planner_turn(over, state)
    session = state.sessions.get(session_id)
    if session is None:
        return Decided()
    if is_called(session_id, state):
        return Decided((*_lent(command, state), *_own_turn(over, state)))
    lost = _lost(command, session, state)
    events = _put_away(lost, state) if session.is_archived else _ended(lost, over, state)
    return Decided((*events, *_told_again(lost, state)))


@THREAD_RULES.handles
def return_messages(command: ReturnMessages, state: ThreadState) -> Decided:
    """Queue what the work did not read for its session, or for the one that takes its place."""
    session = session_of(state)
    if session is None:
        return Decided()
    if session.is_archived and state.has_patch(LOST_SESSIONS_ARE_REPLACED):
        name, reason = session.session_id, "the work ended"
        return lose_session(
            LoseSession(session_id=name, reason=reason, messages=command.messages), state
        )
    return Decided(again(command.messages, session.session_id, state))


def _lost(command: LoseSession, session: ThreadSession, state: ThreadState) -> _Lost:
    queued = tuple(p for p in state.prompts if p.session_id == session.session_id)
    known = {p.key for p in queued}
    unread = (
        QueuedPrompt(key=message.key, session_id=session.session_id, prompt=message.prompt)
        for message in command.messages
        if message.key not in known
    )
    waiting = (*unread, *queued)  # what its agent was to read first comes first
    found = _Lost(session, command.reason, waiting, _brief(waiting, session, state))
    # its end is reported again and again: each worker that starts looks for it
    again = {
        queued.key
        for ending, queued in found.said.items()
        if f"{queued.key}/again" in state.seen_prompts  # told to the plan's work, or by it
        or any(key.endswith(ending) for key in state.seen_prompts)
    }
    return found._replace(waiting=tuple(p for p in waiting if p.key not in again))


def _brief(
    waiting: tuple[QueuedPrompt, ...], session: ThreadSession, state: ThreadState
) -> QueuedPrompt | None:
    is_planner = session.role is SessionRole.PLANNER and _is_needed(session, state)
    is_wanted = is_planner and not state.plan_status.is_live
    briefs = (p for p in waiting if p.prompt and p.prompt.name is PromptName.PLANNER)
    return next(briefs, None) if is_wanted else None


def _is_needed(session: ThreadSession, state: ThreadState) -> bool:
    """Tell whether a planner has no other in its place: it is open, or its end was told before its brief came."""
    planner = state.planning.planners.get(session.session_id)
    if planner is None or not session.is_archived:
        return planner is not None
    is_replaced = session.replaced_by in state.planning.planners
    return bool(planner.failure) and not is_replaced and state.has_patch(LATE_BRIEFS_ARE_TAKEN)


def _is_said(queued: QueuedPrompt) -> bool:
    """Tell whether something is a message, which any session can read."""
    prompt = queued.prompt
    is_plain = prompt is not None and (prompt.by != "" or prompt.name is PromptName.MESSAGE)
    return is_plain and queued.role is None


def _lent(command: LoseSession, state: ThreadState) -> Iterable[EventBody]:
    """Leave the work to a session of its own; what people say goes on to the work."""
    gone = HandOver(session_id=command.session_id, is_gone=True, messages=command.messages)
    yield from hand_over(gone, state).events
    for queued in state.prompts:
        if queued.session_id == command.session_id and not _is_said(queued):
            yield PromptDelivered(key=queued.key)


def _own_turn(over: EndSessionTurn, state: ThreadState) -> tuple[EventBody, ...]:
    key = state.own_turns.running
    if not key.startswith(f"{over.session_id}/"):
        return ()
    return end_planner_turn(over.model_copy(update={"prompt_key": key}), state).events


def _put_away(lost: _Lost, state: ThreadState) -> tuple[EventBody, ...]:
    """Drop what waits for a session that was archived before; a rejected plan of it has no planner."""
    queued = (each for each in state.prompts if each.session_id == lost.name)
    dropped: tuple[EventBody, ...] = tuple(PromptDelivered(key=each.key) for each in queued)
    by = _replacement(lost, state)
    if by is not None and by not in state.sessions:  # the next report of it finds that one
        dropped = (
            *dropped,
            SessionLost(session_id=lost.name, reason=lost.reason, replaced_by=by),
        )
    planner = state.planning.planners.get(lost.name)
    is_asked = any(queued.prompt and not _is_said(queued) for queued in lost.waiting)
    if planner is None or not is_asked or lost.brief or state.plan_status.is_live:
        return dropped
    return (*dropped, PlanningFailed(session_id=lost.name, reason=lost.reason))


def _ended(lost: _Lost, over: EndSessionTurn, state: ThreadState) -> tuple[EventBody, ...]:
    """End what only this session could do, give back what it held, and archive it."""
    quiet = state.model_copy(
        update={"prompts": tuple(p for p in state.prompts if p.session_id != lost.name)}
    )
    events = list(_own_turn(over, quiet))
    found = state.merges.open.get(lost.name)
    if found is not None and found.stage is ConflictStage.RESOLVING:
        key = prompt_key(lost.name, found.run)
        events += end_planner_turn(over.model_copy(update={"prompt_key": key}), quiet).events
    if not _is_sole_planner(lost, state):
        events += end_planner_turn(over, quiet).events
    turns = (turn for turn in state.directory.turns if turn.session_id == lost.name)
    events += [DirectoryFreed(turn_id=turn.turn_id) for turn in turns]
    by = _replacement(lost, state)
    return (*events, SessionLost(session_id=lost.name, reason=lost.reason, replaced_by=by))


def _is_sole_planner(lost: _Lost, state: ThreadState) -> bool:
    """Tell whether its planning has not begun, and begins anew in another session."""
    is_new = lost.brief is not None and not state.lifecycle.is_deletion_requested
    return is_new and list(state.planning.planners) == [lost.name]


def _replacement(lost: _Lost, state: ThreadState) -> SessionId | None:
    """Return the session that takes its place: the one that does already, a new one, or none."""
    if state.lifecycle.is_deletion_requested:
        return None
    if lost.brief is None and (known := _successor(lost.session, state)) is not None:
        return known
    others = (s for s in state.sessions.values() if s.session_id != lost.name)
    is_last = lost.session.is_chat and not lost.session.is_archived
    is_last = is_last and not any(s.is_chat and not s.is_archived for s in others)
    return next_session(state) if lost.said or lost.brief or is_last else None


def _successor(session: ThreadSession, state: ThreadState) -> SessionId | None:
    """Return the open session that took a session's place, or that of the one that did."""
    name = session.replaced_by  # always a session that was opened later
    while name is not None and (later := state.sessions.get(name)) is not None:
        if not later.is_archived:
            return name
        name = later.replaced_by
    return None


def _told_again(lost: _Lost, state: ThreadState) -> Iterable[EventBody]:
    """Open the session that takes its place, where none does yet, and tell it what was said."""
    name = _replacement(lost, state)
    if name is None:
        return
    if name not in state.sessions:
        yield from _opened(lost, name, state)
    for ending, queued in lost.said.items():
        yield PromptQueued(key=f"{name}{ending}", session_id=name, prompt=queued.prompt)


def _opened(lost: _Lost, name: SessionId, state: ThreadState) -> Iterable[EventBody]:
    session, brief = lost.session, lost.brief
    yield SessionOpened(
        session_id=name,
        role=SessionRole.PLANNER if brief else SessionRole.CHAT,
        agent=session.agent,
        model=session.model,
        options=session.options,
        has_own_worktree=session.has_own_worktree or brief is not None,
    )
    if state.coordinator == lost.name and not brief:
        yield CoordinatorNamed(plan_id=state.coordinated, session_id=name)
    if brief is None:
        return
    if _is_sole_planner(lost, state):
        yield PlanRequested(goal=state.goal, session_id=name)
    else:
        yield PlannerAdded(session_id=name)
    yield PromptQueued(key=f"{name}/plan", session_id=name, prompt=brief.prompt)


@THREAD_RULES.evolves
def apply_session_lost(event: SessionLost, state: ThreadState) -> ThreadState:
    session = state.sessions.get(event.session_id)
    if session is None:
        return state
    lost = {"is_archived": True, "replaced_by": event.replaced_by}
    working = state.working
    if working.session_id == event.session_id:
        working = working.model_copy(update={"is_lent": False, "is_gone": True})
    return state.model_copy(
        update={
            "sessions": {**state.sessions, event.session_id: session.model_copy(update=lost)},
            "prompts": tuple(p for p in state.prompts if p.session_id != event.session_id),
            "working": working,
        }
    )
