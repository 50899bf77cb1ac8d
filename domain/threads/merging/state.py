"""How a thread remembers merges that conflict, or would."""

from domain.core.ids import TaskId
from domain.core.workspaces import ConflictSide, MergeResult
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
from domain.threads.merging import events as merging_events
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

SIDES = {ConflictChoice.KEEP_A: ConflictSide.BRANCH, ConflictChoice.KEEP_B: ConflictSide.TASK}


def conflict_after(state: ThreadState, task_id: TaskId, merge: MergeResult) -> Conflict | None:
    """Return what a merge leaves for a person to resolve, if it does.

    Also where a person kept a side and what that gives does not pass verification.
    """
    entry = state.tasks[task_id]
    if entry.end is not TaskEnd.ACCEPTED or entry.commit is None or merge.commit is not None:
        return None
    kept = state.merges.kept_of(task_id, entry.run)
    if not merge.conflicts and kept is None:
        return None
    why = (f"with {kept.side} chosen: {reason}",) if kept and (reason := _why(kept, merge)) else ()
    return Conflict(
        task_id=task_id,
        run=entry.run,
        commit=entry.commit,
        branch=state.opened.branch if state.opened else "",
        files=merge.conflicts or (kept.files if kept else ()),
        notes=(*why, *merge.notes),
        versions=merge.versions or (kept.versions if kept else ""),
        tip=merge.tip or (kept.tip if kept else ""),
    )


def _why(kept: RunSideChoice, merge: MergeResult) -> str:
    """Say why a side that was chosen could not be kept."""
    if kept.versions and merge.versions and kept.versions != merge.versions:
        return "the files are not what was shown any more, so nothing was merged: choose again"
    return merge.failure


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"merges": state.merges.model_copy(update=changes)})


def _with_open(state: ThreadState, task_id: TaskId, **changes: object) -> ThreadState:
    changed = state.merges.open[task_id].model_copy(update=changes)
    return _with(state, open={**state.merges.open, task_id: changed})


def _closed(state: ThreadState, task_id: TaskId) -> dict[TaskId, OpenConflict]:
    return {name: c for name, c in state.merges.open.items() if name != task_id}


def _dropped(merges: Merges, task_id: TaskId) -> tuple[DroppedWork, ...]:
    """Return the worktrees to remove, with that of a conflict that is closed now."""
    found = merges.open[task_id]
    if not found.run:
        return merges.dropped
    return (*merges.dropped, DroppedWork(task_id=task_id, run=found.run))


@THREAD_RULES.evolves
def apply_conflict_found(event: merging_events.ConflictFound, state: ThreadState) -> ThreadState:
    found = event.conflict
    merges = state.merges
    return _with(
        state,
        open={**merges.open, found.task_id: OpenConflict(conflict=found)},
        kept={name: kept for name, kept in merges.kept.items() if name != found.task_id},
    )


@THREAD_RULES.evolves
def apply_conflict_answered(
    event: merging_events.ConflictAnswered, state: ThreadState
) -> ThreadState:
    task_id, merges = event.task_id, state.merges
    conflict = merges.open[task_id].conflict
    match event.how:
        case ConflictChoice.BY_HAND:
            runs = {**state.runs, task_id: max(event.run, state.runs.get(task_id, 0))}
            after = state.model_copy(update={"runs": runs})
            changes = {"stage": ConflictStage.PREPARING, "run": event.run, "failure": ""}
            return _with_open(after, task_id, **changes)
        case ConflictChoice.DONE:
            tries = merges.open[task_id].tries + 1
            return _with_open(state, task_id, stage=ConflictStage.CHECKING, tries=tries, failure="")
        case ConflictChoice.AGENT:
            work = ConflictWork(
                run=event.run, commit=conflict.commit, files=conflict.files, notes=conflict.notes
            )
            works = {**merges.works, task_id: work}
            dropped = _dropped(merges, task_id)
            return _with(state, open=_closed(state, task_id), works=works, dropped=dropped)
        case ConflictChoice.KEEP_A | ConflictChoice.KEEP_B:
            kept = RunSideChoice(
                run=conflict.run,
                side=SIDES[event.how],
                files=conflict.files,
                versions=conflict.versions,
                tip=conflict.tip,
            )
            after = _with(
                state,
                open=_closed(state, task_id),
                kept={**merges.kept, task_id: kept},
                dropped=_dropped(merges, task_id),
            )
            return after.model_copy(update={"settling": (*state.settling, task_id)})


@THREAD_RULES.evolves
def apply_conflict_prepared(
    event: merging_events.ConflictPrepared, state: ThreadState
) -> ThreadState:
    if event.failure:
        changes = {"stage": ConflictStage.ASKED, "failure": event.failure}
        return _with_open(state, event.task_id, **changes)
    return _with_open(state, event.task_id, stage=ConflictStage.BY_HAND, path=event.path)


@THREAD_RULES.evolves
def apply_conflict_unresolved(
    event: merging_events.ConflictUnresolved, state: ThreadState
) -> ThreadState:
    changes = {"left": event.files, "failure": event.failure}
    return _with_open(state, event.task_id, stage=ConflictStage.BY_HAND, **changes)


@THREAD_RULES.evolves
def apply_conflict_resolved(
    event: merging_events.ConflictResolved, state: ThreadState
) -> ThreadState:
    conflict = state.merges.open[event.task_id].conflict
    work = ConflictWork(
        run=event.run,
        commit=conflict.commit,
        files=conflict.files,
        notes=conflict.notes,
        resolved=event.snapshot,
    )
    works = {**state.merges.works, event.task_id: work}
    dropped = _dropped(state.merges, event.task_id)
    return _with(state, open=_closed(state, event.task_id), works=works, dropped=dropped)


@THREAD_RULES.evolves
def apply_conflict_dropped(
    event: merging_events.ConflictDropped, state: ThreadState
) -> ThreadState:
    dropped = _dropped(state.merges, event.task_id)
    return _with(state, open=_closed(state, event.task_id), dropped=dropped)


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
