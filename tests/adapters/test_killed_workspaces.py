"""Workspace operations killed anywhere are called again and leave one result."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.core.workspaces import WorkspaceSpec
from tests.adapters.task_specs import BRANCH, THREAD, commit_of, settle_of, spec_of, user_state

HELPER = """
import asyncio, sys
from pathlib import Path
from adapters.processes.spawner import Spawner
from adapters.git.workspaces import GitWorkspaces
from domain.threads.calls import SettleCall
from domain.core.workspaces import CommitSpec

async def main():
    data_dir, path, commit, settle, last = sys.argv[1:]
    workspaces = GitWorkspaces(Spawner(Path(data_dir) / "runs", {"PATH": path}), Path(data_dir))
    call = SettleCall.model_validate_json(settle)
    print("ready", flush=True)
    worktree = await workspaces.prepare(call.workspace)
    if last == "prepare":
        return
    (worktree / "work.py").write_text("work")
    made = await workspaces.commit(call.workspace, CommitSpec.model_validate_json(commit))
    await workspaces.settle(call.model_copy(update={"commit": made.commit}))

asyncio.run(main())
"""


@pytest.fixture
def killed_task(data_dir):
    """Take a task up to its `last` step in a process of its own; it is killed once `is_time` says so.

    That is asked from when it begins to work, not while it starts.
    """

    def work(spec: WorkspaceSpec, is_time: Callable[[], bool], last: str = "settle") -> None:
        arguments = (
            *(str(data_dir), os.environ["PATH"]),
            commit_of("turn-1").model_dump_json(),
            settle_of(spec, None).model_dump_json(),
            last,
        )
        with subprocess.Popen(
            [sys.executable, "-c", HELPER, *arguments],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as helper:
            assert helper.stdout.readline() == b"ready\n"
            while helper.poll() is None and not is_time():
                pass
            helper.send_signal(signal.SIGKILL)

    return work


async def test_a_killed_attempts_locks_do_not_block_the_next(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    admin = repository / ".git" / "worktrees" / path.name
    refs = repository / ".git" / "refs"
    (refs / "treadle" / THREAD).mkdir(parents=True)
    for lock in (
        admin / "index.lock",
        admin / "HEAD.lock",
        refs / "heads" / "treadle" / "task-1.lock",
        refs / "heads" / "treadle" / "greet.lock",
        refs / "treadle" / THREAD / "turn-1.lock",
    ):
        lock.write_text("")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert git(repository, "rev-parse", branch) == result.commit


@pytest.mark.parametrize("moment", ["admin", "folder", "checkout"])
async def test_a_killed_prepare_is_fixed(workspaces, repository, git, killed_task, moment):
    await workspaces.create_branch(str(repository), BRANCH, "main")
    for number in range(500):
        (repository / f"file-{number}").write_text("x\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=many")
    git(repository, "branch", "--force", BRANCH, "main")
    spec = spec_of(repository, "task-1")
    probe = await workspaces.prepare(spec_of(repository, "probe"))
    name = (await workspaces._worktrees.find(spec)).path.name
    moments = {
        "admin": repository / ".git" / "worktrees" / name / "HEAD",
        "folder": probe.with_name(name),
        "checkout": repository / ".git" / "worktrees" / name / "index.lock",
    }

    killed_task(spec, moments[moment].exists, last="prepare")
    path = await workspaces.prepare(spec)

    assert git(path, "status", "--porcelain") == ""
    assert git(path, "symbolic-ref", "HEAD") == "refs/heads/treadle/task-1"
    assert (path / "file-499").exists()
    assert not (repository / ".git" / "worktrees" / name / "locked").exists()


@pytest.mark.parametrize("after_ms", [3, 15, 25, 35, 50])
async def test_a_task_killed_anywhere_is_done_once(
    workspaces, repository, git, branch, killed_task, after_ms
):
    before = user_state(git, repository)
    spec = spec_of(repository, "task-1")
    asked: list[float] = []

    def is_time() -> bool:
        asked.append(time.monotonic())
        return asked[-1] > asked[0] + after_ms / 1000

    killed_task(spec, is_time)
    path = await workspaces.prepare(spec)
    (path / "work.py").write_text("work")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert git(repository, "rev-parse", branch) == result.commit
    log = git(repository, "log", "--format=%(trailers:key=Treadle-Turn,key=Treadle-Merge)", branch)
    assert sorted(line for line in log.split("\n") if line) == [
        "Treadle-Merge: merge-1",
        "Treadle-Turn: turn-1",
    ]
    assert git(repository, "show", f"{branch}:work.py") == "work"
    assert user_state(git, repository) == before
    git(repository, "fsck", "--strict")
