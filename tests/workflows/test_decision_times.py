"""Decisions that wait for days, on the time-skipping server: reminders, safe defaults, no default."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.testing import WorkflowEnvironment

from adapters.files.key_ring import KeyRing
from adapters.temporal import SEARCH_ATTRIBUTES, plugin
from domain.core.approval_commands import Decide
from domain.core.approvals import content_hash, decision_code
from domain.plans.settings import PlannerSettings
from queues import workers
from tests.workflows.conftest import House

THREE_DAYS = 3 * 24 * 3600
Skip = Callable[[timedelta], Awaitable[None]]


@pytest.fixture
async def skipping(tmp_path: Path) -> AsyncIterator[tuple[House, Skip]]:
    """A house, and how time passes on its server."""
    environment = await WorkflowEnvironment.start_time_skipping(
        test_server_existing_path=str(Path(sys.executable).parent / "temporal-test-server"),
        plugins=[plugin(KeyRing(tmp_path / "payload.keys"))],
    )
    async with environment:
        # this server knows how to add them, not how to list them
        await environment.client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(
                namespace="default",
                search_attributes=SEARCH_ATTRIBUTES,
            )
        )
        house = House(environment.client, tmp_path)
        shared, local = workers(environment.client, house.ports(), "test", max_turns=8)
        async with shared, local:
            yield house, environment.sleep


def plan(**decision: object) -> dict[str, object]:
    asked = {
        "id": "db",
        "question": "Which?",
        "options": [{"label": "sqlite"}, {"label": "postgres"}],
        **decision,
    }
    task = {"id": "task-1", "title": "one", "decision_id": "db", "gate": "auto"}
    return {"summary": "s", "decisions": [asked], "tasks": [task]}


async def started(house: House, plan: dict[str, object], **settings: int) -> str:
    thread = await house.open(planner=PlannerSettings(**settings))
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    await house.seen(thread.id, "decision_timed")
    return thread.id


async def test_a_safe_default_is_taken_after_three_days_and_recorded_as_the_policys(
    skipping: tuple[House, Skip],
) -> None:
    house, sleep = skipping
    thread = await started(house, plan(safe_default="sqlite"), decision_timeout_seconds=THREE_DAYS)
    await sleep(timedelta(days=3, seconds=1))
    made = await house.seen(thread, "decision_made")
    await house.seen(thread, "plan_completed")

    body = made.body.model_dump()
    assert (body["selections"], body["decider"]) == (("sqlite",), "policy")
    asked = await house.seen(thread, "decision_asked")
    waited = made.at - asked.at
    assert timedelta(days=3) <= waited < timedelta(days=3, minutes=5)


async def test_people_are_reminded_at_half_of_the_time_and_near_its_end(
    skipping: tuple[House, Skip],
) -> None:
    house, sleep = skipping
    thread = await started(house, plan(safe_default="sqlite"), decision_timeout_seconds=THREE_DAYS)
    await sleep(timedelta(days=3, seconds=1))
    first = await house.seen(thread, "decision_reminded")
    second = await house.seen(thread, "decision_reminded", number=2)
    await house.seen(thread, "decision_made")

    due: datetime = first.body.model_dump()["due_at"]
    assert due - first.at <= timedelta(hours=36)
    assert timedelta(minutes=50) <= due - second.at <= timedelta(hours=1)
    assert house.journal.kinds(thread).count("decision_reminded") == 2


async def test_without_a_safe_default_it_goes_on_waiting_and_says_so(
    skipping: tuple[House, Skip],
) -> None:
    house, sleep = skipping
    thread = await started(house, plan(), decision_timeout_seconds=60)
    await sleep(timedelta(seconds=61))
    await house.seen(thread, "decision_expired")
    assert "decision_made" not in house.journal.kinds(thread)

    proposed = await house.seen(thread, "plan_proposed")
    shown = content_hash(proposed.body.plan.decisions[0])
    decide = Decide(decision_id="db", selections=("postgres",), content_hash=shown)
    code = decision_code(b"test key", thread, decide.request, decide.choice, shown)
    await house.send(thread, decide.model_copy(update={"code": code}))
    completed = await house.seen(thread, "plan_completed")
    assert completed.body.model_dump()["final_status"] == "completed"
