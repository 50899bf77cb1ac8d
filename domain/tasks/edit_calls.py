"""What the activity that applies a person's suggestions takes and gives."""

from domain.core.effects import Effect
from domain.core.suggestions import Suggestion
from domain.core.text import counted
from domain.core.wire import Wire
from domain.core.workspaces import CommitSpec, Snapshot, WorkspaceSpec


class EditCall(Effect):
    """Apply suggestions to the files of a commit in a workspace, and commit them, once per key."""

    workspace: WorkspaceSpec
    snapshot: Snapshot
    suggestions: tuple[Suggestion, ...]
    commit: CommitSpec
    reviewed: str | None = None

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"apply {counted(len(self.suggestions), 'suggestion')}"


class Edited(Wire):
    """What the suggestions are committed as, or why they are not applied."""

    snapshot: Snapshot | None = None
    failure: str = ""
