"""An issue that never takes our comments, on a real server: its work goes on to the end, and nothing alternates."""

import asyncio

from domain.core.ids import StreamId, ThreadId, publication_id
from domain.forges.hints import LOOK, ForgeHint
from domain.forges.pull_requests import PullRequestState
from domain.plans.templates.template import GatePolicy, PlanTemplate
from domain.trackers.rules import fold
from domain.trackers.state import Stage, TrackedIssue, TrackerState, Untold
from tests.trackers.paper import PaperTracker
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE
from tests.workflows.test_publication import look
from tests.workflows.test_publishing import publish
from tests.workflows.test_tracker import (
    WORK,
    entered,
    entry,
    hint,
    house,
    looked,
    tracker,
    trackers,
)

__all__ = ["house", "tracker", "trackers"]

PLAN = "Plan 1 waits"


def known(house: House) -> TrackedIssue:
    state: TrackerState = fold(TrackerState(), house.journal.bodies(StreamId(WORK)))
    return state.issues["1"]


def untold(house: House) -> Untold:
    found = known(house).untold
    assert found is not None
    return found


def said(house: House) -> list[str]:
    """What was said of the issue since it was queued."""
    followed = [b for b in house.journal.bodies(StreamId(WORK)) if b.kind == "issue_followed"]
    return [words for body in followed for words in body.said]


async def round_made(house: House, tracker: PaperTracker) -> None:
    """Wait for a whole round that a hint set going."""
    for _ in range(2):
        await looked(house, tracker)


async def begun(house: House, tracker: PaperTracker) -> None:
    """Have the plan of a locked issue refused as a comment."""
    house.templates.default = PlanTemplate(name="team", gate=GatePolicy.AUTO)
    house.runner.planned[entry("1")] = asyncio.Event()
    tracker.locked.add("1")
    tracker.open("1")
    await hint(house)
    await house.seen(entry("1"), "thread_opened")
    await house.proposed(entry("1"), ONE)
    await hint(house)
    await house.seen(WORK, "issue_followed")
    while not any("plan-" in words for words in said(house)):
        await round_made(house, tracker)


async def test_the_work_on_a_locked_issue_goes_on_to_its_end(
    house: House, tracker: PaperTracker
) -> None:
    await begun(house, tracker)
    thread = entry("1")
    assert untold(house).reason == "the issue is locked"
    assert known(house).shown is None
    refusals = tracker.refusals
    for _ in range(3):
        await round_made(house, tracker)
    assert tracker.refusals == refusals

    await house.approve(thread, await house.seen(thread, "plan_proposed"))
    await house.seen(thread, "plan_completed")
    await house.send(thread, publish())
    await house.seen(thread, "pull_request_opened")
    watch = publication_id(ThreadId(thread), 7)
    await house.seen(watch, "pull_request_seen")
    house.forge.changes(state=PullRequestState.MERGED, merge_commit="e" * 40)
    await house.send(watch, look(1))
    await house.seen(thread, "pull_request_finished")
    await hint(house)
    await house.seen(WORK, "issue_ended")

    assert (known(house).stage, known(house).reason) == (Stage.ENDED, "merged as #7")
    assert tracker.closed == ["1"]
    assert tracker.texts("1") == []
    names = untold(house).what
    assert {"taken", "merged-7", "pull-request-7"} <= set(names)
    assert len(names) == len(set(names)) == tracker.refusals
    assert len(said(house)) == len(set(said(house)))
    kinds = house.journal.kinds(WORK)
    assert {"tracker_failed", "tracker_recovered"}.isdisjoint(kinds)
    assert kinds.count("issue_ended") == 1
    assert entered(house) == [thread]


async def test_what_was_refused_is_told_once_when_the_issue_changed(
    house: House, tracker: PaperTracker
) -> None:
    await begun(house, tracker)
    tracker.locked.clear()
    tracker.change(tracker.issues["1"])
    await hint(house)
    await tracker.told("1", PLAN)
    await round_made(house, tracker)
    assert len(tracker.texts("1")) == 2
    assert "In Treadle's queue" in tracker.texts("1")[0]
    assert known(house).untold is None
    assert known(house).shown is not None


async def test_a_person_who_asks_for_a_look_has_it_tried_again(
    house: House, tracker: PaperTracker
) -> None:
    await begun(house, tracker)
    refusals, words = tracker.refusals, said(house)
    handle = house.client.get_workflow_handle(WORK)
    await handle.signal(LOOK, ForgeHint(hint_id="c1", tracker="work"))
    await round_made(house, tracker)
    assert tracker.refusals == refusals + 2
    assert said(house) == words
    tracker.locked.clear()
    await handle.signal(LOOK, ForgeHint(hint_id="c2", tracker="work"))
    await tracker.told("1", PLAN)
