"""Four eyes by comment on real workflows: whoever wrote the issue does not approve its plan alone."""

import uuid
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import Starter
from adapters.trackers.configured import ConfiguredTrackers, ThreadDefaults
from domain.forges.projects import Account
from tests.trackers.paper import ANN, SOURCE, PaperTracker
from tests.workflows import test_tracker
from tests.workflows.conftest import housed
from tests.workflows.test_four_eyes import StrictRules
from tests.workflows.test_tracker import entry, hint, plan_shown

BEN = Account(id="12", login="ben")


async def test_another_person_than_the_author_of_the_issue_must_approve(
    server: WorkflowEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, tracker = f"{uuid.uuid4().hex}.example", PaperTracker()
    monkeypatch.setattr(test_tracker, "HOST", host)
    source = SOURCE.model_copy(update={"host": host})
    trackers = ConfiguredTrackers({"work": (source, tracker)}, ThreadDefaults(agent="fake"))
    async with housed(server.client, tmp_path, approvals=StrictRules(), trackers=trackers) as house:
        await Starter(house.client).open_tracker("work")
        code = await plan_shown(house, tracker)
        opened = (await house.seen(entry("1"), "thread_opened")).body.model_dump()
        assert opened["opened_by"] == "ann"
        tracker.write("1", f"/treadle approve {code}", ANN)
        await hint(house)
        told = await tracker.told("1", "Plan 1 was approved by ann, but not by enough people yet")
        assert "somebody else must approve it" in told
        assert "plan_decided" not in house.journal.kinds(entry("1"))
        tracker.write("1", f"/treadle approve {code}", BEN)
        await hint(house)
        decided = (await house.seen(entry("1"), "plan_decided")).body.model_dump()
        assert (decided["outcome"]["choice"], decided["outcome"]["by"]) == ("approve", "ben")
        await tracker.told("1", "Plan 1 was approved by ann and ben.")
