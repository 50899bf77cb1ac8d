"""What is known of a tracker's issues, and how each stands."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from domain.core.approvals import ApprovalRequest
from domain.core.wire import Wire
from domain.forges.issues import IssueId

MAX_OPEN = 500
"""Issues of one tracker at work; others are taken once some have ended. All must fit into a payload of Temporal's."""

KEPT = 500
"""Issues that are over and are remembered; of others the journal knows that they had their thread."""


class Stage(StrEnum):
    """Where an issue stands."""

    TAKEN = "taken"
    QUEUED = "queued"
    WITHDRAWN = "withdrawn"
    REFUSED = "refused"
    ENDED = "ended"

    @property
    def is_open(self) -> bool:
        """Whether its entry is to come, waits or works."""
        return self in {Stage.TAKEN, Stage.QUEUED}


class ShownPlan(Wire):
    """A plan that was commented for approval: the request, the hash of what was shown, and its code."""

    request_id: str
    content_hash: str
    code: str
    is_whole: bool = True
    """Whether all of it was shown: what was cut cannot be approved by a comment."""

    revision: int = 0

    def is_of(self, request: ApprovalRequest) -> bool:
        """Tell whether a request is the one that was shown; the same plan proposed again is another one."""
        asked = (request.request_id, request.content_hash)
        return asked == (self.request_id, self.content_hash)


class Untold(Wire):
    """What a tracker refuses for good of an issue: comments by their names, or to close it.

    It is tried again once the issue changed, whose time of the last change was `updated_at`, or a person asks.
    """

    what: tuple[str, ...]
    reason: str
    updated_at: datetime


class TrackedIssue(Wire):
    """An issue that was taken, with its one entry.

    `turn` counts its entries: the next one comes only after the last was withdrawn. `seen` is the newest comment
    that was read, `told` names what was commented, `replies` counts answers to comments.
    `reason` says why it is not wanted or was not taken; `is_kept` that a person said its work goes on nevertheless.
    `leaving` is why its entry is taken out of the queue: that is carried out whatever the issue says by then.
    `trouble` is why it could not be put into the queue, or followed, the last time.
    """

    ref: IssueId
    url: str = ""
    title: str = ""
    entry_id: str
    turn: int = 1
    stage: Stage = Stage.TAKEN
    is_started: bool = False
    reason: str = ""
    is_kept: bool = False
    leaving: str = ""
    seen: str = ""
    shown: ShownPlan | None = None
    told: tuple[str, ...] = ()
    replies: int = 0
    status: str = ""
    pull_request: str = ""
    untold: Untold | None = None
    trouble: str = ""

    @property
    def needs_word(self) -> bool:
        """Whether a person must say if its work, which is not wanted any more, goes on."""
        return self.stage is Stage.QUEUED and self.reason != "" and not self.is_kept


class TrackerState(Wire):
    """One configured tracker; `issues` are by the tracker's own id.

    `cursor` and `tags` are those of the newest look; `problem` is why it came to nothing.
    """

    cursor: str = ""
    tags: dict[str, str] = {}
    issues: dict[str, TrackedIssue] = {}
    problem: str = ""
    is_paused: bool = False
    paused_by: str = ""

    @property
    def trouble(self) -> str:
        """Why the newest look came to nothing, else why an issue at work cannot be followed; empty where all is well."""
        of_issues = (f"{each.ref.key}: {each.trouble}" for each in self.open if each.trouble)
        return self.problem or next(of_issues, "")

    @property
    def open(self) -> Iterator[TrackedIssue]:
        """Issues whose entry is to come, waits or works."""
        return (issue for issue in self.issues.values() if issue.stage.is_open)
