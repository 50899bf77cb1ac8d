"""`make record`: records the histories that test_replay.py replays, before a version is released.

Real workflows on a real server, with the fake ports of tests/workflows, so that a history names no
machine. Files of an earlier version stay: a worker of today must be able to replay them.
"""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from temporalio.client import Client, WorkflowHistory
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import plugin, register_search_attributes
from domain.core.ids import WORK
from queues import workers
from tests.replay import own_turns, queueing, scheduling
from tests.replay.asking import asked_permission, reviewed_task
from tests.replay.cancelling import cancelled_in_temporal
from tests.replay.contesting import best_of_three
from tests.replay.flowing import stopped_flow
from tests.replay.going_back import gone_back
from tests.replay.losing import lost_chat
from tests.replay.merging_chats import conflicting_chat
from tests.replay.noting import kept_plan_files
from tests.replay.own_turns import own_turn
from tests.replay.planning import (
    aborted_task,
    amended_plan,
    failed_verification,
    main_job,
    refused_turn,
    rejections,
    signals,
)
from tests.replay.queueing import queued_threads
from tests.replay.renewing import flooded_thread, shortened_thread
from tests.replay.reworking import reworked_pull_request
from tests.replay.scheduling import scheduled_thread
from tests.replay.tracking import tracked_issue
from tests.replay.working import work_in_session
from tests.trackers.paper import PaperTrackers
from tests.workflows.conftest import House
from treadle import __version__

HISTORIES = Path(__file__).parent / "histories"
LIMIT_SECONDS = 30
PROCESS = re.compile(r"^\d+@.+")
"""How Temporal names a worker, and its own queue: process id and host."""

Scenario = Callable[[House], Awaitable[str]]

SCENARIOS: tuple[Scenario, ...] = (
    main_job,
    rejections,
    aborted_task,
    failed_verification,
    signals,
    refused_turn,
    amended_plan,
    gone_back,
    reviewed_task,
    asked_permission,
    kept_plan_files,
    scheduled_thread,
    queued_threads,
    stopped_flow,
    own_turn,
    work_in_session,
    cancelled_in_temporal,
)

ALSO = {
    "scheduled_thread": scheduling.ALSO,
    "queued_threads": queueing.ALSO,
    "own_turn": own_turns.ALSO,
}
"""What a scenario has beside its thread, first session and first task."""


async def record() -> None:
    """Run every scenario and write the histories of its thread or run, first session and first task."""
    environment = await WorkflowEnvironment.start_local(
        dev_server_existing_path=str(Path(sys.executable).parent / "temporal"),
        plugins=[plugin(None)],
        dev_server_log_level="error",
    )
    async with environment:
        await register_search_attributes(environment.client)
        for scenario in SCENARIOS:
            with tempfile.TemporaryDirectory() as folder:
                await _record(environment.client, scenario, Path(folder))
        await record_renewed(environment.client)
        await record_by_kind(environment.client)
        await record_trackers(environment.client)


async def record_by_kind(client: Client) -> None:
    """Write the histories of chats and of a pull request, and of their threads."""
    for scenario in (best_of_three, conflicting_chat, lost_chat, reworked_pull_request):
        with tempfile.TemporaryDirectory() as folder:
            house = House(client, Path(folder))
            shared, local = workers(client, house.ports(), "test", max_turns=8)
            async with shared, local, asyncio.timeout(LIMIT_SECONDS):
                title = scenario.__name__.replace("_", "-")
                for kind, history in (await scenario(house)).items():
                    _write(f"{kind}-{__version__}-{title}", history)


async def record_trackers(client: Client) -> None:
    """Write the history of a tracker."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(client, Path(folder))
        house.trackers = trackers = PaperTrackers()
        shared, local = workers(client, house.ports(), "test", max_turns=8)
        async with shared, local, asyncio.timeout(LIMIT_SECONDS):
            history = await tracked_issue(house, trackers.tracker)
        _write(f"tracker-{__version__}-tracked-issue", history)


async def record_renewed(client: Client) -> None:
    """Write the histories of runs that ended at our own bound."""
    for scenario in (shortened_thread, flooded_thread):
        with tempfile.TemporaryDirectory() as folder:
            house = House(client, Path(folder))
            shared, local = workers(client, house.ports(), "test", max_turns=8)
            async with shared, local, asyncio.timeout(LIMIT_SECONDS):
                history = await scenario(house)
        title = scenario.__name__.replace("_", "-")
        _write(f"thread-{__version__}-{title}", history)


async def _record(client: Client, scenario: Scenario, folder: Path) -> None:
    house = House(client, folder)
    shared, local = workers(client, house.ports(), "test", max_turns=8)
    async with shared, local, asyncio.timeout(LIMIT_SECONDS):
        thread = await scenario(house)
        await house.seen(f"{thread}/session-1", "conversation_closed")
        await client.get_workflow_handle(f"{thread}/session-1").result()
    kind = thread.partition("-")[0]
    first = WORK if scenario is work_in_session else "task-1"
    tasks = (("task", f"{thread}/{first}"),) if kind == "thread" else ()
    for name, workflow_id in (
        (kind, thread),
        ("session", f"{thread}/session-1"),
        *tasks,
        *ALSO.get(scenario.__name__, {}).items(),
    ):
        history = await client.get_workflow_handle(
            workflow_id.format(thread=thread)
        ).fetch_history()
        title = scenario.__name__.replace("_", "-")
        _write(f"{name}-{__version__}-{title}", history)
    await client.get_workflow_handle(thread).terminate()


def _write(name: str, history: WorkflowHistory) -> None:
    path = HISTORIES / f"{name}.json"
    path.write_text(json.dumps(_neutral(history.to_json_dict()), indent=1) + "\n")


def _neutral(value: Any) -> Any:
    """Return a history without what tells about this machine."""
    if isinstance(value, list):
        return [_neutral(each) for each in value]
    if isinstance(value, dict):
        return {key: _neutral(each) for key, each in value.items() if key != "stackTrace"}
    return PROCESS.sub("worker", value) if isinstance(value, str) else value


if __name__ == "__main__":
    asyncio.run(record())
