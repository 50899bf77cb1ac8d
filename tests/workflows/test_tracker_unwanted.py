"""Issues that are closed, unlabelled, moved or deleted while their work goes on: a person is asked once, and nothing is lost."""

import pytest

from domain.core.ids import CommandId, StreamId
from domain.forges.errors import ForgeGoneError
from domain.trackers.commands import KeepIssue
from domain.trackers.rules import fold
from domain.trackers.state import TrackedIssue, TrackerState
from tests.trackers.paper import PaperTracker
from tests.workflows.conftest import House
from tests.workflows.test_tracker import (
    WORK,
    entered,
    entry,
    hint,
    hold,
    house,
    looked,
    plan_shown,
    tracker,
    trackers,
)

__all__ = ["house", "tracker", "trackers"]

UNLABELLED = frozenset[str]()
LABELLED = frozenset({"treadle"})


def known(house: House) -> TrackedIssue:
    state: TrackerState = fold(TrackerState(), house.journal.bodies(StreamId(WORK)))
    return state.issues["1"]


def keep(name: str) -> KeepIssue:
    return KeepIssue(command_id=CommandId(name), entry_id=entry("1"), by="ann")


async def test_a_person_is_asked_once_for_each_time_that_it_is_unwanted(
    house: House, tracker: PaperTracker
) -> None:
    await plan_shown(house, tracker)
    made = tracker.change(tracker.issues["1"], labels=UNLABELLED)
    for _ in range(2):
        await hint(house)
        await house.seen(WORK, "issue_unwanted")
    assert known(house).needs_word
    assert house.journal.kinds(WORK).count("issue_unwanted") == 1

    made = tracker.change(made, labels=LABELLED)
    await hint(house)
    await house.seen(WORK, "issue_settled")
    assert not known(house).needs_word

    tracker.change(made, labels=UNLABELLED)
    await hint(house)
    await house.seen(WORK, "issue_unwanted", number=2)
    assert known(house).needs_word
    answer = await house.send(WORK, keep("keep"))
    assert answer.message == "its work goes on"
    await house.send(WORK, keep("again"))
    await house.seen(WORK, "issue_kept")
    tracker.change(tracker.issues["1"], title="other words")
    await looked(house, tracker)
    assert not known(house).needs_word
    kinds = house.journal.kinds(WORK)
    assert (kinds.count("issue_unwanted"), kinds.count("issue_kept")) == (2, 1)
    assert len([text for text in tracker.texts("1") if "goes on" in text]) == 1
    assert entered(house) == [entry("1")]
    assert "plan_decided" not in house.journal.kinds(entry("1"))


@pytest.mark.parametrize("is_project_there", [True, False])
async def test_an_issue_that_is_gone_is_told_from_a_project_that_is(
    house: House, tracker: PaperTracker, is_project_there: bool
) -> None:
    await plan_shown(house, tracker)
    if not is_project_there:
        tracker.failures["changed_issues"] = [ForgeGoneError("the project is gone")] * 3
    tracker.gone.add("1")
    await hint(house)
    await house.seen(WORK, "issue_unwanted" if is_project_there else "tracker_failed")
    assert known(house).needs_word is is_project_there
    if is_project_there:
        assert known(house).reason == "the issue was deleted or moved to another project"
    assert "thread_ended" not in house.journal.kinds(entry("1"))
    assert entered(house) == [entry("1")]


async def test_one_that_is_deleted_before_it_started_leaves_the_queue(
    house: House, tracker: PaperTracker
) -> None:
    tracker.open("9")
    await hint(house)
    await house.seen(entry("9"), "thread_opened")
    await hold(house)
    tracker.open("1")
    await hint(house)
    await house.seen(WORK, "issue_queued", number=2)
    tracker.gone.add("1")
    await hint(house)
    gone = (await house.seen(WORK, "issue_withdrawn")).body.model_dump()
    assert gone["reason"] == "the issue was deleted or moved to another project"
    assert "tracker_failed" not in house.journal.kinds(WORK)


async def test_what_is_wanted_needs_no_word(house: House, tracker: PaperTracker) -> None:
    await plan_shown(house, tracker)
    with pytest.raises(Exception, match="is wanted: its work goes on anyway"):
        await house.send(WORK, keep("keep"))
    other = keep("other").model_copy(update={"entry_id": "thread-none"})
    with pytest.raises(Exception, match="the work of no issue here"):
        await house.send(WORK, other)
