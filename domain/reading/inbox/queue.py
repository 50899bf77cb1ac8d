"""What of the queue waits for a person: entries that nothing but a person moves."""

from domain.queue.entry import EntryState, QueueEntry
from domain.queue.inputs import QUEUE
from domain.reading.inbox import times
from domain.reading.inbox.item import InboxItem, InboxKind, line
from domain.reading.inbox.times import AskingTimes
from domain.reading.queue import QueueView


def queue_items(view: QueueView, asked: AskingTimes) -> tuple[InboxItem, ...]:
    """Return the entries that could not be started, and those whose needs will not be met."""
    found = (shown.entry for shown in view.entries)
    return tuple(
        _item(entry, asked)
        for entry in found
        if entry.is_refused or entry.state is EntryState.BLOCKED
    )


def _item(entry: QueueEntry, asked: AskingTimes) -> InboxItem:
    what = "could not be started" if entry.is_refused else "waits for what does not come"
    title = entry.title or entry.entry_id
    return InboxItem(
        item_id=f"{QUEUE}#{InboxKind.ESCALATION}:{entry.entry_id}",
        kind=InboxKind.ESCALATION,
        workflow_id=QUEUE,
        project=entry.project,
        title=line(title),
        subject=line(f"{title} {what}"),
        since=times.first(asked.of(QUEUE, entry.entry_id), entry.enqueued_at, times.BEGINNING),
        entry_id=entry.entry_id,
        reason=line(entry.reason),
    )
