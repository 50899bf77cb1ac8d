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
from datetime import timedelta
from pathlib import Path
from typing import Any

from temporalio.client import Client, WorkflowHistory
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import plugin, register_search_attributes
from domain.conversations.commands import SkipWait
from domain.core.approval_commands import Decide
from domain.core.approvals import content_hash, decision_code
from domain.core.ids import WORK, CommandId, TaskId
from domain.tasks.running_commands import Abort, Pause, Resume
from domain.threads.planning.commands import Amend
from queues import workers
from tests.replay import own_turns, queueing, scheduling
from tests.replay.asking import asked_permission, reviewed_task
from tests.replay.cancelling import cancelled_in_temporal
from tests.replay.flowing import stopped_flow
from tests.replay.going_back import gone_back
from tests.replay.losing import lost_chat
from tests.replay.merging_chats import conflicting_chat
from tests.replay.noting import kept_plan_files
from tests.replay.own_turns import own_turn
from tests.replay.queueing import queued_threads
from tests.replay.renewing import flooded_thread, shortened_thread
from tests.replay.scheduling import scheduled_thread
from tests.replay.tracking import tracked_issue
from tests.replay.working import work_in_session
from tests.trackers.paper import PaperTrackers
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE, THREE
from tests.workflows.test_recovery import TWO_IN_A_ROW, hang
from tests.workflows.test_refused_turns import refuse_first
from treadle import __version__

HISTORIES = Path(__file__).parent / "histories"
LIMIT_SECONDS = 30
PROCESS = re.compile(r"^\d+@.+")
"""How Temporal names a worker, and its own queue: process id and host."""

ASKING: dict[str, Any] = {
    "tasks": [{"id": "task-1", "title": "one", "gate": "auto", "decision_id": "tokens"}],
    "decisions": [
        {
            "id": "tokens",
            "question": "Which tokens?",
            "options": [{"label": "jwt"}, {"label": "opaque"}],
        }
    ],
}
AMENDMENT = {
    "why": "one is not enough",
    "base_version": 1,
    "changes": [
        {
            "change": "add",
            "task": {
                "id": "task-2",
                "title": "two",
                "description": "the second",
                "gate": "auto",
                "depends_on": ["task-1"],
            },
        }
    ],
}

Scenario = Callable[[House], Awaitable[str]]


async def main_job(house: House) -> str:
    """Three tasks, one of which fails once and is fixed, approved at their gates."""
    house.verifier.failures["make"] = 1
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    for task in ("task-1", "task-2", "task-3"):
        gate = await house.seen(f"{thread.id}/{task}", "gate_opened")
        await house.approve(f"{thread.id}/{task}", gate)
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def rejections(house: House) -> str:
    """A rejected plan, revised, and a rejected gate, worked on."""
    thread = await house.open()
    proposed = await house.proposed(thread.id, THREE)
    await house.seen(f"{thread.id}/session-1", "turn_ended")
    await house.reject(thread.id, proposed, "smaller, please")
    await house.seen(f"{thread.id}/session-1", "turn_ended", number=2)
    await house.approve(thread.id, await house.proposed(thread.id, ONE, revision=2))
    task = f"{thread.id}/task-1"
    await house.reject(task, await house.seen(task, "gate_opened"), "use the other name")
    await house.approve(task, await house.seen(task, "gate_opened", number=2))
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def aborted_task(house: House) -> str:
    """A task aborted in the middle of its turn."""
    thread = await house.open()
    proposed = await house.proposed(thread.id, TWO_IN_A_ROW)
    house.runner.play = hang
    await house.approve(thread.id, proposed)
    await house.seen(f"{thread.id}/task-1/session-1", "agent_session_opened")
    await house.send(thread.id, Abort(task_id=TaskId("task-1"), by="tester"))
    await house.seen(thread.id, "task_settled")
    return thread.id


async def failed_verification(house: House) -> str:
    """A task whose verification never passes."""
    house.verifier.failures["make"] = 9
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(thread.id, "task_settled")
    return thread.id


async def signals(house: House) -> str:
    """A gate that odd, forged and genuine signals come to."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    opened = await house.seen(task, "gate_opened")
    request: dict[str, str] = opened.body.model_dump()["request"]
    handle = house.client.get_workflow_handle(task)
    await handle.signal("approve")
    await handle.signal("approve", {**request, "code": "forged"})
    await house.seen(task, "command_rejected", number=2)
    subject = (task, request["request_id"], "approve", request["content_hash"])
    code = decision_code(b"test key", *subject)
    await handle.signal("approve", {**request, "code": code, "by": "terminal"})
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def refused_turn(house: House) -> str:
    """A turn that its provider refuses, and a person who skips the wait."""
    refuse_first(house, timedelta(hours=3))
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.seen(task, "turn_delayed")
    await house.send(task, SkipWait(command_id=CommandId("skip-1"), by="tester"))
    await house.approve(task, await house.seen(task, "gate_opened"))
    await house.seen(thread.id, "plan_completed")
    return thread.id


async def amended_plan(house: House) -> str:
    """A paused plan with a decision, amended before it goes on."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ASKING))
    await house.send(thread.id, Pause(by="tester"))
    amend = Amend(command_id=CommandId("amend-1"), amendment=AMENDMENT, by="tester")
    await house.send(thread.id, amend)
    await house.approve(thread.id, await house.seen(thread.id, "amendment_proposed"))
    proposed = await house.seen(thread.id, "plan_proposed")
    shown = content_hash(proposed.body.plan.decisions[0])  # pyright: ignore[reportAttributeAccessIssue] (its kind says so)
    decide = Decide(decision_id="tokens", selections=("jwt",), content_hash=shown, by="tester")
    code = decision_code(b"test key", thread.id, decide.request, decide.choice, shown)
    await house.send(thread.id, decide.model_copy(update={"code": code}))
    await house.send(thread.id, Resume(command_id=CommandId("resume-1"), by="tester"))
    await house.seen(thread.id, "plan_completed")
    return thread.id


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
        await record_chats(environment.client)
        await record_trackers(environment.client)


async def record_chats(client: Client) -> None:
    """Write the histories of chats, and of their threads."""
    for scenario in (conflicting_chat, lost_chat):
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
