"""What the activities take that keep a thread's results, write its plan's file, and remove it."""

from pydantic import Field

from domain.core.effects import Effect
from domain.core.ids import SessionId, ThreadId
from domain.core.project_map import PlanFolders
from domain.core.summaries import last_part
from domain.core.wire import Wire
from domain.core.workspaces import BesideRepository, SideChoice, WorkspaceSpec

LAST = 2**31
"""The grant of what comes after all else in a workspace."""


class MergeSessionCall(Effect):
    """Merge the newest checkpoint of a session into a branch, once per key; verified by nothing.

    With a `commit` that one instead. `keeps` is whose version of which conflicting files a person
    chose.
    """

    key: str
    repository: str
    beside: tuple[BesideRepository, ...] = Field(default=(), exclude_if=lambda beside: not beside)
    session_id: SessionId
    branch: str
    title: str
    trailers: tuple[tuple[str, str], ...] = ()
    commit: str = ""
    keeps: SideChoice | None = None

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"merge {last_part(self.session_id)} into {self.branch}"


class DocumentCall(Effect):
    """Write the file of a plan as the journal knows it, beneath the repository.

    A plan that is over goes to the other folder; with a `branch` its file is committed there, too.
    """

    thread_id: ThreadId
    plan_id: str
    repository: str
    folders: PlanFolders
    is_over: bool = False
    branch: str | None = None

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"write the file of {last_part(self.plan_id)}"


class DocumentAnswer(Wire):
    """Where the file is, in the repository, or what was in its way."""

    path: str = ""
    problem: str = ""


class RemovalCall(Effect):
    """Remove what a thread holds on its host, then its events.

    `workflows` have ended, or end soon, and are waited for. A branch with work that is on no other
    stays unless it is forced. `stems` are how the names of tasks' branches began where not as `branch`.
    `merged_as` is what a forge says that it merged the branch as; it is believed only where its files say so, too.
    Its `grant` is newer than all: the sessions have released their worktrees by numbers of their own.
    """

    grant: int = LAST

    thread_id: ThreadId
    repository: str
    beside: tuple[BesideRepository, ...] = Field(default=(), exclude_if=lambda beside: not beside)
    branch: str
    stems: tuple[str, ...] = ()
    merged_as: str = Field(default="", exclude_if=lambda commit: not commit)
    workspaces: tuple[WorkspaceSpec, ...] = ()
    sessions: tuple[SessionId, ...] = ()
    workflows: tuple[str, ...] = ()
    is_forced: bool = False

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"remove {self.thread_id} and its {self.branch or 'worktree'}"


class RemovalAnswer(Wire):
    """The branches that stayed, because their work is nowhere else."""

    kept_branches: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What people are told."""
        kept = ", ".join(self.kept_branches)
        return f"deleted; kept branches with unmerged work: {kept}" if kept else "deleted"
