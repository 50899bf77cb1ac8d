"""What the activities of a thread take and give."""

from pydantic import Field

from domain.agents.past_sessions import ImportedSession
from domain.core.beside import OpenedBeside
from domain.core.effects import Effect
from domain.core.four_eyes import FourEyes
from domain.core.ids import SessionId, StreamId, TaskId, ThreadId
from domain.core.summaries import last_part, listed
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult, RepositoryFacts, SideChoice, WorkspaceSpec
from domain.forges.pull_requests import MergeMethod
from domain.plans.templates.template import PlanTemplate
from domain.threads.bases.looks import BaseLook
from domain.verification.checkouts import Recipe
from domain.verification.steps import VerificationStep


class OpenThreadCall(Effect):
    """Look at a repository, make the thread's branch, take the snapshot of its template.

    The branch begins at `base`, a child's at its parent's branch; without one, where the user stands.
    A child has its parent's template, `inherited`, and `recipe`: no file is read for it. The repository of the demo
    is made first. `also` are folders of repositories that it has beside. `projects` are what people call all of
    them, in order: a host names a URL by a folder of its own in the other fields.
    """

    thread_id: ThreadId
    repository: str
    agent: str
    template: str | None = None
    inherited: PlanTemplate | None = None
    base: str | None = None
    is_demo: bool = False
    recipe: str = ""
    also: tuple[str, ...] = Field(default=(), exclude_if=lambda also: not also)
    projects: tuple[str, ...] = Field(default=(), exclude_if=lambda projects: not projects)
    imports: ImportedSession | None = Field(
        default=None, exclude_if=lambda imports: imports is None
    )
    """The session of its agent that it goes on with; what was said in it is read."""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"open {last_part(self.repository)} for {self.agent}"


class OpenedThread(Wire):
    """What a thread starts from; `begins_at` is the commit that its branch began at, `base` what it is to come into.

    `recipe` names the text in the journal of the recipe that its workspaces are set up by. Where it has repositories
    `beside`, its own is called `name` among them.
    """

    facts: RepositoryFacts
    template: PlanTemplate
    branch: str
    host: str
    begins_at: str = ""
    base: BaseLook = Field(default=BaseLook(), exclude_if=lambda base: base == BaseLook())
    recipe: str = ""
    name: str = Field(default="", exclude_if=lambda name: not name)
    beside: tuple[OpenedBeside, ...] = Field(default=(), exclude_if=lambda beside: not beside)
    four_eyes: FourEyes = Field(default=FourEyes(), exclude_if=lambda rule: rule == FourEyes())
    imported: ImportedSession | None = Field(
        default=None, exclude_if=lambda imported: imported is None
    )


class SettleCall(Effect):
    """End a run of a task: merge what was accepted, then release everything it held.

    `commit` is None for a run that failed or was aborted: then nothing is merged. `key` becomes the
    merge commit's trailer `Treadle-Merge`; a merge that has it is not made again. A linear one moves
    the branch forward to the commit where it can, without a merge commit.

    Where the branch has moved since, the merge makes a tree that nobody verified: `steps` run on it
    first, and what they give is journaled on `stream`; reviews by
    agents are not among them. They run on a clean checkout by the `recipe`, and also
    where the commit itself was not verified by them: a child thread's, by `is_verified`.

    `earlier` are the workspaces of the task's earlier runs: one stays where its repository was away
    or not trusted when its run was settled. `keeps` is whose version of which conflicting
    files a person chose; a conflict in any others merges nothing. By which `method` its commits come in;
    those of several repositories are always merged.
    """

    key: str
    task_id: TaskId
    workspace: WorkspaceSpec
    sessions: tuple[SessionId, ...] = ()
    commit: str | None = None
    branch: str
    is_linear: bool = False
    run: int = 1
    stream: StreamId = StreamId("")
    steps: tuple[VerificationStep, ...] = ()
    port_ids: tuple[str, ...] = ()
    recipe: Recipe = Recipe()
    earlier: tuple[WorkspaceSpec, ...] = ()
    is_verified: bool = True
    keeps: SideChoice | None = None
    title: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    method: MergeMethod = Field(
        default=MergeMethod.MERGE, exclude_if=lambda method: method is MergeMethod.MERGE
    )

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        if self.commit is None:
            return f"release {self.task_id}, run {self.run}"
        return f"merge {self.task_id} into {self.branch}"


class SettleTasksCall(Effect):
    """Settle runs in this order, as many as are settled quickly; the first always is."""

    calls: tuple[SettleCall, ...]

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        if len(self.calls) == 1:
            return self.calls[0].summary
        return f"settle {listed(call.task_id for call in self.calls)}"


class SettledTasks(Wire):
    """How the first of the runs were settled, in their order."""

    merges: tuple[MergeResult, ...]
