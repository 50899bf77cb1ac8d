"""What the workflow of a run starts with, and what its activities take and give."""

from typing import Any

from pydantic import Field, field_serializer

from domain.core.effects import Effect
from domain.core.ids import SessionId, StreamId, ThreadId, flow_run_id, shared_workspace_id
from domain.core.inputs import WorkflowInput
from domain.core.listing import Listing, project_name
from domain.core.summaries import last_part
from domain.core.wire import Wire
from domain.core.workspaces import CommitSpec, RepositoryFacts, WorkspaceKind, WorkspaceSpec
from domain.flows.definition import FlowDefinition
from domain.flows.events import ChosenAgent, ParentRun
from domain.flows.state import FlowState
from domain.hosts.placement import HostWish
from domain.verification.calls import StepCall
from domain.verification.steps import StepResult


class FlowInput(WorkflowInput):
    """One run, with the flow as its file is now; `folder` is where in the repository it works.

    `carried` is the state of a run that continued as new, without the definition, and `started` are
    the sessions that were started by then.
    """

    run_id: StreamId
    definition: FlowDefinition
    repository: str
    folder: str = ""
    agents: dict[str, ChosenAgent] = {}
    title: str = ""
    opened_by: str = ""
    command_id: str = ""
    max_context_tokens: int | None = None
    parent: ParentRun | None = None
    hosts: HostWish = Field(default=HostWish(), exclude_if=lambda wish: wish.is_empty)
    carried: FlowState | None = None
    started: tuple[SessionId, ...] = ()

    @field_serializer("definition")
    def _compact(self, definition: FlowDefinition) -> dict[str, Any]:
        return definition.compact()

    @property
    def listing(self) -> Listing:
        """What Temporal's lists show of it."""
        chosen = dict.fromkeys(each.agent for each in self.agents.values())
        return Listing(
            kind="flow",
            status="open",
            title=self.title or f"Flow: {self.definition.name}",
            project=project_name(self.repository),
            person=self.opened_by,
            template=self.definition.name,
            agent=", ".join(chosen),
            look=f"treadle flow status {self.run_id}",
        )

    @property
    def number(self) -> int:
        """Which run of its flow it is."""
        return int(self.run_id.rpartition("-")[2])

    def numbered(self, number: int) -> "FlowInput":
        """Return the same as another run of its flow."""
        return self.model_copy(update={"run_id": flow_run_id(self.definition.name, number)})

    @property
    def state(self) -> FlowState:
        """The state to go on from."""
        if self.carried is None:
            return FlowState(run_id=self.run_id)
        return self.carried.model_copy(update={"definition": self.definition})


def directory_of(state: FlowState) -> WorkspaceSpec:
    """Return the one worktree of a run, which its conversations, commands and children work in."""
    return WorkspaceSpec(
        workspace_id=shared_workspace_id(state.owner),
        kind=WorkspaceKind.CHAT,
        repository=state.repository,
        thread_id=ThreadId(state.owner),
        base=state.branch,
        branch=state.branch,
        recipe=state.recipe,
    )


class OpenFlowCall(Effect):
    """Look at a repository and make the run's branch, where the user stands."""

    run_id: StreamId
    repository: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"open {last_part(self.repository)}"


class OpenedFlow(Wire):
    """What a run starts from."""

    facts: RepositoryFacts
    branch: str
    host: str
    recipe: str = ""


class FlowCommandCall(StepCall):
    """Run a step's command, then commit what it changed."""

    commit_spec: CommitSpec

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"run the command of visit {self.attempt}"


class FlowCommandAnswer(Wire):
    """What a command gave; `commit` is the newest of the run's branch."""

    result: StepResult
    commit: str
