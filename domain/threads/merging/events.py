"""Events of merges that conflict, or would."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.workspaces import Collision, Snapshot
from domain.tasks.conflicts import Conflict, DroppedWork, OfMerge
from domain.tasks.running_commands import ConflictChoice


class ConflictFound(EventBody):
    """The merge of a task or of a chat conflicts: a person is asked how it is resolved."""

    kind: Literal["conflict_found"] = "conflict_found"
    conflict: Conflict


class ConflictAnswered(OfMerge, EventBody):
    """A person said how a conflict is resolved; `run` is the one that resolves it, 0 for none.

    Of a chat's it counts what its agent or a person by hand has done about its conflicts.
    """

    kind: Literal["conflict_answered"] = "conflict_answered"
    how: ConflictChoice
    run: int = 0
    by: str = ""


class ConflictPrepared(OfMerge, EventBody):
    """A worktree with the merge under way waits for a person; or `failure` says why there is none."""

    kind: Literal["conflict_prepared"] = "conflict_prepared"
    run: int
    path: str = ""
    failure: str = ""


class ConflictUnresolved(OfMerge, EventBody):
    """What a person said was done is not: these files hold markers, or it could not be taken up."""

    kind: Literal["conflict_unresolved"] = "conflict_unresolved"
    files: tuple[str, ...] = ()
    failure: str = ""


class ConflictResolved(OfMerge, EventBody):
    """A person resolved a conflict by hand; a task's is verified next, a chat's is merged."""

    kind: Literal["conflict_resolved"] = "conflict_resolved"
    run: int
    snapshot: Snapshot


class ResolutionProposed(OfMerge, EventBody):
    """The agent of a chat resolved its conflict in its session: a person looks at it, then merges it."""

    kind: Literal["resolution_proposed"] = "resolution_proposed"
    run: int
    snapshot: Snapshot


class ConflictDropped(OfMerge, EventBody):
    """A conflict is of no matter any more: its task, the plan or the wish to merge it was ended."""

    kind: Literal["conflict_dropped"] = "conflict_dropped"
    by: str = ""


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
    | ResolutionProposed
    | ConflictDropped
    | ConflictWorkRemoved
    | CollisionsChecked
)
