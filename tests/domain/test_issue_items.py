"""The card of an issue that is not wanted any more while its work goes on."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.core.event import Event, EventBody, Headline, JournaledEvent
from domain.core.ids import EventId, StreamId
from domain.forges.issues import IssueId, TrackerKind
from domain.reading.inbox.issues import issue_items
from domain.reading.inbox.item import InboxItem, InboxKind
from domain.reading.trackers import TrackerFold
from domain.trackers.events import (
    IssueEnded,
    IssueKept,
    IssueQueued,
    IssueSettled,
    IssueTaken,
    IssueUnwanted,
)
from tests.trackers.paper import SOURCE, PaperTracker

STREAM = "tracker-work"
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
ENTRY = "thread-issue-1"
ABOUT = {"issue_id": "1", "entry_id": ENTRY}
THREAD = Headline(stream=StreamId(ENTRY), kind="thread", title="The links", project="/repo")
UNWANTED = IssueUnwanted(**ABOUT, reason="the issue was closed")


def items(*bodies: EventBody, threads: tuple[Headline, ...] = (THREAD,)) -> tuple[InboxItem, ...]:
    fold = TrackerFold()
    ref = IssueId(tracker="github", id="1", key="acme/app#1")
    life = (IssueTaken(ref=ref, entry_id=ENTRY), IssueQueued(**ABOUT), *bodies)
    for n, body in enumerate(life, 1):
        at = NOON + timedelta(minutes=n)
        event = Event(id=EventId(f"e{n}"), stream=StreamId(STREAM), at=at, body=body)
        fold.add(JournaledEvent(position=n, event=event))
    return issue_items({STREAM: fold}, {each.stream: each for each in threads})


def test_one_card_says_what_happened_and_what_to_do() -> None:
    [item] = items(UNWANTED)
    assert (item.kind, item.workflow_id, item.thread_id) == (InboxKind.ISSUE, STREAM, ENTRY)
    assert item.subject == "Work on issue acme/app#1 goes on, though the issue was closed"
    assert item.reason == "Stop the work, or let it go on."
    assert (item.project, item.since) == ("/repo", NOON + timedelta(minutes=3))


@pytest.mark.parametrize(
    "body", [IssueKept(**ABOUT, by="ann"), IssueSettled(**ABOUT), IssueEnded(**ABOUT, outcome="x")]
)
def test_the_card_goes_once_it_is_answered_or_the_work_is_over(body: EventBody) -> None:
    assert items(UNWANTED, body) == ()
    if not isinstance(body, IssueEnded):
        assert len(items(UNWANTED, body, UNWANTED)) == 1


def test_there_is_none_of_a_thread_that_was_put_away_and_none_without_cause() -> None:
    assert items(UNWANTED, threads=()) == ()
    assert items() == ()


@pytest.mark.parametrize(
    ("kind", "key", "is_elsewhere"),
    [
        (TrackerKind.JIRA, "ENG-7", False),
        (TrackerKind.JIRA, "OTHER-7", True),
        (TrackerKind.LINEAR, "eng-7", False),
        (TrackerKind.LINEAR, "ENGX-7", True),
        (TrackerKind.GITHUB, "acme/app#7", False),
    ],
)
def test_one_that_was_moved_is_of_another_project(
    kind: TrackerKind, key: str, is_elsewhere: bool
) -> None:
    source = SOURCE.model_copy(update={"kind": kind, "project": "ENG"})
    issue = PaperTracker().open("1")
    moved = issue.model_copy(update={"ref": issue.ref.model_copy(update={"key": key})})
    said = source.reason_against(moved)
    assert said == (f"the issue was moved to another project, as {key}" if is_elsewhere else "")
