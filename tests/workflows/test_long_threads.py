"""Long threads: runs end at a bound of our own, so that none replays longer than its task may take."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from temporalio.api.enums.v1 import EventType, TimeoutType, WorkflowTaskFailedCause
from temporalio.api.history.v1 import HistoryEvent, WorkflowTaskFailedEventAttributes
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from adapters.files.key_ring import KeyRing
from adapters.journal import open_journal
from adapters.temporal import plugin
from domain.threads.patches import ALL
from queues import workers
from tests.replay.renewing import short_runs
from tests.workflows.conftest import House
from tests.workflows.test_continue_as_new import PLAN
from tests.workflows.test_main_job import THREE
from tests.workflows.worker_processes import FollowedJournal, worker
from workflows import options

LAST, WIDTH = 1_000, 10
GATE = 601
"""Here the thread of all these tasks comes to rest, and its worker is killed."""

UNDER_WAY = 800
"""When this one has ended the next worker is killed, with others under way."""

MODULE = "long_thread_worker"


async def test_a_new_worker_takes_up_a_thread_whose_runs_end_at_our_own_bound(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    house = House(server.client, tmp_path)
    with short_runs():
        shared, local = workers(server.client, house.ports(), "test", max_turns=8)
        async with shared, local:
            thread = await house.open()
            await house.approve(thread.id, await house.proposed(thread.id, PLAN))
            for n in range(1, 4):
                await _approve(house, f"{thread.id}/task-{n}")
            await house.seen(f"{thread.id}/task-4", "gate_opened")
        shared, local = workers(server.client, house.ports(), "test", max_turns=8)
        async with shared, local:
            for n in range(4, 7):
                await _approve(house, f"{thread.id}/task-{n}")
            await house.seen(thread.id, "plan_completed")
            lengths, _, _ = await _history(house, thread.id, thread.first_execution_run_id)
            await thread.terminate()

    assert len(lengths) > 2
    assert house.workspaces.merged == [f"task-{n}" for n in range(1, 7)]
    ids = [event.id for event in house.journal.events]
    assert len(ids) == len(set(ids))


async def test_what_is_short_records_no_patch(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    for n in range(1, 4):
        await _approve(house, f"{thread.id}/task-{n}")
    await house.seen(thread.id, "plan_completed")
    events = (await thread.fetch_history()).events
    assert EventType.EVENT_TYPE_MARKER_RECORDED not in {
        event.event_type
        for event in events
        if event.marker_recorded_event_attributes.marker_name != "core_local_activity"
    }


@pytest.mark.timeout(900)
@pytest.mark.e2e
async def test_workers_killed_under_a_thread_of_1000_tasks_time_out_no_workflow_task(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    target = server.client.service_client.config.target_host
    keys = KeyRing(tmp_path / "payload.keys")
    client = await Client.connect(target, plugins=[plugin(keys)])
    async with open_journal(f"sqlite:///{tmp_path}/journal.db") as journal:
        house = House(client, tmp_path, FollowedJournal(journal))
        async with worker(MODULE, target, tmp_path) as first:
            thread = await house.open(max_parallel_tasks=WIDTH, patches=ALL)
            await house.approve(thread.id, await house.proposed(thread.id, _many()))
            gate = await house.seen(f"{thread.id}/task-{GATE}", "gate_opened")
            await _at_rest(client, thread.id)
            first.kill()
            await first.wait()
        async with worker(MODULE, target, tmp_path) as second:
            await house.approve(f"{thread.id}/task-{GATE}", gate)
            await house.seen(f"{thread.id}/task-{UNDER_WAY}", "task_ended")
            second.kill()
            await second.wait()
        async with worker(MODULE, target, tmp_path):
            await house.seen(thread.id, "plan_completed")
            lengths, kinds, failures = await _history(
                house, thread.id, thread.first_execution_run_id, killed=(first.pid, second.pid)
            )
            await thread.terminate()

    assert kinds[EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT] == 0, "one took longer than it may"
    assert not [failure for failure in failures if not _is_late_signal(failure)]
    assert len(failures) <= len(lengths), "a run was kept from continuing as new again and again"
    assert len(lengths) > 2
    assert max(lengths) < 2 * options.HISTORY_EVENTS


def _many() -> dict[str, object]:
    """Rows of tasks that run at once, each below another; all before the gate end before it."""
    return {
        "tasks": [
            {
                "id": f"task-{n}",
                "title": str(n),
                "gate": "ask" if n == GATE else "auto",
                "depends_on": [f"task-{above}" for above in _above(n)],
                "verification": [{"type": "command", "command": "true"}],
            }
            for n in range(1, LAST + 1)
        ]
    }


def _above(n: int) -> list[int]:
    if n == GATE:
        return list(range(GATE - WIDTH, GATE))
    if GATE < n <= GATE + WIDTH:
        return [GATE]
    return [n - WIDTH] if n > WIDTH else []


async def _at_rest(client: Client, workflow: str) -> None:
    """Wait until no task of a workflow is under way, as the server knows it."""
    handle = client.get_workflow_handle(workflow)
    while (await handle.describe()).raw_description.HasField("pending_workflow_task"):  # noqa: ASYNC110  (another process)
        await asyncio.sleep(0.1)


async def _approve(house: House, task: str) -> None:
    await house.approve(task, await house.seen(task, "gate_opened"))


async def _history(
    house: House, thread: str, run: str | None, *, killed: tuple[int, ...] = ()
) -> tuple[list[int], Counter[EventType], list[WorkflowTaskFailedEventAttributes]]:
    """Return of a thread's runs: their lengths, their kinds of events, their failed workflow tasks.

    `killed` are the process ids of workers that were killed on the way.
    """
    lengths, kinds = list[int](), Counter[EventType]()
    failures = list[WorkflowTaskFailedEventAttributes]()
    while run:
        handle = house.client.get_workflow_handle(thread, run_id=run)
        events = (await handle.fetch_history()).events
        lengths.append(len(events))
        failed = [e for e in events if e.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED]
        failures += [event.workflow_task_failed_event_attributes for event in failed]
        cut_off = {_last_begun(events, pid) for pid in killed}
        kept = (e for e in events if not _waited_for_the_dead(e) and not _is_of(e, cut_off))
        kinds.update(event.event_type for event in kept)
        run = events[-1].workflow_execution_continued_as_new_event_attributes.new_execution_run_id
    return lengths, kinds, failures


def _is_late_signal(failure: WorkflowTaskFailedEventAttributes) -> bool:
    """Tell whether a signal came while the run continued as new, so that Temporal had it look again.

    Nothing is wrong then: it is how the server loses no signal.
    """
    return failure.cause == WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND


def _waited_for_the_dead(event: HistoryEvent) -> bool:
    """Tell whether a task was offered to the killed worker first, which nobody can know ahead."""
    timed_out = event.workflow_task_timed_out_event_attributes
    return timed_out.timeout_type == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START


def _last_begun(events: Sequence[HistoryEvent], pid: int) -> int:
    """Return the start of the last workflow task that a worker began in a run, 0 where it began none.

    One that takes too long is followed by another of the same worker.
    """
    began = [e for e in events if e.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED]
    identities = {e.event_id: e.workflow_task_started_event_attributes.identity for e in began}
    return max((e for e, who in identities.items() if who.startswith(f"{pid}@")), default=0)


def _is_of(event: HistoryEvent, started: set[int]) -> bool:
    """Tell whether a task timed out that was under way at the kill: a signal may come just before it."""
    timed_out = event.workflow_task_timed_out_event_attributes
    return timed_out.started_event_id in started - {0}
