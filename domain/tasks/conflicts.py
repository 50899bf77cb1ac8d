"""Conflicts of merges and coming collisions: what a thread remembers of them."""

from enum import StrEnum

from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.core.workspaces import SideChoice, Snapshot
from domain.tasks.running_commands import ConflictChoice

MAX_REPORTED = 200


class Conflict(Wire):
    """What a person is asked about; A is what is on the thread's branch, B the task's commit.

    `files` are the first 100, `notes` the first of git's words, or why an earlier answer did not do.
    `tip` is where the branch was, `versions` names what both sides have in the files: an answer that
    keeps a side holds for these alone.
    """

    task_id: TaskId
    run: int
    commit: str
    branch: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    versions: str = ""
    tip: str = ""


class ConflictStage(StrEnum):
    """Where a conflict stands: asked, or on its way to be resolved by hand."""

    ASKED = "asked"
    PREPARING = "preparing"
    BY_HAND = "by_hand"
    CHECKING = "checking"


class OpenConflict(Wire):
    """A conflict that is not resolved; `run` is the run that the work by hand is prepared for.

    `left` are the files that held markers when the person said that it was done, `failure` is why it
    could not be prepared or taken up.
    """

    conflict: Conflict
    stage: ConflictStage = ConflictStage.ASKED
    run: int = 0
    tries: int = 0
    path: str = ""
    left: tuple[str, ...] = ()
    failure: str = ""


def choices(found: OpenConflict) -> tuple[ConflictChoice, ...]:
    """Return the answers that a conflict takes now."""
    if found.stage in {ConflictStage.PREPARING, ConflictStage.CHECKING}:
        return ()
    first = ConflictChoice.DONE if found.stage is ConflictStage.BY_HAND else ConflictChoice.BY_HAND
    return (first, ConflictChoice.KEEP_A, ConflictChoice.KEEP_B, ConflictChoice.AGENT)


class RunSideChoice(SideChoice):
    """A person's choice of a side, for one run of a task."""

    run: int


class ConflictWork(Wire):
    """What a run of a task resolves: the commit that is merged in, and what conflicted.

    With `resolved` a person did it by hand: the run begins with its verification.
    """

    run: int
    commit: str
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    resolved: Snapshot | None = None


class DroppedWork(Wire):
    """A worktree in which nobody resolves a conflict any longer."""

    task_id: TaskId
    run: int


class Merges(Wire):
    """All of a thread that has to do with merges that conflict, or would.

    `tried` is the commit of each task whose trial merges are over, `told` what was told of them.
    """

    open: dict[TaskId, OpenConflict] = {}
    kept: dict[TaskId, RunSideChoice] = {}
    works: dict[TaskId, ConflictWork] = {}
    dropped: tuple[DroppedWork, ...] = ()
    tried: dict[TaskId, str] = {}
    reported: tuple[str, ...] = ()

    def of_another_plan(self) -> "Merges":
        """Return what is left of it when another plan starts: worktrees to remove, what was told.

        A task of the new plan may have the id of an old one, and takes up none of its work.
        """
        return Merges(dropped=self.dropped, reported=self.reported)

    def without(self, removed: tuple[TaskId, ...]) -> "Merges":
        """Return it without the work of tasks that the plan has no more."""
        works = {name: work for name, work in self.works.items() if name not in removed}
        return self.model_copy(update={"works": works})

    def work_of(self, task_id: TaskId, run: int) -> ConflictWork | None:
        """Return the conflict that a run of a task resolves, if it does."""
        work = self.works.get(task_id)
        return work if work is not None and work.run == run else None

    def kept_of(self, task_id: TaskId, run: int) -> RunSideChoice | None:
        """Return whose side of its conflict a run keeps, if a person chose one."""
        kept = self.kept.get(task_id)
        return kept if kept is not None and kept.run == run else None
