"""What requests about threads bring."""

from typing import Annotated, Literal

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Goal, Name
from api.core.dependencies import MAX_POSITION
from domain.agents.offers import AgentOptions
from domain.core.wire import Body
from domain.plans.settings import PlannerOverrides, PlannerSettings, Steps

Position = Annotated[int, Field(ge=1, le=MAX_POSITION)]
"""A position in the journal: what came at or before it counts."""


class ForkBody(CommandBody):
    """A moment of a thread to fork from; what is left out is as it was there.

    The work begins at the newest checkpoint of the thread's branch until then, or of the task or
    session whose `stream` is named.
    """

    position: Position
    stream: Name | None = None
    goal: Goal | None = None
    agent: Name | None = None
    model: Name | None = None
    is_planned: bool | None = None
    """Whether it begins with a planner; by default where the thread had one or a plan."""


class RetryBody(CommandBody):
    """A task to run again; with a `position` from its newest checkpoint until then."""

    position: Position | None = None


ShownCommit = Annotated[str, Field(pattern="^[0-9a-f]{40}([0-9a-f]{24})?$")]


class PublishBody(CommandBody):
    """Where a thread's branch is pushed to; `address` is that of the remote where it has changed.

    If the branch has moved from the `commit` that was shown, nothing is pushed.
    """

    commit: ShownCommit | Literal[""] = ""
    remote: str = Field(default="", max_length=200)
    address: str = Field(default="", max_length=300)
    wants_pull_request: bool = True


class MergeBody(CommandBody):
    """What was shown: where the thread's branch was, and the branch that it is merged into."""

    commit: ShownCommit
    target_commit: ShownCommit


class ThreadBody(CommandBody):
    """A thread to open."""

    repository: Folder
    goal: Goal
    agent: Name | None = None
    model: Name | None = None
    options: AgentOptions = {}
    template: Name | None = None
    is_planned: bool = True
    plan_files: bool | None = None
    """Whether its agents may keep plan files; as `TREADLE_PLAN_FILES` says unless given."""
    max_parallel_tasks: Steps | None = None
    """The same as `max_parallel_steps` of the planner."""
    planner: PlannerOverrides = PlannerOverrides()

    def planner_over(self, settings: PlannerSettings) -> PlannerSettings:
        """Return how plans run in this thread."""
        planner = self.planner.over(settings)
        if self.max_parallel_tasks is None:
            return planner
        return planner.model_copy(update={"max_parallel_steps": self.max_parallel_tasks})


class TrustBody(Body):
    """A yes to the git metadata of a repository as it was shown."""

    repository: Folder
    content_hash: Name
