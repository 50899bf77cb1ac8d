"""Workers of two versions on one queue: a rolling upgrade refuses nothing and does nothing twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio.api.workflowservice.v1 import DescribeWorkerDeploymentRequest
from temporalio.client import Client
from temporalio.runtime import Runtime, TelemetryConfig

from adapters.files.key_ring import KeyRing
from adapters.temporal import Deployment, Draining, VersionRouting, plugin
from domain.core.event import Event
from queues import workers
from tests.temporal_server import temporal_server_with
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

PATIENCE = 90
USERS = 6
NAME = "treadle"
RUNTIME = Runtime(telemetry=TelemetryConfig(), worker_heartbeat_interval=timedelta(seconds=1))


@pytest.fixture
async def house(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[House]:
    """A house on a server of its own, whose workers send heartbeats often."""
    monkeypatch.setattr("adapters.temporal.version_routing.LOOK_SECONDS", 0.5)
    async with temporal_server_with(tmp_path_factory) as server:
        yield House(await another(server.client, tmp_path), tmp_path)


async def another(client: Client, folder: Path) -> Client:
    """Return a client as a process of its own has it."""
    return await Client.connect(
        client.service_client.config.target_host,
        plugins=[plugin(KeyRing(folder / "payload.keys"), is_sandboxed=False)],
        runtime=RUNTIME,
    )


@asynccontextmanager
async def version(house: House, build_id: str | None) -> AsyncGenerator[None]:
    """Run a worker of a version, as worker.py does; at the end it drains."""
    draining = Draining(PATIENCE)
    deployment = Deployment(NAME, build_id) if build_id else None
    client = await another(house.client, house.folder)
    shared, local = workers(
        client, house.ports(), "test", 8, draining=draining, deployment=deployment
    )
    async with shared, draining.serving(local):
        routing = VersionRouting(client, deployment)
        work = asyncio.create_task(draining.keep_until_drained(local, routing.keep()))
        if build_id:
            await until_current(house, build_id)
        yield
        draining.begin()
        await work


async def until_current(house: House, build_id: str) -> None:
    """Wait until a version gets what is new."""
    wanted = DescribeWorkerDeploymentRequest(namespace="default", deployment_name=NAME)
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                found = await house.client.workflow_service.describe_worker_deployment(wanted)
            except Exception:  # noqa: BLE001  (it is not known yet)
                found = None
            routing = found and found.worker_deployment_info.routing_config
            if routing and routing.current_deployment_version.build_id == build_id:
                return
            await asyncio.sleep(0.4)


async def is_done(house: House, goal: str, middle: asyncio.Event | None = None) -> str:
    """Take a thread to its end; with an event, wait for that in its middle."""
    thread = await house.open(goal)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    gate = await house.seen(task, "gate_opened")
    if middle is not None:
        await middle.wait()
    await house.approve(task, gate)
    await house.seen(thread.id, "plan_completed")
    return thread.id


def ended(house: House) -> Counter[str]:
    """Count the ends of each turn and each merge."""
    bodies = [(e.stream, e.body) for e in house.journal.events]
    turns = [f"{s} {b.result.turn_id}" for s, b in bodies if b.kind == "turn_ended"]
    return Counter(turns + [s for s, b in bodies if b.kind == "plan_completed"])


async def behaviors(house: House, thread: str) -> dict[str, tuple[str, str]]:
    """Return of each run of a thread how it behaves, and its version."""
    found: dict[str, tuple[str, str]] = {}
    for name in (thread, f"{thread}/task-1"):
        described = await house.client.get_workflow_handle(name).describe()
        info = described.raw_description.workflow_execution_info.versioning_info
        kind = {0: "", 1: "pinned", 2: "auto"}[info.behavior]
        is_moved = info.HasField("versioning_override")
        override = info.versioning_override.pinned.version.build_id
        found[described.workflow_type] = (
            kind,
            override if is_moved and override else info.deployment_version.build_id,
        )
    return found


def is_long_at_its_gate(event: Event) -> bool:
    return event.body.kind == "gate_opened" and "long" in event.stream


@pytest.mark.timeout(240)
async def test_a_rolling_upgrade_under_load_refuses_nothing(house: House) -> None:
    middle = asyncio.Event()
    async with AsyncExitStack() as upgraded:
        async with version(house, "v1"):
            long = asyncio.create_task(is_done(house, "long", middle))
            first = [asyncio.create_task(is_done(house, f"goal {n}")) for n in range(USERS)]
            await asyncio.wait(first, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            at_gate = await house.journal.until(is_long_at_its_gate)  # and so its task has begun
            thread = at_gate.stream.partition("/")[0]
            await upgraded.enter_async_context(version(house, "v2"))
            second = [asyncio.create_task(is_done(house, f"goal 2-{n}")) for n in range(USERS)]
            await asyncio.wait(second, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            began = await behaviors(house, thread)
        middle.set()
        done = await asyncio.wait_for(asyncio.gather(long, *first, *second), PATIENCE)
        moved = await behaviors(house, thread)

    assert len(done) == len(set(done)) == 2 * USERS + 1
    assert set(ended(house).values()) == {1}
    assert began["Task"] == ("pinned", "v1")
    assert moved["Thread"] == ("auto", "v2")
    assert moved["Task"] == ("pinned", "v2"), "no worker of its version was left"


@pytest.mark.timeout(180)
async def test_versions_can_be_turned_on_and_off_in_the_middle_of_a_job(house: House) -> None:
    steps = [asyncio.Event() for _ in range(2)]
    async with version(house, None):
        first = asyncio.create_task(is_done(house, "first", steps[0]))
        await house.journal.until(lambda e: e.body.kind == "gate_opened")
    async with version(house, "v1"):
        steps[0].set()
        await asyncio.wait_for(first, PATIENCE)
        second = asyncio.create_task(is_done(house, "second", steps[1]))
        await house.journal.until(lambda e: e.body.kind == "gate_opened" and "second" in e.stream)
    async with version(house, None):
        steps[1].set()
        await asyncio.wait_for(second, PATIENCE)
        await asyncio.wait_for(is_done(house, "third"), PATIENCE)

    assert set(ended(house).values()) == {1}
