"""A scenario of an issue that becomes work and is approved by a comment, to be recorded."""

import asyncio
import re

from temporalio.client import WorkflowHistory

from adapters.temporal import Starter
from domain.core.ids import CommandId, issue_thread_id, tracker_id
from domain.forges.hints import LOOK, ForgeHint
from domain.forges.issues import IssueId
from domain.trackers.commands import PauseTracker, ResumeTracker
from tests.trackers.paper import STRANGER, PaperTracker
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

TRACKER = tracker_id("work")
THREAD = issue_thread_id("github github.com", "1", 1)


async def _hint(house: House) -> None:
    changed = ForgeHint(hint_id="1", issue=IssueId(tracker="work", id="1"))
    await house.client.get_workflow_handle(TRACKER).signal(LOOK, changed)


async def _approved(house: House, tracker: PaperTracker) -> None:
    await house.proposed(THREAD, ONE)
    await _hint(house)
    text = await tracker.told("1", "/treadle approve")
    found = re.search(r"/treadle approve (\w+)", text)
    assert found is not None
    tracker.write("1", f"/treadle approve {found[1]}", STRANGER)
    tracker.write("1", f"/treadle approve {found[1]}")
    await _hint(house)


async def tracked_issue(house: House, tracker: PaperTracker) -> WorkflowHistory:
    """An issue of a stranger and one of a member, which is planned, approved by a comment and completed."""
    house.runner.planned[THREAD] = asyncio.Event()
    await Starter(house.client).open_tracker("work")
    tracker.open("2", author=STRANGER, author_is_member=False)
    made = tracker.open("1")
    await _hint(house)
    await house.seen(THREAD, "thread_opened")
    await _approved(house, tracker)
    task = f"{THREAD}/task-1"
    await house.approve(task, await house.seen(task, "gate_opened"))
    await house.seen(THREAD, "plan_completed")
    await _hint(house)
    await tracker.told("1", "ended: completed")
    await house.send(TRACKER, PauseTracker(command_id=CommandId("pause"), by="tester"))
    tracker.change(made, labels=frozenset())
    await house.send(TRACKER, ResumeTracker(command_id=CommandId("resume"), by="tester"))
    await tracker.looked(1)
    return await house.client.get_workflow_handle(TRACKER).fetch_history()
