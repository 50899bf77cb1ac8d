"""Four eyes on real workflows: nothing but other people starts a plan or passes a gate."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from domain.core.approval_commands import Approve
from domain.core.approvals import decision_code
from domain.core.command import Answer
from domain.core.event import Event
from domain.core.four_eyes import FourEyes
from domain.plans.templates.template import AskedApprovals, PlanTemplate
from tests.workflows.conftest import House, housed
from tests.workflows.test_main_job import ONE


class StrictRules:
    """A project whose plans and gates need two people."""

    async def four_eyes(self, project: str, asked: FourEyes) -> FourEyes:
        return FourEyes(plan_by_another=True, gate_approvals=2).with_other(asked)


@pytest.fixture
async def strict(server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[House]:
    async with housed(server.client, tmp_path, approvals=StrictRules()) as house:
        yield house


async def approve(house: House, workflow_id: str, opened: Event, by: str) -> Answer:
    request = opened.body.model_dump()["request"]
    named = (request["request_id"], "approve", request["content_hash"])
    code = decision_code(b"test key", workflow_id, *named, by=by)
    return await house.send(
        workflow_id,
        Approve(
            request_id=request["request_id"],
            content_hash=request["content_hash"],
            code=code,
            by=by,
            is_acknowledged=True,
        ),
    )


async def test_a_plan_and_its_gate_wait_for_other_people(strict: House) -> None:
    thread = await strict.open(opened_by="anna")
    proposed = await strict.proposed(thread.id, ONE)
    own = await approve(strict, thread.id, proposed, "anna")
    assert "somebody else must approve it" in own.message
    await approve(strict, thread.id, proposed, "ben")
    task = f"{thread.id}/task-1"
    opened = await strict.seen(task, "gate_opened")
    first = await approve(strict, task, opened, "ben")
    assert "1 of 2 approvals, by ben" in first.message
    again = await approve(strict, task, opened, "ben")
    assert "1 of 2 approvals, by ben" in again.message
    await approve(strict, task, opened, "anna")
    decided = (await strict.seen(task, "gate_decided")).body.model_dump()["outcome"]
    assert (decided["others"], decided["by"]) == (("ben",), "anna")
    reported = await strict.seen(thread.id, "task_reported")
    assert reported.body.model_dump()["approved_by"] == ("ben", "anna")
    merged = [call for call in strict.workspaces.settled if call.commit]
    assert ("Approved-by", "ben") in merged[0].trailers
    assert ("Approved-by", "anna") in merged[0].trailers


class OpenRules:
    """A project that asks for nobody else."""

    async def four_eyes(self, project: str, asked: FourEyes) -> FourEyes:
        return asked


async def test_a_gate_waits_for_as_many_people_as_the_template_asks_for(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    async with housed(server.client, tmp_path, approvals=OpenRules()) as house:
        asked = AskedApprovals(gate_approvals=2)
        house.templates.default = PlanTemplate(name="careful", approvals=asked)
        thread = await house.open(opened_by="anna")
        proposed = await house.proposed(thread.id, ONE)
        await approve(house, thread.id, proposed, "anna")
        task = f"{thread.id}/task-1"
        opened = await house.seen(task, "gate_opened")
        first = await approve(house, task, opened, "ben")
        assert "1 of 2 approvals, by ben" in first.message
        await approve(house, task, opened, "anna")
        await house.seen(task, "gate_decided")
