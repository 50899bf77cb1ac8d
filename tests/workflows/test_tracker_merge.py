"""The end of an issue's work on a real server: completed, published, merged, and the issue closed."""

from domain.core.ids import ThreadId, publication_id
from domain.forges.pull_requests import PullRequestState
from domain.plans.templates.template import GatePolicy, PlanTemplate
from tests.trackers.paper import ANN, PaperTracker, PaperTrackers
from tests.workflows import test_tracker
from tests.workflows.conftest import House
from tests.workflows.test_publication import look
from tests.workflows.test_publishing import publish
from tests.workflows.test_tracker import WORK, entry, hint, house, plan_shown, tracker, trackers

__all__ = ["house", "tracker", "trackers"]


async def merged(house: House, tracker: PaperTracker) -> str:
    """Approve, complete and publish the work on an issue, and have its pull request merged."""
    house.templates.default = PlanTemplate(name="team", gate=GatePolicy.AUTO)
    code = await plan_shown(house, tracker)
    tracker.write("1", f"/treadle approve {code}", ANN)
    await hint(house)
    thread = entry("1")
    await house.seen(thread, "plan_completed")
    await hint(house)
    await tracker.told("1", "ended: completed")
    await house.send(thread, publish())
    await house.seen(thread, "pull_request_opened")
    await hint(house)
    await tracker.told("1", "Pull request: https://github.com/o/r/pull/7")
    assert tracker.closed == []
    watch = publication_id(ThreadId(thread), 7)
    await house.seen(watch, "pull_request_seen")
    house.forge.changes(state=PullRequestState.MERGED, merge_commit="e" * 40)
    await house.send(watch, look(1))
    await house.seen(thread, "pull_request_finished")
    await hint(house)
    ended = await house.seen(WORK, "issue_ended")
    return ended.body.model_dump()["outcome"]


async def test_a_merged_pull_request_closes_the_issue_once(
    house: House, tracker: PaperTracker
) -> None:
    assert await merged(house, tracker) == "merged as #7"
    assert tracker.closed == ["1"]
    [text] = [text for text in tracker.texts("1") if text.startswith("Merged")]
    assert "`eeeeeeeeeeee`" in text
    assert test_tracker.entered(house) == [entry("1")]


async def test_an_issue_stays_open_where_the_settings_say_so(
    house: House, trackers: PaperTrackers
) -> None:
    trackers.source = trackers.source.model_copy(update={"close": False})
    assert await merged(house, trackers.tracker) == "merged as #7"
    assert trackers.tracker.closed == []
    assert any(text.startswith("Merged") for text in trackers.tracker.texts("1"))
