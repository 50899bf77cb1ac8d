"""A worker that is stopped past its heartbeats, and comes back while another one does its work."""

import asyncio
import itertools
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from adapters.files.key_ring import KeyRing
from adapters.journal import open_journal
from adapters.temporal import plugin
from tests.workflows.conftest import House
from tests.workflows.stoppable_worker import SLOW_WRITER
from tests.workflows.worker_processes import PATIENCE, FollowedJournal, worker

MODULE = "stoppable_worker"
TASKS = ("slow-turn", "slow-step")
PLAN = {
    "tasks": [
        {
            "id": "slow-turn",
            "title": "slow turn",
            "verification": [{"type": "command", "command": "true"}],
        },
        {
            "id": "slow-step",
            "title": "slow step",
            "verification": [{"type": "command", "command": SLOW_WRITER}],
        },
    ]
}


def writers(folder: Path, task: str) -> list[str]:
    """Return who wrote in a task's workspace, in order, neighbouring lines of one as one."""
    log = folder / "trees" / task / "log"
    lines = log.read_text().split() if log.exists() else []
    return [name for name, _ in itertools.groupby(lines)]


async def written(folder: Path, number: int) -> None:
    """Wait until so many have written in both workspaces."""
    async with asyncio.timeout(PATIENCE):
        while any(len(writers(folder, task)) < number for task in TASKS):  # noqa: ASYNC110  (files)
            await asyncio.sleep(0.05)


def stands_still(pid: int) -> bool:
    """Say whether every thread of a process is stopped."""
    try:
        stats = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/stat")]
    except OSError:  # a thread ended meanwhile
        return False
    return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)


def stop(worker: asyncio.subprocess.Process, database: Path) -> None:
    """Stop a worker between its writes: one that is stopped in one keeps all others from writing."""
    while True:
        os.kill(worker.pid, signal.SIGSTOP)
        while not stands_still(worker.pid):
            os.sched_yield()
        with closing(sqlite3.connect(database, timeout=1)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                os.kill(worker.pid, signal.SIGCONT)
            else:
                return


@pytest.mark.e2e
async def test_the_next_attempt_starts_when_the_stopped_one_is_dead(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    target = server.client.service_client.config.target_host
    keys = KeyRing(tmp_path / "payload.keys")
    client = await Client.connect(target, plugins=[plugin(keys)])
    async with (
        open_journal(f"sqlite:///{tmp_path}/journal.db") as journal,
        worker(MODULE, target, tmp_path) as first,
    ):
        house = House(client, tmp_path, FollowedJournal(journal))
        thread = await house.open()
        await house.approve(thread.id, await house.proposed(thread.id, PLAN))
        await written(tmp_path, 1)
        stop(first, tmp_path / "journal.db")
        async with worker(MODULE, target, tmp_path):
            await written(tmp_path, 2)
            os.kill(first.pid, signal.SIGCONT)
            for task in TASKS:
                await house.seen(f"{thread.id}/{task}", "gate_opened")
        await thread.terminate()

        told = [journaled.event for journaled in await journal.read(limit=10_000)]
        for task in TASKS:
            names = writers(tmp_path, task)
            assert len(names) == len(set(names))  # nobody wrote again after somebody else
            assert names.index("end") == len(names) - 1
            for stream, once in (
                (f"{thread.id}/{task}", ("verification_step_ended", "turn_ended")),
                (f"{thread.id}/{task}/session-1", ("turn_ended",)),
            ):
                kinds = [e.body.kind for e in told if e.stream == stream]
                assert [kinds.count(kind) for kind in once] == [1] * len(once)
