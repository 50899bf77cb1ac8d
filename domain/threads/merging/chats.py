"""Rules of merging a chat's changes: asked for, made, or in conflict, which its own agent can resolve.

Its conflicts are those of tasks (domain/threads/merging/conflicts.py) but for what follows: nothing
of a chat is verified, so what a person chose or did by hand is merged at once, and what its agent
made of both sides waits for the person who looks at it.
"""

from collections.abc import Iterable

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.commands import MergeSession
from domain.conversations.reports import EndSessionTurn
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.core.lifecycle import events as lifecycle_events
from domain.core.text import bullets
from domain.core.workspaces import MergeResult
from domain.tasks.conflicts import Conflict, ConflictStage, OpenConflict, is_base
from domain.tasks.running_commands import ConflictChoice, ResolveConflict
from domain.threads.bases.rules import due_of_chat
from domain.threads.effects import ThreadEffect
from domain.threads.events import PromptQueued
from domain.threads.lifecycle.state import ChatMerge
from domain.threads.merging import events as merging_events
from domain.threads.merging.effects import EndSessionMerge, MergeSessionChanges
from domain.threads.merging.state import conflict_in
from domain.threads.patches import CHATS_HAVE_CONFLICTS
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import ThreadSession

MAX_WAITING = 20
_OPEN_TO_A_MERGE = frozenset({ConflictStage.ASKED, ConflictStage.RESOLVED})


@THREAD_RULES.handles
def merge_session(command: MergeSession, state: ThreadState) -> Decided:
    session_id = command.session_id
    session = state.sessions.get(session_id)
    if session is None:
        known = ", ".join(state.sessions) or "none"
        raise NotFoundError(f"no session {session_id!r} in this thread; it has: {known}")
    if session.role is not SessionRole.CHAT:
        raise WrongStateError(
            f"{session_id!r} is a {session.role} session: only a chat's changes can be merged"
        )
    waiting = [merge for merge in state.lifecycle.merges if merge.session_id == session_id]
    number = waiting[-1].number if waiting else state.lifecycle.merge_count + 1
    message = f"the changes of {session_id} are being merged"
    answer = Answer(message=message, data={"number": number})
    if waiting:
        return Decided(answer=answer)
    _check_open(state.merges.open.get(session_id))
    if len(state.lifecycle.merges) >= MAX_WAITING:
        raise WrongStateError("too many changes wait to be merged: wait until some are")
    wanted = lifecycle_events.SessionMergeRequested(
        session_id=session_id, number=number, by=command.by
    )
    return Decided((wanted,), answer)


def _check_open(found: OpenConflict | None) -> None:
    """Refuse to begin anew where somebody resolves the conflict of the merge before."""
    if found is not None and found.stage not in _OPEN_TO_A_MERGE:
        who = "its agent" if found.stage is ConflictStage.RESOLVING else "a person"
        raise WrongStateError(
            f"the changes of {found.conflict.called} conflict, which {who} resolves now: "
            "`treadle show` says how it goes on"
        )


@THREAD_RULES.handles
def end_session_merge(command: EndSessionMerge, state: ThreadState) -> Decided:
    if all(merge.number != command.number for merge in state.lifecycle.merges):
        return Decided()
    merge, session_id = command.merge, command.session_id
    asked = _conflict(command, state) if state.has_patch(CHATS_HAVE_CONFLICTS) else ()
    ended = lifecycle_events.SessionMergeEnded(
        session_id=session_id,
        number=command.number,
        branch=state.opened.branch if state.opened else "",
        commit=merge.commit,
        conflicts=merge.conflicts,
        failure=merge.failure,
        is_asked=any(isinstance(event, merging_events.ConflictFound) for event in asked),
        is_new=merge.commit is None or merge.commit != merge.source,
    )
    return Decided((ended, *asked))


def _conflict(command: EndSessionMerge, state: ThreadState) -> tuple[EventBody, ...]:
    """Return that a person is asked, or not any more; of the same conflict they are asked once."""
    session_id, known = command.session_id, state.merges.open.get(command.session_id)
    if command.merge.commit is not None:
        dropped = merging_events.ConflictDropped(session_id=session_id)
        return (dropped,) if known is not None else ()
    found = _found(session_id, command.number, command.merge, state)
    if found is None or (known is not None and _is_same(known.conflict, found)):
        return ()
    return (merging_events.ConflictFound(conflict=found),)


def _found(
    session_id: SessionId, number: int, merge: MergeResult, state: ThreadState
) -> Conflict | None:
    kept = state.merges.kept_of(session_id, number)
    about = Conflict(session_id=session_id, run=number, commit=merge.source)
    return conflict_in(about, merge, kept, state) if merge.source else None


def _is_same(known: Conflict, found: Conflict) -> bool:
    shown = {"commit", "files", "versions", "tip"}
    return known.model_dump(include=shown) == found.model_dump(include=shown)


def answer_chat(
    command: ResolveConflict, found: OpenConflict, state: ThreadState
) -> tuple[EventBody, ...]:
    """Return what follows from an answer to the conflict of a chat."""
    session_id, how = SessionId(found.conflict.subject), command.how
    if how is ConflictChoice.LEAVE:
        return (merging_events.ConflictDropped(session_id=session_id, by=command.by),)
    is_new = how is ConflictChoice.AGENT or (how is ConflictChoice.BY_HAND and not found.run)
    run = state.merges.chats.get(session_id, 0) + 1 if is_new else found.run
    answered = merging_events.ConflictAnswered(
        session_id=session_id, how=how, run=run, by=command.by
    )
    if how is not ConflictChoice.AGENT:
        return (answered,)
    session = state.sessions[session_id]
    _check_can_resolve(session)
    prompt = PromptQueued(
        key=prompt_key(session_id, run), session_id=session_id, prompt=_prompt(found)
    )
    return answered, prompt


def _check_can_resolve(session: ThreadSession) -> None:
    if session.is_archived or session.role is not SessionRole.CHAT:
        doing = "is archived" if session.is_archived else f"is a {session.role} session now"
        raise WrongStateError(
            f"{session.session_id!r} {doing}, so its agent can't resolve this: choose another way"
        )


def prompt_key(session_id: SessionId, run: int) -> str:
    """Return the key of the prompt by which a chat's agent resolves a conflict."""
    return f"{session_id}/conflict-{run}"


def _prompt(found: OpenConflict) -> Prompt:
    conflict = found.conflict
    fields = {
        "branch": conflict.branch,
        "files": bullets(found.left or conflict.files),
        "notes": bullets(conflict.notes) or "Nothing.",
    }
    return Prompt(name=PromptName.CHAT_CONFLICT, fields=fields, merging=conflict.tip)


def end_resolution(command: EndSessionTurn, state: ThreadState) -> Decided | None:
    """Return what follows when the turn of an agent ends that resolves a conflict; None for others."""
    session_id, found = command.session_id, state.merges.open.get(command.session_id)
    if found is None or found.stage is not ConflictStage.RESOLVING:
        return None
    if command.prompt_key != prompt_key(session_id, found.run):
        return None
    snapshot = command.snapshot
    failure = command.failure or ("its turn was stopped" if command.is_stopped else "")
    left = snapshot.unresolved if snapshot else ()
    if snapshot is None or left or failure:
        failure = failure or ("" if left else "its turn left no commit")
        unresolved = merging_events.ConflictUnresolved(
            session_id=session_id, files=left, failure=failure
        )
        return Decided((unresolved,))
    proposed = merging_events.ResolutionProposed(
        session_id=session_id, run=found.run, snapshot=snapshot
    )
    return Decided((proposed,))


@THREAD_RULES.reacts
def drop_conflicts_of_deleted(state: ThreadState) -> Iterable[EventBody]:
    """End the conflicts of the chats of a thread that is deleted."""
    if not state.lifecycle.is_deletion_requested:
        return
    for found in state.merges.open.values():
        if found.conflict.session_id:
            yield merging_events.ConflictDropped(session_id=found.conflict.session_id)


@THREAD_RULES.requires
def merge_changes(state: ThreadState) -> Iterable[ThreadEffect]:
    if due_of_chat(state):
        return
    for merge in state.lifecycle.merges[:1]:
        yield MergeSessionChanges(**dict(merge))


@THREAD_RULES.evolves
def apply_session_merge_requested(
    event: lifecycle_events.SessionMergeRequested, state: ThreadState
) -> ThreadState:
    return state.model_copy(update={"lifecycle": state.lifecycle.merging(event.session_id)})


@THREAD_RULES.evolves
def apply_session_merge_ended(
    event: lifecycle_events.SessionMergeEnded, state: ThreadState
) -> ThreadState:
    lifecycle = state.lifecycle
    ended = ChatMerge(
        number=event.number,
        is_under_way=any(
            m.session_id == event.session_id and m.number != event.number for m in lifecycle.merges
        ),
        commit=event.commit,
        conflicts=event.conflicts,
        failure=event.failure,
        is_new=event.is_new,
    )
    changes = {
        "merges": tuple(m for m in lifecycle.merges if m.number != event.number),
        "merged": {**lifecycle.merged, event.session_id: ended},
    }
    base = state.base
    if is_base(event.session_id) and event.commit:
        base = base.model_copy(update={"behind": 0, "conflicts": (), "is_tip_unverified": True})
    return state.model_copy(
        update={"lifecycle": lifecycle.model_copy(update=changes), "base": base}
    )
