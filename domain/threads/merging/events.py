"""Events of merges that conflict, or would."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.workspaces import Collision, Snapshot
from domain.tasks.conflicts import Conflict, DroppedWork
from domain.tasks.running_commands import ConflictChoice


class ConflictFound(EventBody):
    """A task's merge conflicts: a person is asked how it is resolved."""

    kind: Literal["conflict_found"] = "conflict_found"
    conflict: Conflict


class ConflictAnswered(EventBody):
    """A person said how a conflict is resolved; `run` is the one that resolves it, 0 for none."""

    kind: Literal["conflict_answered"] = "conflict_answered"
    task_id: TaskId
    how: ConflictChoice
    run: int = 0
    by: str = ""


class ConflictPrepared(EventBody):
    """A worktree with the merge under way waits for a person; or `failure` says why there is none."""

    kind: Literal["conflict_prepared"] = "conflict_prepared"
    task_id: TaskId
    run: int
    path: str = ""
    failure: str = ""


class ConflictUnresolved(EventBody):
    """What a person said was done is not: these files hold markers, or it could not be taken up."""

    kind: Literal["conflict_unresolved"] = "conflict_unresolved"
    task_id: TaskId
    files: tuple[str, ...] = ()
    failure: str = ""


class ConflictResolved(EventBody):
    """A person resolved a conflict by hand; it is verified next."""

    kind: Literal["conflict_resolved"] = "conflict_resolved"
    task_id: TaskId
    run: int
    snapshot: Snapshot


class ConflictDropped(EventBody):
    """A conflict is of no matter any more: its task, or the plan, was ended."""

    kind: Literal["conflict_dropped"] = "conflict_dropped"
    task_id: TaskId


class ConflictWorkRemoved(EventBody):
    """A worktree in which nobody resolves a conflict any longer was removed; its work is on a ref."""

    kind: Literal["conflict_work_removed"] = "conflict_work_removed"
    work: DroppedWork


class CollisionsChecked(EventBody):
    """A task's newest commit was merged on trial with the other work; `found` is what is new."""

    kind: Literal["collisions_checked"] = "collisions_checked"
    task_id: TaskId
    commit: str
    found: tuple[Collision, ...] = ()


ConflictEvent = (
    ConflictFound
    | ConflictAnswered
    | ConflictPrepared
    | ConflictUnresolved
    | ConflictResolved
    | ConflictDropped
    | ConflictWorkRemoved
    | CollisionsChecked
)
