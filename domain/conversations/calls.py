"""What the activities of a conversation take."""

from domain.agents.agents import TurnInput
from domain.core.effects import Effect
from domain.core.ids import SessionId
from domain.core.workspaces import WorkspaceSpec


class TurnCall(Effect):
    """Run one turn."""

    turn: TurnInput


class CloseSessionCall(Effect):
    """End a session's agent process and release its workspace, where it has one of its own."""

    session_id: SessionId
    workspace: WorkspaceSpec | None
