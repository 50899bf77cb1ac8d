"""What belongs to no thread is named by the doctor, with how to remove it; what belongs to one is not."""

import asyncio
import hashlib
import json
import os
import subprocess
from contextlib import suppress
from datetime import UTC, datetime

import pytest
import typer

from adapters.journal import open_journal
from adapters.port_leases import FilePortLeases
from adapters.processes.run_ledger import ProcessIdentity, RunLedger
from domain.core.event import Event, Headline
from domain.core.ids import EventId, SessionId, StreamId, TaskId
from domain.plans.plan import PlannedTask
from domain.tasks.events import TaskOpened
from settings import Settings
from tests.e2e.job import git
from treadle.doctor import doctor
from treadle.strays import strays

OURS, LOST = "thread-ours-1", "thread-lost-2"
TASK = f"{OURS}/task-1"


@pytest.fixture
def repository(tmp_path):
    path = tmp_path / "app"
    path.mkdir()
    git(path, "init", "--quiet")
    person = ("-c", "user.name=x", "-c", "user.email=x@example.com")
    git(path, *person, "commit", "--quiet", "--allow-empty", "--message", "x")
    for thread in (OURS, LOST):
        git(path, "update-ref", f"refs/treadle/{thread}/task-1/1", "HEAD")
    git(path, "pack-refs", "--all")
    git(path, "update-ref", f"refs/treadle/{LOST}/task-1/2", "HEAD")
    return path


async def journaled(settings: Settings, repository) -> None:
    opened = TaskOpened(
        task=PlannedTask(id=TaskId("task-1"), title="x"),
        run=1,
        session_id=SessionId("s"),
        agent="a",
        branch=None,
        max_retries=1,
    )
    event = Event(id=EventId("e"), stream=StreamId(TASK), at=datetime.now(UTC), body=opened)
    headlines = [
        Headline(stream=StreamId(stream), kind=kind, title="x", project=str(repository), status="x")
        for stream, kind in ((OURS, "thread"), (f"{OURS}/session-1", "session"), (TASK, "task"))
    ]
    async with open_journal(settings.journal) as journal:
        await journal.append([event], headlines)


def worktree(settings: Settings, workspace_id: str):
    digest = hashlib.sha256(workspace_id.encode()).hexdigest()[:8]
    folder = settings.data_dir / "worktrees" / "app-12345678" / f"run-1-{digest}"
    folder.mkdir(parents=True)
    return folder


async def test_what_belongs_to_no_thread_is_named(settings: Settings, repository):
    await journaled(settings, repository)
    worktree(settings, f"{TASK}/run-1")
    worktree(settings, f"{OURS}/session-1")
    lost = worktree(settings, f"{LOST}/task-1/run-1")
    leases = FilePortLeases(settings.data_dir)
    await leases.lease(f"{TASK}/run-1", "web")
    port = await leases.lease(f"{LOST}/task-1/run-1", "web")
    ledger = RunLedger(settings.data_dir / "runs")
    ledger.open("living", settings.data_dir)
    run = ledger.open("dead", settings.data_dir)
    dead = run.model_copy(update={"worker": ProcessIdentity(pid=os.getpid(), start_time=1)})
    entry = settings.data_dir / "runs" / "dead.json"
    entry.write_text(dead.model_dump_json())

    found = await asyncio.to_thread(strays, settings)

    assert [stray.found for stray in found] == [
        [str(lost)],
        [f"{port} ({LOST}/task-1/run-1)"],
        [str(entry)],
        [f"2 of {LOST} in {repository}"],
    ]
    await asyncio.to_thread(subprocess.run, ["sh", "-c", found[-1].fix], check=True)
    left = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle")
    assert left.split() == [f"refs/treadle/{OURS}/task-1/1"]


async def test_the_doctor_says_it_and_is_content_without(settings, repository, capsys):
    await journaled(settings, repository)
    worktree(settings, f"{LOST}/task-1/run-1")

    with suppress(typer.Exit):  # the machine may lack something
        await asyncio.to_thread(doctor, settings, as_json=True)

    findings = {f["name"]: f for f in json.loads(capsys.readouterr().out)["findings"]}
    assert not findings["worktrees without a thread"]["is_well"]
    assert not findings["worktrees without a thread"]["is_required"]
    assert findings["leased ports without a thread"]["is_well"]


async def test_what_was_made_ahead_or_thrown_away_and_clean_checkouts_are_no_strays(
    settings: Settings, repository
):
    await journaled(settings, repository)
    worktree(settings, f"{TASK}/run-1~clean")
    for name in ("app-12345678/spare-1a2b3c4d-5e6f", "app-12345678/used-1a2b", "elsewhere/trash-1"):
        (settings.data_dir / "worktrees" / name).mkdir(parents=True)

    (found,) = (each for each in strays(settings) if each.name == "worktrees without a thread")

    assert found.found == []


async def test_shared_folders_of_worktrees_are_named_as_well(settings: Settings, repository):
    await journaled(settings, repository)
    folders = [worktree(settings, name) for name in (f"{TASK}/run-1", f"{LOST}/task-1/run-1")]
    shared = [settings.data_dir / "several" / folder.name for folder in folders]
    for folder in shared:
        folder.mkdir(parents=True)

    (found,) = (each for each in strays(settings) if each.name == "worktrees without a thread")

    assert str(shared[1]) in found.found
    assert str(shared[0]) not in found.found
