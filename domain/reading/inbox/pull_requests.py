"""What of a thread's pull request waits for a person."""

from collections.abc import Iterator
from typing import Any

from domain.publications.views import WatchedPullRequest
from domain.reading.inbox.item import InboxKind, line
from domain.reading.inbox.times import AskingTimes
from domain.reading.views import ThreadView


def pull_request_items(view: ThreadView, asked: AskingTimes) -> Iterator[dict[str, Any]]:
    """Yield the fields of an inbox item for each item of the pull request, and of those of its stack."""
    newest = (view.pull_request,) if view.pull_request is not None else ()
    for found in (*newest, *view.stacked):
        yield from _items(found, asked)


def _items(found: WatchedPullRequest, asked: AskingTimes) -> Iterator[dict[str, Any]]:
    for item in found.items:
        yield {
            "kind": InboxKind.PULL_REQUEST,
            "name": item.item_id,
            "since": asked.of(found.workflow_id, item.item_id),
            "workflow_id": found.workflow_id,
            "subject": line(f"#{found.number}: {item.subject}"),
            "reason": line(item.advice),
            "pull_request": item,
            "is_stacked": found.policy.stack_base != "",
        }
