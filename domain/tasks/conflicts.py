"""Conflicts of merges and coming collisions: what a thread remembers of them."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from domain.core.ids import SessionId, TaskId, ThreadId
from domain.core.task_names import task_name, typed_task
from domain.core.wire import Wire
from domain.core.workspaces import SideChoice, Snapshot
from domain.tasks.running_commands import ConflictChoice

MAX_REPORTED = 200


def is_chat(subject: str) -> bool:
    """Tell whether a merge is that of a chat's changes: no task's id has a slash."""
    return "/" in subject


def base_subject(thread_id: ThreadId) -> SessionId:
    """Return whose the conflict of a thread's base is called; no session has that id."""
    return SessionId(f"{thread_id}/base")


def is_base(subject: str) -> bool:
    """Tell whether a merge is that of a thread's base."""
    return is_chat(subject) and subject.rpartition("/")[2] == "base"


class OfMerge(Wire):
    """Base of what is about the merge of a task's work, or of a chat's changes."""

    task_id: TaskId = TaskId("")
    session_id: SessionId | None = Field(default=None, exclude_if=lambda session: session is None)

    @property
    def subject(self) -> str:
        """Whose merge it is: a task's id, or that of a session, which no task can have."""
        return self.session_id or self.task_id

    @property
    def whose(self) -> dict[str, Any]:
        """The fields that name the subject, for what tells more of it."""
        return {"task_id": self.task_id, "session_id": self.session_id}

    @property
    def called(self) -> str:
        """What people call the subject: `session-2`, or the task's id."""
        return self.subject.rpartition("/")[2]

    @property
    def typed(self) -> str:
        """What is typed after the thread, with a space before: a task's id, `session-2`, or nothing."""
        return typed_task(self.called)

    def named(self, word: str = "task") -> str:
        """Return what texts call the subject: `session-2`, `task app`, `the work`."""
        return self.called if self.session_id else task_name(self.task_id or "", word)


class Conflict(OfMerge):
    """What a person is asked about; A is what is on the thread's branch, B the task's or chat's commit.

    `files` are the first 100, `notes` the first of git's words, or why an earlier answer did not do.
    `tip` is where the branch was, `versions` names what both sides have in the files: an answer that
    keeps a side holds for these alone. `run` is the task's run, or the number of the chat's merge.
    `resolution` is what the chat's agent made of it, which is merged once a person says so.
    """

    run: int
    commit: str
    branch: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    versions: str = ""
    tip: str = ""
    resolution: Snapshot | None = Field(default=None, exclude_if=lambda found: found is None)

    @property
    def asks(self) -> str:
        """What a person is asked, in a phrase."""
        if self.resolution is not None:
            return f"a look at how the agent of {self.called} resolved its conflict"
        return f"a way to resolve the conflict of {self.named()}"


class ConflictStage(StrEnum):
    """Where a conflict stands: asked, on its way to be resolved by hand or by a chat's agent.

    What the agent of a chat has resolved waits for a person who looks at it.
    """

    ASKED = "asked"
    PREPARING = "preparing"
    BY_HAND = "by_hand"
    CHECKING = "checking"
    RESOLVING = "resolving"
    RESOLVED = "resolved"


class OpenConflict(Wire):
    """A conflict that is not resolved; `run` is that of the work by hand, or of a chat's agent.

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
    """Return the answers that a conflict takes now; only a chat's may be left as it is."""
    stage = found.stage
    if stage in {ConflictStage.PREPARING, ConflictStage.CHECKING}:
        return ()
    first = {
        ConflictStage.BY_HAND: (ConflictChoice.DONE,),
        ConflictStage.RESOLVED: (ConflictChoice.DONE, ConflictChoice.BY_HAND),
    }.get(stage, (ConflictChoice.BY_HAND,))
    is_agents = stage is not ConflictStage.RESOLVING and not is_base(found.conflict.subject)
    agent = (ConflictChoice.AGENT,) if is_agents else ()
    last = (ConflictChoice.LEAVE,) if found.conflict.session_id else ()
    return (*first, ConflictChoice.KEEP_A, ConflictChoice.KEEP_B, *agent, *last)


class RunSideChoice(SideChoice):
    """A person's choice of a side, for one run of a task, or one merge of a chat."""

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


class DroppedWork(OfMerge):
    """A worktree in which nobody resolves a conflict any longer."""

    run: int


class Merges(Wire):
    """All of a thread that has to do with merges that conflict, or would; `open` and `kept` by subject.

    `tried` is the commit of each task whose trial merges are over, `told` what was told of them.
    `chats` counts what was done about the conflicts of each chat: by hand, or by its agent.
    """

    open: dict[str, OpenConflict] = {}
    kept: dict[str, RunSideChoice] = {}
    works: dict[TaskId, ConflictWork] = {}
    dropped: tuple[DroppedWork, ...] = ()
    tried: dict[TaskId, str] = {}
    reported: tuple[str, ...] = ()
    chats: dict[SessionId, int] = {}

    def of_another_plan(self) -> "Merges":
        """Return what is left of it when another plan starts: worktrees to remove, what was told.

        A task of the new plan may have the id of an old one, and takes up none of its work. Chats are
        of no plan.
        """
        return Merges(
            open={name: c for name, c in self.open.items() if c.conflict.session_id},
            kept={name: kept for name, kept in self.kept.items() if is_chat(name)},
            dropped=self.dropped,
            reported=self.reported,
            chats=self.chats,
        )

    @property
    def has_chats(self) -> bool:
        """Whether a chat's conflict is open, or its worktree is still to be removed."""
        dropped = any(work.session_id for work in self.dropped)
        return dropped or any(is_chat(subject) for subject in self.open)

    def without(self, removed: tuple[TaskId, ...]) -> "Merges":
        """Return it without the work of tasks that the plan has no more."""
        works = {name: work for name, work in self.works.items() if name not in removed}
        return self.model_copy(update={"works": works})

    def work_of(self, task_id: TaskId, run: int) -> ConflictWork | None:
        """Return the conflict that a run of a task resolves, if it does."""
        work = self.works.get(task_id)
        return work if work is not None and work.run == run else None

    def kept_of(self, subject: str, run: int) -> RunSideChoice | None:
        """Return whose side of its conflict a merge keeps, if a person chose one."""
        kept = self.kept.get(subject)
        return kept if kept is not None and kept.run == run else None
