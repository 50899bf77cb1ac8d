"""What of trackers waits for a person: issues that are not wanted any more while their work goes on."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from domain.core.event import Headline
from domain.core.ids import ThreadId
from domain.reading.inbox import times
from domain.reading.inbox.item import InboxItem, InboxKind, line
from domain.reading.trackers import TrackerFold
from domain.trackers.state import TrackedIssue


def asking_issues(folds: Mapping[str, TrackerFold]) -> Iterator[tuple[str, TrackedIssue]]:
    """Yield the issues that wait for a word, each with the stream of its tracker."""
    for stream, fold in folds.items():
        yield from ((stream, issue) for issue in fold.state.open if issue.needs_word)


def issue_items(
    folds: Mapping[str, TrackerFold], threads: Mapping[str, Headline]
) -> tuple[InboxItem, ...]:
    """Return one item for each; `threads` are the lines of their threads, without those that were put away."""
    return tuple(
        _item(stream, issue, threads[issue.entry_id], folds[stream].unwanted_at.get(issue.ref.id))
        for stream, issue in asking_issues(folds)
        if issue.entry_id in threads
    )


def _item(stream: str, issue: TrackedIssue, thread: Headline, since: datetime | None) -> InboxItem:
    key = issue.ref.key or issue.ref.id
    return InboxItem(
        item_id=f"{stream}#{InboxKind.ISSUE}:{issue.entry_id}",
        kind=InboxKind.ISSUE,
        thread_id=ThreadId(issue.entry_id),
        workflow_id=stream,
        project=thread.project,
        title=line(thread.title or thread.goal),
        subject=line(f"Work on issue {key} goes on, though {issue.reason}"),
        since=times.first(since, thread.changed_at, times.BEGINNING),
        reason="Stop the work, or let it go on.",
    )
