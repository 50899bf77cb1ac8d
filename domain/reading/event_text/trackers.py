"""Texts of trackers and their issues."""

from domain.core.event_text import EventText, error, success, warning
from domain.forges.issues import IssueId
from domain.reading.event_text.phrases import after, by
from domain.reading.event_text.registry import describe, silence
from domain.trackers import events as tracker_events


def _issue(ref: IssueId) -> str:
    return f"Issue {ref.key or ref.id}"


describe(
    tracker_events.IssueTaken,
    lambda event: f"{_issue(event.ref)} taken as {event.entry_id}{after(event.title)}",
)


def _queued(event: tracker_events.IssueQueued) -> EventText:
    queued = f"Entry {event.entry_id} of issue {event.issue_id} is in the queue"
    if event.untold is None:
        return success(queued)
    return warning(f"{queued}; its tracker took no comment on it: {event.untold.reason}")


describe(tracker_events.IssueQueued, _queued)
describe(
    tracker_events.IssueRefused,
    lambda event: warning(f"{_issue(event.ref)} not taken: {event.reason}"),
)
describe(
    tracker_events.IssueWithdrawn,
    lambda event: f"Entry {event.entry_id} taken out of the queue: {event.reason}",
)
describe(
    tracker_events.IssueUnwanted,
    lambda event: warning(f"{event.entry_id} goes on, though {event.reason}"),
)
describe(
    tracker_events.IssueKept,
    lambda event: f"{event.entry_id} goes on, as was decided{by(event.by)}",
)
describe(
    tracker_events.IssueSettled,
    lambda event: f"Nothing is left to decide on {event.entry_id}",
)
describe(
    tracker_events.IssueFollowed,
    lambda event: (
        warning(f"{_issue(event.issue.ref)} is tried again: {event.issue.trouble}")
        if event.issue.trouble and not event.said
        else f"{_issue(event.issue.ref)} followed{after(', '.join(event.said))}"
    ),
)
describe(
    tracker_events.IssueEnded,
    lambda event: f"Work on issue {event.issue_id} ended: {event.outcome}",
)
describe(tracker_events.TrackerFailed, lambda event: error(f"Tracker is held up: {event.reason}"))
describe(tracker_events.TrackerRecovered, lambda _: success("Tracker answers again"))
describe(tracker_events.TrackerPaused, lambda event: warning(f"Tracker paused{by(event.by)}"))
describe(tracker_events.TrackerResumed, lambda event: f"Tracker resumed{by(event.by)}")
silence(tracker_events.IssuesSeen)
