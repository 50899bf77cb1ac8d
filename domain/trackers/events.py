"""Events of a tracker's stream, `tracker-NAME`."""

from typing import Literal

from domain.core.event import EventBody
from domain.forges.issues import IssueId
from domain.trackers.state import TrackedIssue, Untold


class IssuesSeen(EventBody):
    """A look at the tracker brought something new; the next one begins where it ended."""

    kind: Literal["issues_seen"] = "issues_seen"
    cursor: str = ""
    tags: dict[str, str] = {}


class IssueTaken(EventBody):
    """An issue becomes an entry of the queue, with this id and no other; `turn` counts its entries."""

    kind: Literal["issue_taken"] = "issue_taken"
    ref: IssueId
    url: str = ""
    title: str = ""
    entry_id: str
    turn: int = 1


class IssueQueued(EventBody):
    """The entry of an issue is in the queue, or was there before; `untold` where its tracker took no comment on it."""

    kind: Literal["issue_queued"] = "issue_queued"
    issue_id: str
    entry_id: str
    untold: Untold | None = None


class IssueRefused(EventBody):
    """An issue does not become work, and why."""

    kind: Literal["issue_refused"] = "issue_refused"
    ref: IssueId
    url: str = ""
    title: str = ""
    reason: str


class IssueWithdrawn(EventBody):
    """The entry of an issue was taken out of the queue before it started."""

    kind: Literal["issue_withdrawn"] = "issue_withdrawn"
    issue_id: str
    entry_id: str
    reason: str


class IssueUnwanted(EventBody):
    """An issue was closed or lost its label after its work had started, which goes on."""

    kind: Literal["issue_unwanted"] = "issue_unwanted"
    issue_id: str
    entry_id: str
    reason: str


class IssueKept(EventBody):
    """A person said that the work on an issue goes on, though the issue is not wanted any more."""

    kind: Literal["issue_kept"] = "issue_kept"
    issue_id: str
    entry_id: str
    by: str = ""


class IssueSettled(EventBody):
    """An issue is wanted again, or its work has ended: nobody is asked any more whether it goes on."""

    kind: Literal["issue_settled"] = "issue_settled"
    issue_id: str
    entry_id: str


class IssueFollowed(EventBody):
    """Something of an issue's work was told there, or a comment was taken."""

    kind: Literal["issue_followed"] = "issue_followed"
    issue: TrackedIssue
    said: tuple[str, ...] = ()
    """What was done, a phrase each."""


class IssueEnded(EventBody):
    """The work on an issue ended, and the issue was told."""

    kind: Literal["issue_ended"] = "issue_ended"
    issue_id: str
    entry_id: str
    outcome: str


class TrackerFailed(EventBody):
    """A tracker could not be asked; it is asked again."""

    kind: Literal["tracker_failed"] = "tracker_failed"
    reason: str


class TrackerRecovered(EventBody):
    """A tracker answers again."""

    kind: Literal["tracker_recovered"] = "tracker_recovered"


class TrackerPaused(EventBody):
    """A person paused a tracker: no issue is taken, and none is told anything."""

    kind: Literal["tracker_paused"] = "tracker_paused"
    by: str = ""


class TrackerResumed(EventBody):
    """A person resumed a tracker."""

    kind: Literal["tracker_resumed"] = "tracker_resumed"
    by: str = ""
