"""What a thread must have under way for contests."""

from domain.core.effects import Effect
from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.core.workspaces import CommitSpec, Snapshot, WorkspaceSpec
from domain.threads.contests.state import CandidateDecision, Composition, TakenFiles
from domain.threads.effects import OfRun


class TellCandidate(OfRun):
    """Tell a candidate what was decided of its work."""

    kind = "tell-candidate"
    is_resumable = True

    decision: CandidateDecision

    @property
    def name(self) -> str:
        """The run, and the request that was decided."""
        return f"{super().name}:{self.decision.outcome.request_id}"


class ComposeWork(OfRun):
    """Put the files of several candidates together on one commit."""

    kind = "compose"

    composition: Composition


class EndComposition(Wire):
    """The commit was made, or why not."""

    candidate: TaskId
    run: int
    snapshot: Snapshot | None = None
    failure: str = ""


class ComposeCall(Effect):
    """Put files of other commits into a worktree that begins with one, and commit them, once per key."""

    workspace: WorkspaceSpec
    parts: tuple[TakenFiles, ...]
    commit: CommitSpec

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"put {self.workspace.task_id} together"


class ComposedWork(Wire):
    """The commit of what was put together."""

    snapshot: Snapshot
