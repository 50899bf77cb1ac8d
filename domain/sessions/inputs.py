"""What a session's workflow starts with."""

from domain.agents import Prompt, SessionRole
from domain.answered import Answered
from domain.ids import SessionId, ThreadId
from domain.sessions.state import SessionState
from domain.wire import Wire
from domain.workspaces import WorkspaceKind, WorkspaceSpec


class SessionInput(Wire):
    """One conversation; `carried` is the state of a run that continued as new."""

    thread_id: ThreadId
    project: str
    repository: str
    host: str
    base: str
    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    first_key: str
    first_prompt: Prompt
    carried: SessionState | None = None
    events_so_far: int = 0
    effects_so_far: int = 0
    answered: Answered = Answered()

    @property
    def workspace(self) -> WorkspaceSpec:
        """The session's worktree: a planner's is thrown away, a chat's is checkpointed."""
        is_planner = self.role is SessionRole.PLANNER
        return WorkspaceSpec(
            workspace_id=self.session_id,
            kind=WorkspaceKind.PLANNING if is_planner else WorkspaceKind.CHAT,
            repository=self.repository,
            thread_id=self.thread_id,
            base=self.base,
        )
