"""What stops something, where people have roles: no signal of anybody's stops what is not theirs."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import TemporalCommands
from domain.core.approvals import decision_code
from domain.core.errors import ForbiddenError
from domain.core.event import Event
from domain.core.ids import CommandId
from domain.people.commands import role_for
from domain.people.roles import Role
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Pause
from tests.workflows.conftest import House, housed
from tests.workflows.test_main_job import ONE


@dataclass
class FixedRoles:
    """A directory of two people."""

    has_people: bool = True

    async def may_decide(self, person: str, door: str, workflow_id: str) -> bool | None:
        roles = {"tester": Role.APPROVER, "viewer": Role.VIEWER}
        if not self.has_people:
            return None
        return roles.get(person, Role.NONE).allows(role_for(door))


@pytest.fixture
def roles() -> FixedRoles:
    return FixedRoles()


@pytest.fixture
async def manned(
    server: WorkflowEnvironment, tmp_path: Path, roles: FixedRoles
) -> AsyncIterator[House]:
    async with housed(server.client, tmp_path, deciders=roles) as house:
        yield house


@pytest.fixture
async def running(manned: House) -> str:
    """A thread whose task is at its gate."""
    thread = await manned.open()
    opened = await manned.proposed(thread.id, ONE)
    request = opened.body.model_dump()["request"]
    code = decision_code(
        b"test key",
        thread.id,
        request["request_id"],
        "approve",
        request["content_hash"],
        by="tester",
    )
    payload = {**request, "code": code, "by": "tester", "is_acknowledged": True}
    await manned.client.get_workflow_handle(thread.id).signal("approve", payload)
    await manned.seen(f"{thread.id}/task-1", "gate_opened")
    return thread.id


async def stranger(house: House) -> Client:
    """A client that seals nothing, like `temporal workflow signal`."""
    return await Client.connect(house.client.service_client.config.target_host)


async def has_status(house: House, thread: str, status: str) -> None:
    """Wait until a plan has a status."""

    def is_there(event: Event) -> bool:
        is_change = event.stream == thread and event.body.kind == "plan_status_changed"
        return is_change and event.body.model_dump()["status"] == status

    async with asyncio.timeout(60):
        await house.journal.until(is_there)


@pytest.mark.parametrize(
    ("door", "fields"),
    [
        ("pause", {}),
        ("cancel", {"by": "tester"}),
        ("abort", {"task_id": "task-1", "by": "tester"}),
        ("abort_all", {"by": "viewer", "command_id": "c1", "code": "guessed"}),
    ],
)
async def test_a_stop_without_its_code_is_refused_and_changes_nothing(
    manned: House, running: str, door: str, fields: dict[str, str]
) -> None:
    client = await stranger(manned)
    await client.get_workflow_handle(running).signal(door, fields)
    rejected = (await manned.seen(running, "command_rejected")).body.model_dump()
    assert (rejected["command"], rejected["type"]) == (door, "code_refused")


async def test_nobody_outside_addresses_a_workflow_as_one_of_ours(
    manned: House, running: str
) -> None:
    task = f"{running}/task-1"
    client = await stranger(manned)
    await client.get_workflow_handle(task).signal("abort", {"addressed_to": task, "by": "thread"})
    assert (await manned.seen(task, "command_rejected")).body.model_dump()["type"] == "code_refused"


async def test_what_was_sealed_for_one_workflow_stops_no_other(manned: House, running: str) -> None:
    copied = Abort(by="the thread", addressed_to="thread-other-1a2b3c/task-1")
    await manned.client.get_workflow_handle(f"{running}/task-1").signal("abort", copied)
    rejected = await manned.seen(f"{running}/task-1", "command_rejected")
    assert rejected.body.model_dump()["type"] == "code_refused"


async def test_a_code_of_who_lacks_the_role_stops_nothing(manned: House, running: str) -> None:
    with pytest.raises(ForbiddenError):
        await manned.send(running, AbortAll(command_id=CommandId("c1"), by="viewer"))


async def test_whoever_has_the_role_stops_at_every_door(manned: House, running: str) -> None:
    pause = Pause(command_id=CommandId("line-pause-7"), by="tester")
    code = decision_code(b"test key", running, pause.request, "pause", "", by="tester")
    line = {"command_id": pause.command_id, "code": code, "by": "tester"}
    await (await stranger(manned)).get_workflow_handle(running).signal("pause", line)
    await has_status(manned, running, "paused")
    await manned.send(running, Cancel(by="tester", command_id=CommandId("c2")))
    await manned.seen(f"{running}/task-1", "task_ended")  # its thread told it to abort


async def test_without_people_anybody_stops(manned: House, running: str, roles: FixedRoles) -> None:
    roles.has_people = False
    await (await stranger(manned)).get_workflow_handle(running).signal("pause", {})
    await has_status(manned, running, "paused")
    await TemporalCommands(manned.client).send(running, Cancel(by="anybody"))
    await manned.seen(f"{running}/task-1", "task_ended")
