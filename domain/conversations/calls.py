"""What the activities of a conversation take."""

from domain.agents.agents import TurnInput
from domain.core.effects import Effect
from domain.core.ids import SessionId
from domain.core.summaries import last_part
from domain.core.workspaces import WorkspaceSpec


class TurnCall(Effect):
    """Run one turn."""

    turn: TurnInput

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        role = self.turn.role.replace("_", " ")
        session = last_part(self.turn.session_id)
        again = f", try {self.turn.refusals + 1}" if self.turn.refusals else ""
        return f"{role} turn of {session} with {self.turn.agent}{again}"


class CloseSessionCall(Effect):
    """End a session's agent process and release its workspace, where it has one of its own."""

    session_id: SessionId
    workspace: WorkspaceSpec | None

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        place = " and remove its worktree" if self.workspace else ""
        return f"end the agent of {last_part(self.session_id)}{place}"
