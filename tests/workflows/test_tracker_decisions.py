"""What comments decide about a plan, on a real server: a code by an allowed account, and nothing else."""

import pytest

from domain.forges.errors import ForgeBusyError
from tests.trackers.paper import ANN, STRANGER, PaperTracker
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE
from tests.workflows.test_tracker import (
    entry,
    hint,
    house,
    plan_shown,
    tracker,
    trackers,
    troubled,
)

__all__ = ["house", "tracker", "trackers"]


async def test_a_decision_whose_reply_was_lost_is_answered_as_before(
    house: House, tracker: PaperTracker
) -> None:
    code = await plan_shown(house, tracker)
    tracker.failures["commented"] = [ForgeBusyError("lost")]
    tracker.write("1", f"/treadle approve {code}")
    await hint(house)
    await troubled(house, "1", "lost")
    tracker.write("1", "/treadle status")
    await hint(house)
    await tracker.told("1", entry("1") + "`: ")
    assert len([t for t in tracker.texts("1") if "Plan 1 was approved by ann." in t]) == 1
    assert not any("No plan waits" in text for text in tracker.texts("1"))
    assert house.journal.kinds(entry("1")).count("plan_decided") == 1


@pytest.mark.parametrize(
    ("body", "author", "is_edited", "reply"),
    [
        ("ok", ANN, False, ""),
        ("/treadle approve", ANN, False, "not the code"),
        ("/treadle approve aaaaaaaaaaaa", ANN, False, "not the code"),
        ("/treadle approve CODE", STRANGER, False, "not among those"),
        ("/treadle approve CODE", ANN, True, "edited"),
        ("please\n/treadle approve CODE", ANN, False, ""),
        ("/treadle merge CODE", ANN, False, "Not understood"),
    ],
)
async def test_nothing_else_approves(
    house: House,
    tracker: PaperTracker,
    body: str,
    author: object,
    is_edited: bool,
    reply: str,
) -> None:
    code = await plan_shown(house, tracker)
    tracker.write("1", body.replace("CODE", code), author, is_edited=is_edited)  # type: ignore[arg-type]
    tracker.write("1", "/treadle status")  # which is behind it, and so taken after it
    await hint(house)
    await tracker.told("1", entry("1") + "`: ")
    assert "plan_decided" not in house.journal.kinds(entry("1"))
    if reply:
        await tracker.told("1", reply)


async def test_a_rejection_sends_the_plan_back_and_its_old_code_is_worth_nothing(
    house: House, tracker: PaperTracker
) -> None:
    code = await plan_shown(house, tracker)
    tracker.write("1", f"/treadle reject {code} too much")
    await hint(house)
    decided = (await house.seen(entry("1"), "plan_decided")).body.model_dump()
    assert (decided["outcome"]["choice"], decided["outcome"]["feedback"]) == ("reject", "too much")
    await tracker.told("1", "Plan 1 was rejected by ann.")
    await house.proposed(entry("1"), ONE, revision=2)
    await hint(house)
    await tracker.told("1", "Plan 2 waits")
    tracker.write("1", f"/treadle approve {code}")
    await hint(house)
    await tracker.told("1", "not the code")
    assert house.journal.kinds(entry("1")).count("plan_decided") == 1
