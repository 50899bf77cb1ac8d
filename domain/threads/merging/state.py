"""How a thread remembers merges that conflict, or would."""

from domain.core.ids import SessionId, TaskId
from domain.core.workspaces import ConflictSide, MergeResult, Snapshot
from domain.tasks.conflicts import (
    MAX_REPORTED,
    Conflict,
    ConflictStage,
    ConflictWork,
    DroppedWork,
    Merges,
    OpenConflict,
    RunSideChoice,
)
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import ConflictChoice
from domain.threads.lifecycle.state import ChatMerge
from domain.threads.merging import events as merging_events
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

_BY_AGENT = frozenset({ConflictStage.RESOLVING, ConflictStage.RESOLVED})
"""Stages in which nobody has a worktree to resolve it in."""

SIDES = {ConflictChoice.KEEP_A: ConflictSide.BRANCH, ConflictChoice.KEEP_B: ConflictSide.TASK}


def conflict_after(state: ThreadState, task_id: TaskId, merge: MergeResult) -> Conflict | None:
    """Return what the merge of a task leaves for a person to resolve, if it does."""
    entry = state.tasks[task_id]
    if entry.end is not TaskEnd.ACCEPTED or entry.commit is None:
        return None
    about = Conflict(task_id=task_id, run=entry.run, commit=entry.commit)
    return conflict_in(about, merge, state.merges.kept_of(task_id, entry.run), state)


def conflict_in(
    about: Conflict, merge: MergeResult, kept: RunSideChoice | None, state: ThreadState
) -> Conflict | None:
    """Return what a merge leaves for a person to resolve, if it does.

    Also where a person kept a side and what that gives does not pass verification.
    """
    if merge.commit is not None or (not merge.conflicts and kept is None):
        return None
    why = (f"with {kept.side} chosen: {reason}",) if kept and (reason := _why(kept, merge)) else ()
    found = {
        "branch": state.opened.branch if state.opened else "",
        "files": merge.conflicts or (kept.files if kept else ()),
        "notes": (*why, *merge.notes),
        "versions": merge.versions or (kept.versions if kept else ""),
        "tip": merge.tip or (kept.tip if kept else ""),
    }
    return about.model_copy(update=found)


def _why(kept: RunSideChoice, merge: MergeResult) -> str:
    """Say why a side that was chosen could not be kept."""
    if kept.versions and merge.versions and kept.versions != merge.versions:
        return "the files are not what was shown any more, so nothing was merged: choose again"
    return merge.failure


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"merges": state.merges.model_copy(update=changes)})


def _with_open(state: ThreadState, subject: str, **changes: object) -> ThreadState:
    changed = state.merges.open[subject].model_copy(update=changes)
    return _with(state, open={**state.merges.open, subject: changed})


def _closed(state: ThreadState, subject: str) -> ThreadState:
    """Return the thread without an open conflict, whose worktree is to be removed."""
    left = {name: c for name, c in state.merges.open.items() if name != subject}
    return _with(state, open=left, dropped=_dropped(state.merges, subject))


def _dropped(merges: Merges, subject: str) -> tuple[DroppedWork, ...]:
    """Return the worktrees to remove, with that of a conflict that nobody resolves in it now."""
    found = merges.open[subject]
    if not found.run or found.stage in _BY_AGENT:
        return merges.dropped
    return (*merges.dropped, DroppedWork(**found.conflict.whose, run=found.run))


def _merging(state: ThreadState, session_id: SessionId, commit: str) -> ThreadState:
    """Return the thread with a chat's resolved changes to be merged."""
    return state.model_copy(update={"lifecycle": state.lifecycle.merging(session_id, commit)})


@THREAD_RULES.evolves
def apply_conflict_found(event: merging_events.ConflictFound, state: ThreadState) -> ThreadState:
    subject, merges = event.conflict.subject, state.merges
    before = _closed(state, subject) if subject in merges.open else state
    return _with(
        before,
        open={**before.merges.open, subject: OpenConflict(conflict=event.conflict)},
        kept={name: kept for name, kept in merges.kept.items() if name != subject},
    )


@THREAD_RULES.evolves
def apply_conflict_answered(
    event: merging_events.ConflictAnswered, state: ThreadState
) -> ThreadState:
    subject, found = event.subject, state.merges.open[event.subject]
    match event.how:
        case ConflictChoice.BY_HAND:
            changes = {"stage": ConflictStage.PREPARING, "run": event.run, "failure": ""}
            return _with_open(_numbered(event, state), subject, **changes)
        case ConflictChoice.DONE if found.conflict.resolution is not None:
            merging = _merging(state, SessionId(subject), found.conflict.resolution.commit)
            return _closed(merging, subject)
        case ConflictChoice.DONE:
            changes = {"stage": ConflictStage.CHECKING, "tries": found.tries + 1, "failure": ""}
            return _with_open(state, subject, **changes)
        case ConflictChoice.AGENT if event.session_id:
            dropped = _with(_numbered(event, state), dropped=_dropped(state.merges, subject))
            asked = found.conflict.model_copy(update={"resolution": None})
            resolving = OpenConflict(
                conflict=asked, stage=ConflictStage.RESOLVING, run=event.run, left=found.left
            )
            return _with(dropped, open={**dropped.merges.open, subject: resolving})
        case ConflictChoice.AGENT:
            return _closed(_worked_on(state, found.conflict, event.run), subject)
        case ConflictChoice.KEEP_A | ConflictChoice.KEEP_B:
            return _kept(event, found.conflict, state)
        case ConflictChoice.LEAVE:
            return state


def _numbered(event: merging_events.ConflictAnswered, state: ThreadState) -> ThreadState:
    """Return the thread with the number of what resolves a conflict taken."""
    if event.session_id:
        return _with(state, chats={**state.merges.chats, event.session_id: event.run})
    newest = max(event.run, state.runs.get(event.task_id, 0))
    return state.model_copy(update={"runs": {**state.runs, event.task_id: newest}})


def _kept(
    event: merging_events.ConflictAnswered, conflict: Conflict, state: ThreadState
) -> ThreadState:
    """Return the thread with a merge to be made in which one side is kept."""
    after = _closed(state, event.subject)
    if event.session_id:
        after = _merging(after, event.session_id, conflict.commit)
    else:
        after = after.model_copy(update={"settling": (*state.settling, event.task_id)})
    kept = RunSideChoice(
        run=after.lifecycle.merge_count if event.session_id else conflict.run,
        side=SIDES[event.how],
        files=conflict.files,
        versions=conflict.versions,
        tip=conflict.tip,
    )
    return _with(after, kept={**state.merges.kept, event.subject: kept})


def _worked_on(
    state: ThreadState, conflict: Conflict, run: int, resolved: Snapshot | None = None
) -> ThreadState:
    """Return the thread with a run of a task that resolves its conflict."""
    work = ConflictWork(
        run=run,
        commit=conflict.commit,
        files=conflict.files,
        notes=conflict.notes,
        resolved=resolved,
    )
    return _with(state, works={**state.merges.works, conflict.task_id: work})


@THREAD_RULES.evolves
def apply_conflict_prepared(
    event: merging_events.ConflictPrepared, state: ThreadState
) -> ThreadState:
    if event.failure:
        changes = {"stage": ConflictStage.ASKED, "failure": event.failure}
        return _with_open(state, event.subject, **changes)
    return _with_open(state, event.subject, stage=ConflictStage.BY_HAND, path=event.path)


@THREAD_RULES.evolves
def apply_conflict_unresolved(
    event: merging_events.ConflictUnresolved, state: ThreadState
) -> ThreadState:
    is_agents = state.merges.open[event.subject].stage is ConflictStage.RESOLVING
    stage = ConflictStage.ASKED if is_agents else ConflictStage.BY_HAND
    changes = {"left": event.files, "failure": event.failure}
    return _with_open(state, event.subject, stage=stage, **changes)


@THREAD_RULES.evolves
def apply_conflict_resolved(
    event: merging_events.ConflictResolved, state: ThreadState
) -> ThreadState:
    conflict = state.merges.open[event.subject].conflict
    if event.session_id:
        merging = _merging(state, event.session_id, event.snapshot.commit)
        return _closed(merging, event.subject)
    return _closed(_worked_on(state, conflict, event.run, event.snapshot), event.subject)


@THREAD_RULES.evolves
def apply_resolution_proposed(
    event: merging_events.ResolutionProposed, state: ThreadState
) -> ThreadState:
    conflict = state.merges.open[event.subject].conflict
    resolved = conflict.model_copy(update={"resolution": event.snapshot})
    changes = {"conflict": resolved, "stage": ConflictStage.RESOLVED, "left": (), "failure": ""}
    return _with_open(state, event.subject, **changes)


@THREAD_RULES.evolves
def apply_conflict_dropped(
    event: merging_events.ConflictDropped, state: ThreadState
) -> ThreadState:
    after = _closed(state, event.subject)
    if not event.session_id:
        return after
    ended = after.lifecycle.merged.get(event.session_id, ChatMerge())
    left = ended.model_copy(update={"conflicts": (), "failure": ""})
    merged = {**after.lifecycle.merged, event.session_id: left}
    lifecycle = after.lifecycle.model_copy(update={"merged": merged})
    return after.model_copy(update={"lifecycle": lifecycle})


@THREAD_RULES.evolves
def apply_conflict_work_removed(
    event: merging_events.ConflictWorkRemoved, state: ThreadState
) -> ThreadState:
    return _with(state, dropped=tuple(w for w in state.merges.dropped if w != event.work))


@THREAD_RULES.evolves
def apply_collisions_checked(
    event: merging_events.CollisionsChecked, state: ThreadState
) -> ThreadState:
    reported = (*state.merges.reported, *(f"{state.approved}:{c.key}" for c in event.found))
    tried = {**state.merges.tried, event.task_id: event.commit}
    return _with(state, reported=reported[-MAX_REPORTED:], tried=tried)
