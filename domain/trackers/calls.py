"""What the tracker's workflow and its activities take and return."""

from domain.core.effects import Effect
from domain.core.inputs import WorkflowInput
from domain.core.wire import Wire
from domain.forges.issues import Issue
from domain.trackers.state import TrackedIssue, TrackerState, Untold


class TrackerInput(WorkflowInput):
    """A tracker by its name in the settings; `carried` is the state of a run that continued as new."""

    name: str
    carried: TrackerState | None = None


class LookCall(Effect):
    """Ask a tracker what changed since the last look."""

    name: str
    cursor: str = ""
    tags: dict[str, str] = {}
    known: tuple[str, ...] = ()
    """Issues that are at work, which need no check of who may set them going."""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"look at the tracker {self.name}"


class SeenIssue(Wire):
    """An issue of a look; `reason` is why it may not become work, empty where it may.

    `tracker` is the kind and host that its id counts in.
    """

    issue: Issue
    tracker: str
    reason: str = ""


class LookResult(Wire):
    """What a look brought; with a `problem` nothing, and it is asked again after `wait` seconds."""

    issues: tuple[SeenIssue, ...] = ()
    cursor: str = ""
    tags: dict[str, str] = {}
    has_more: bool = False
    wait: float = 0.0
    problem: str = ""


class IssueCall(Effect):
    """Something to do for one issue; `is_asked` by a person, for whom what was refused is tried again."""

    name: str
    issue: TrackedIssue
    is_asked: bool = False

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"follow issue {self.issue.ref.key or self.issue.ref.id}"


class EnqueueResult(Wire):
    """Whether an issue's entry is in the queue; `refusal` says why it cannot be, `untold` why it was not told there."""

    refusal: str = ""
    untold: Untold | None = None
    problem: str = ""
    wait: float = 0.0


class FollowResult(Wire):
    """How an issue stands after it was followed.

    With a `problem`, what follows it was not done, and is tried again after `wait` seconds.
    """

    issue: TrackedIssue
    said: tuple[str, ...] = ()
    withdrawn: str = ""
    unwanted: str = ""
    ended: str = ""
    problem: str = ""
    wait: float = 0.0
