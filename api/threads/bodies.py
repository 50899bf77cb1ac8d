"""Bodies of requests about threads."""

from typing import Annotated, Literal

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Goal, Name, PlacedBody, RecipeText
from api.core.dependencies import MAX_POSITION
from domain.agents.offers import AgentOptions
from domain.agents.past_sessions import MAX_SESSION_ID, MAX_TITLE
from domain.core.attachments import MAX_ATTACHMENTS, Attachment
from domain.core.beside import MAX_BESIDE
from domain.core.wire import Body
from domain.forges.policy import PublishAs
from domain.forges.pull_requests import MergeMethod, MergeTiming
from domain.plans.best_of import MAX_CANDIDATES, MIN_CANDIDATES, BestOf, BestOfEnd
from domain.plans.settings import PlannerOverrides, PlannerSettings, Steps
from domain.threads.bases.commands import BaseMethod

Position = Annotated[int, Field(ge=1, le=MAX_POSITION)]
"""A journal position; later events do not count."""


class ForkBody(CommandBody):
    """Where to fork a thread; fields that are left out are copied from it.

    Work starts from the last checkpoint at or before `position` of the thread's branch, or of the task
    or session that `stream` names.
    """

    position: Position
    stream: Name | None = None
    goal: Goal | None = None
    agent: Name | None = None
    model: Name | None = None
    is_planned: bool | None = None
    """Whether to start with a planner. Default: if the thread had one, or a plan."""


class RetryBody(CommandBody):
    """A task to run again; with a `position`, from its last checkpoint at or before it."""

    position: Position | None = None


ShownCommit = Annotated[str, Field(pattern="^[0-9a-f]{40}([0-9a-f]{24})?$")]


class PublishBody(CommandBody):
    """Where to push a thread's branch; `address` is the remote's, if it has changed.

    If the branch is no longer at `commit`, nothing is pushed. `publish_as` is what is one pull request: the `thread`, or each
    of its `tasks`, stacked on the one before; as the template and the plan say where it is missing.
    """

    commit: ShownCommit | Literal[""] = ""
    remote: str = Field(default="", max_length=200)
    address: str = Field(default="", max_length=300)
    wants_pull_request: bool = True
    publish_as: Annotated[PublishAs | None, Field(strict=False)] = None


class MergeBody(CommandBody):
    """The reviewed commits of the thread's branch and of the target branch."""

    commit: ShownCommit
    target_commit: ShownCommit
    beside: Annotated[dict[Name, ShownCommit], Field(max_length=MAX_BESIDE)] = {}
    """The reviewed commits of the target branches in the repositories beside, by their names."""


class BaseBody(CommandBody):
    """How the base is taken in: by the thread's policy, or otherwise this once."""

    method: Annotated[BaseMethod, Field(strict=False)] = BaseMethod.POLICY


class DismissItemBody(CommandBody):
    """The item of the pull request to dismiss."""

    item_id: Name


class ReworkItemBody(CommandBody):
    """The item of the pull request to rework: a failed check, a comment or a review."""

    item_id: Name


class MergePullRequestBody(CommandBody):
    """The head commit that was shown, and how it is merged; by default as the thread's policy says."""

    commit: ShownCommit
    method: Annotated[MergeMethod | None, Field(strict=False)] = None
    timing: Annotated[MergeTiming, Field(strict=False)] = MergeTiming.NOW


class ContinuedSession(Body):
    """A session of the agent that a person began elsewhere, as `POST /v1/agents/NAME/sessions` lists it."""

    agent_session: Annotated[str, Field(min_length=1, max_length=MAX_SESSION_ID)]
    title: Annotated[str, Field(max_length=MAX_TITLE)] = ""


class BestOfBody(Body):
    """Agents that do a task at once, each as `AGENT` or `AGENT:MODEL`; a person takes the work of one.

    With `first_passed` the others are stopped once the work of one has passed its verification. The `judge` gives
    its opinion, and decides nothing.
    """

    agents: Annotated[list[Name], Field(min_length=MIN_CANDIDATES, max_length=MAX_CANDIDATES)]
    ends: Annotated[BestOfEnd, Field(strict=False)] = BestOfEnd.ALL
    judge: Name | Literal[""] = ""

    @property
    def best_of(self) -> BestOf:
        """The same for a thread."""
        return BestOf(agents=tuple(self.agents), ends=self.ends, judge=self.judge)


class ThreadBody(PlacedBody):
    """A thread to open."""

    repository: Folder
    goal: Goal
    agent: Name | None = None
    model: Name | None = None
    options: AgentOptions = {}
    template: Name | None = None
    is_planned: bool = False
    """Whether planning begins at once. Otherwise the thread is a chat, which can be planned at any time."""
    plan_files: bool | None = None
    """Whether its agents may write plan files. Default: the setting `TREADLE_PLAN_FILES`."""
    max_parallel_tasks: Steps | None = None
    """The same as `max_parallel_steps` of `planner`."""
    planner: PlannerOverrides = PlannerOverrides()
    best_of: BestOfBody | None = None
    """Agents that do each task at once, in place of what the template says."""
    also: Annotated[list[Folder], Field(max_length=MAX_BESIDE)] = []
    """Folders of other repositories that its work may change: committed, verified and merged together."""
    attachments: Annotated[list[Attachment], Field(max_length=MAX_ATTACHMENTS)] = []
    """Responses of `POST /v1/attachments`: files that go with the goal."""
    continues: ContinuedSession | None = None
    """The session that it goes on with, once: again it is the same thread. It is a chat, and `goal` its next message."""
    workspace: RecipeText | None = None
    """Its workspace recipe (TOML), trusted for this thread; empty for none. Default: the repository's and the template's."""

    def planner_over(self, settings: PlannerSettings) -> PlannerSettings:
        """Return the settings of plans in this thread."""
        planner = self.planner.over(settings)
        if self.max_parallel_tasks is None:
            return planner
        return planner.model_copy(update={"max_parallel_steps": self.max_parallel_tasks})


class TrustBody(Body):
    """The git metadata to trust, by the hash of what was reviewed."""

    repository: Folder
    content_hash: Name


class SetUpBody(CommandBody):
    """The recipe to set up by: a text, or else the file of a repository; by default the thread's own."""

    text: RecipeText | None = None
    repository: Folder | None = None
