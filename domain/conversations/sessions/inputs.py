"""What a session's workflow starts with."""

from pydantic import Field

from domain.agents.agents import READERS, Prompt, PromptName, SessionRole
from domain.agents.limits.money import TurnLimits
from domain.agents.offers import AgentOptions
from domain.conversations.place import FlowPlace
from domain.conversations.sessions.state import SessionState
from domain.core.ids import SessionId, ThreadId, TurnId, session_workspace_id
from domain.core.inputs import WorkflowInput
from domain.core.listing import Listing
from domain.core.summaries import last_part
from domain.core.wire import Wire
from domain.core.workspaces import BesideRepository, CommitSpec, WorkspaceKind, WorkspaceSpec


class Grant(Wire):
    """The directory that chats share is a turn's; later ones have larger numbers."""

    turn_id: TurnId
    number: int


class SessionInput(WorkflowInput):
    """One conversation; `carried` is the state of a run that continued as new.

    One without a worktree of its own works in the thread's common directory.
    """

    thread_id: ThreadId
    project: str
    repository: str
    host: str
    base: str
    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    first_key: str
    first_prompt: Prompt
    first_place: FlowPlace | None = None
    branch: str | None = None
    """The branch of the directory that it shares, where that has one: a flow's run has."""

    directory_of: str = ""
    """Whose directory it shares, where that is not its thread's: a flow's run may work in another's."""

    has_own_worktree: bool = True
    max_context_tokens: int | None = None
    has_plan_files: bool = False
    hosts: tuple[str, ...] = ()
    set_up: str = ""
    name: str = Field(default="", exclude_if=lambda name: not name)
    beside: tuple[BesideRepository, ...] = Field(default=(), exclude_if=lambda beside: not beside)
    agent_session: str | None = Field(default=None, exclude_if=lambda session: session is None)
    """The agent's own session that it goes on with."""

    person: str = ""
    generation: int = Field(default=0, exclude_if=lambda generation: not generation)
    money: TurnLimits | None = Field(default=None, exclude_if=lambda limits: limits is None)
    is_end_reported: bool = False
    """Whether its thread is told when somebody else closes it."""

    carried: SessionState | None = None

    @property
    def listing(self) -> Listing:
        """What Temporal's lists show of it."""
        role = self.role.replace("_", " ")
        return Listing(
            kind="session",
            status="running",
            title=f"{role} with {self.agent} in {last_part(self.session_id)}",
            project=self.project,
            person=self.person,
            agent=self.agent,
            look=f"treadle logs {self.thread_id}",
        )

    @property
    def workspace(self) -> WorkspaceSpec:
        """The session's worktree: a reader's is thrown away, a chat's is checkpointed."""
        is_reader = self.role in READERS
        owner = ThreadId(self.directory_of or self.thread_id)
        return WorkspaceSpec(
            workspace_id=session_workspace_id(
                owner, self.session_id, has_own=self.has_own_worktree
            ),
            kind=WorkspaceKind.PLANNING if is_reader else WorkspaceKind.CHAT,
            repository=self.repository,
            thread_id=owner,
            base=self.base,
            branch=None if self.has_own_worktree else self.branch,
            hosts=self.hosts,
            recipe="" if is_reader else self.set_up,
            name=self.name,
            beside=self.beside,
        )

    def workspace_for(self, prompt: Prompt) -> WorkspaceSpec:
        """Return the worktree of a turn; where it resolves a conflict, with that merge under way."""
        if not prompt.merging:
            return self.workspace
        return self.workspace.model_copy(update={"merging": prompt.merging})

    def commit_of(self, turn_id: TurnId, number: int, role: SessionRole) -> CommitSpec | None:
        """Return how a turn's changes are checkpointed; None for a reader, which may change nothing."""
        if role in READERS:
            return None
        what = "Flow" if self.role is SessionRole.FLOW else "Chat"
        return CommitSpec(
            key=turn_id,
            title=f"{what} turn {number}",
            trailers=(("Treadle-Thread", self.thread_id),),
            checkpoint_ref=f"refs/treadle/{self.session_id}/{number}",
            is_of_turn=not self.has_own_worktree,
        )


def prompt_of(state: SessionState) -> Prompt | None:
    """Return the prompt of the running turn, None where none runs."""
    if state.conversation.is_compacting:
        return Prompt(fields={"text": f"/{state.conversation.compact_command}"})
    return state.running.prompt if state.running else None


def primer_of(session: SessionInput, state: SessionState) -> Prompt | None:
    """Return what goes around the running turn's prompt where its agent knows no earlier ones."""
    conversation = state.conversation
    is_first = conversation.turns - conversation.reset_after <= 1 and not conversation.is_fresh
    if is_first and session.agent_session is None:
        return None
    first = session.first_prompt.fields
    messages = "\n".join(f"- {text}" for text in state.remembered[:-1])
    fields = {
        "description": first.get("goal", "") or first.get("text", ""),
        "handoff": first.get("handoff", ""),
        "progress": messages and f"The last messages to you were:\n\n{messages}",
    }
    return Prompt(name=PromptName.COMPACTED, fields=fields)
