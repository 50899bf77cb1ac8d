"""What people do with a plan that runs."""

import json
from enum import StrEnum

from pydantic import Field

from domain.core.command import MAX_NAME, Coded, Stopping
from domain.core.ids import SessionId, TaskId
from domain.forges.policy import PublishAs


class Pause(Stopping):
    """Start no further task; running ones finish."""

    door = "pause"


class Resume(Coded):
    """Start tasks again."""

    door = "resume"


class Cancel(Stopping):
    """Cancel the plan for good, or planning: running tasks are aborted, waiting ones cancelled."""

    door = "cancel"


class Abort(Stopping):
    """Abort a task; sent to the thread it names one, sent to the task itself it needs no name."""

    door = "abort"

    task_id: TaskId | None = Field(default=None, max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The task, where one is named."""
        return self.task_id or ""


class AbortAll(Stopping):
    """Abort running tasks and pause the plan; pending ones, and those at their gate, stay as they are."""

    door = "abort_all"


class Retry(Coded):
    """Run a failed, cancelled or blocked task again, with a new session.

    With a `commit` the new run begins with the files of that checkpoint, which the event at `position`
    tells of.
    """

    door = "retry"

    task_id: TaskId = Field(max_length=MAX_NAME)
    commit: str = Field(default="", max_length=MAX_NAME)
    position: int = 0

    @property
    def content(self) -> str:
        """The task, and the checkpoint where there is one."""
        return f"{self.task_id}@{self.commit}" if self.commit else self.task_id


class SetOwnTurns(Coded):
    """Let the thread's agent take so many more turns without a message; 0 turns them off."""

    door = "set_own_turns"

    turns: int = Field(ge=0)

    @property
    def content(self) -> str:
        """How many."""
        return str(self.turns)


class ConflictChoice(StrEnum):
    """How a conflict is resolved; A is what is on the branch, B the task's or chat's work.

    To `leave` a chat's is to merge nothing of it.
    """

    KEEP_A = "keep_a"
    KEEP_B = "keep_b"
    BY_HAND = "by_hand"
    AGENT = "agent"
    DONE = "done"
    LEAVE = "leave"

    @property
    def spoken(self) -> str:
        """What it is called on the command line."""
        return self.value.replace("_", "-")


class ResolveConflict(Coded):
    """Say how the conflict of a task's or a chat's merge is resolved; `done` ends the work by hand."""

    door = "resolve_conflict"

    task_id: TaskId = Field(default=TaskId(""), max_length=MAX_NAME)
    session_id: SessionId | None = Field(default=None, max_length=MAX_NAME)
    how: ConflictChoice
    content_hash: str = Field(default="", max_length=MAX_NAME)

    @property
    def subject(self) -> str:
        """Whose conflict it is: a session's, where one is named, else a task's."""
        return self.session_id or self.task_id

    @property
    def request(self) -> str:
        """The conflict."""
        return f"conflict/{self.subject}"

    @property
    def choice(self) -> str:
        """How."""
        return self.how

    @property
    def content(self) -> str:
        """The hash of the conflict as it was shown."""
        return self.content_hash


class Publish(Coded):
    """Push the thread's branch, and open a pull request where a token allows it.

    `address` is that of the remote, where it is not the one that the thread was opened with. With a
    `commit` it is for that one, which was shown, and refused where the branch has moved since. `publish_as` is
    what is one pull request; None is as the template and the plan say.
    """

    door = "publish"

    remote: str = Field(default="", max_length=MAX_NAME)
    address: str = Field(default="", max_length=MAX_NAME)
    wants_pull_request: bool = True
    commit: str = Field(default="", max_length=MAX_NAME)
    publish_as: PublishAs | None = None

    @property
    def content(self) -> str:
        """Where to, and what."""
        shown = (self.commit,) if self.commit else ()
        chosen = (self.publish_as,) if self.publish_as else ()
        return json.dumps((self.remote, self.address, self.wants_pull_request, *shown, *chosen))
