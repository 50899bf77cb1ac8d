"""Spare worktrees: taken over by a rename, and never seen where anything is wrong with one."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adapters.git import spares
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.fences import WorkspaceFences
from domain.core.workspaces import Claim, WorkspaceSpec
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of, user_state


@pytest.fixture(autouse=True)
def small_repositories_have_spares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "LEAST_INDEX_BYTES", 0)
    monkeypatch.setattr(spares, "LEAST_FREE_BYTES", 0)
    monkeypatch.setattr(spares, "QUIET_SECONDS", 0.0)


@pytest.fixture
async def stocked(workspaces: GitWorkspaces, branch) -> GitWorkspaces:
    """Workspaces whose repository has spares at the thread's branch."""
    await workspaces.spares.filled()
    return workspaces


def spares_of(repository: Path) -> list[Path]:
    return sorted((repository / ".git" / "worktrees").glob(f"{spares.PREFIX}*"))


def move_branch(git, repository: Path) -> None:
    """Have the thread's branch get a commit that changes, adds and removes files."""
    index = {"GIT_INDEX_FILE": str(repository / "elsewhere.index")}
    subprocess.run(
        ["git", "read-tree", BRANCH], cwd=repository, env={**os.environ, **index}, check=True
    )
    blob = git(repository, "hash-object", "-w", "--", "app.py")
    for change in (("--cacheinfo", f"100644,{blob},new.py"), ("--force-remove", ".gitignore")):
        subprocess.run(
            ["git", "update-index", "--add", *change],
            cwd=repository,
            env={**os.environ, **index},
            check=True,
        )
    wrote = subprocess.run(
        ["git", "write-tree"],
        cwd=repository,
        env={**os.environ, **index},
        check=True,
        capture_output=True,
    )
    commit = git(
        repository, "commit-tree", wrote.stdout.decode().strip(), "-p", BRANCH, "-m", "moved"
    )
    git(repository, "update-ref", f"refs/heads/{BRANCH}", commit)
    (repository / "elsewhere.index").unlink()


async def test_a_task_takes_over_a_spare_which_is_replaced(stocked, repository, git):
    before, user = spares_of(repository), user_state(git, repository)
    assert len(before) == spares.KEPT
    path = await stocked.prepare(spec_of(repository, "task-1"))
    await stocked.spares.filled()
    assert (path / "app.py").read_text() == "print(1)\n"
    assert git(path, "symbolic-ref", "HEAD") == "refs/heads/treadle/task-1"
    assert git(path, "rev-parse", "HEAD") == git(repository, "rev-parse", BRANCH)
    assert git(path, "status", "--porcelain", "--ignored") == ""
    assert len(set(before) - set(spares_of(repository))) == 1
    assert len(spares_of(repository)) == spares.KEPT
    assert user_state(git, repository) == user
    assert git(repository, "fsck", "--strict") == ""


async def test_what_was_taken_over_is_worked_in_and_settled_like_any_other(
    stocked, repository, git
):
    spec = spec_of(repository, "task-1")
    path = await stocked.prepare(spec)
    assert await stocked.prepare(spec) == path
    (path / "greet.py").write_text("hello")
    made = await stocked.commit(spec, commit_of("turn-1"))
    assert made.files == ("greet.py",)
    await stocked.settle(settle_of(spec, made.commit))
    assert git(repository, "show", f"{BRANCH}:greet.py") == "hello"
    assert not path.exists()


async def test_a_base_that_moved_changes_only_what_differs(stocked, repository, git):
    move_branch(git, repository)
    path = await stocked.prepare(spec_of(repository, "task-1"))
    assert sorted(f.name for f in path.iterdir()) == [".git", "app.py", "new.py"]
    assert git(path, "rev-parse", "HEAD") == git(repository, "rev-parse", BRANCH)
    assert git(path, "status", "--porcelain", "--ignored") == ""


async def test_a_reader_gets_one_on_no_branch(stocked, repository, git):
    path = await stocked.prepare(spec_of(repository, "plan", branch=None))
    assert git(path, "rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
    assert git(path, "status", "--porcelain") == ""


async def test_a_branch_that_exists_is_gone_on_with(stocked, repository, git):
    before = spares_of(repository)
    git(repository, "branch", "treadle/task-1", BRANCH)
    path = await stocked.prepare(spec_of(repository, "task-1"))
    assert git(path, "symbolic-ref", "HEAD") == "refs/heads/treadle/task-1"
    assert set(before) <= set(spares_of(repository))


async def test_spares_survive_a_collection_of_garbage(stocked, repository, git):
    move_branch(git, repository)
    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "--quiet", "--prune=now")
    path = await stocked.prepare(spec_of(repository, "task-1"))
    assert git(path, "status", "--porcelain", "--ignored") == ""
    assert git(repository, "fsck", "--strict") == ""


@pytest.mark.parametrize("lost", ["folder", "entry", "marker"])
async def test_one_that_is_not_whole_is_never_taken(stocked, repository, git, data_dir, lost):
    for admin in spares_of(repository):
        [folder] = (data_dir / "worktrees").glob(f"*/{admin.name}")
        if lost == "marker":
            (admin / spares.MARKER).unlink()
        else:
            shutil.rmtree(folder if lost == "folder" else admin)
    path = await stocked.prepare(spec_of(repository, "task-1"))
    assert (path / "app.py").exists()
    assert git(path, "status", "--porcelain") == ""
    await stocked.spares.filled()
    whole = [admin for admin in spares_of(repository) if (admin / spares.MARKER).exists()]
    assert len(whole) == spares.KEPT


async def test_what_is_unused_for_long_is_thrown_away(stocked, repository, data_dir):
    old = spares_of(repository)
    for admin in old:
        os.utime(admin / spares.MARKER, (time.time() - spares.UNUSED_SECONDS - 1,) * 2)
    [found] = {path.parent for path in (data_dir / "worktrees").glob(f"*/{old[0].name}")}
    await stocked.create_branch(str(repository), "treadle/other", "main")
    await stocked.spares.filled()
    assert set(old).isdisjoint(spares_of(repository))
    assert sorted(p.name for p in found.iterdir()) == [p.name for p in spares_of(repository)]


async def test_those_of_a_repository_that_nobody_works_on_any_more_are_thrown_away(
    stocked, spawner, data_dir, repository
):
    kept, *old = spares_of(repository)
    for admin in old:
        os.utime(admin / spares.MARKER, (time.time() - spares.UNUSED_SECONDS - 1,) * 2)
    await GitWorkspaces(spawner, data_dir).spares.sweep_unused()
    assert spares_of(repository) == [kept]
    assert [p.name for p in (data_dir / "worktrees").glob("*/spare-*")] == [kept.name]


async def test_a_spare_is_made_for_nobody_s_workspace(workspaces, repository, data_dir):
    fences = WorkspaceFences(data_dir / "fences")
    async with fences.held("w", Claim(order=1, attempt=1)):
        await workspaces.create_branch(str(repository), BRANCH, "main")
    async with fences.held("w", Claim(order=1, attempt=2)):
        await workspaces.spares.filled()
    assert len(spares_of(repository)) == spares.KEPT


async def test_on_a_full_disk_there_are_none_and_tasks_start_all_the_same(
    workspaces, repository, branch, monkeypatch
):
    monkeypatch.setattr(spares, "LEAST_FREE_BYTES", 1 << 60)
    await workspaces.spares.filled()
    for admin in spares_of(repository):
        shutil.rmtree(admin)
    path = await workspaces.prepare(spec_of(repository, "task-1"))
    await workspaces.spares.filled()
    assert (path / "app.py").exists()
    assert spares_of(repository) == []


HELPER = """
import asyncio, sys
from pathlib import Path
from adapters.git import spares
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from adapters.processes.fences import WorkspaceFences
from domain.core.workspaces import Claim, WorkspaceSpec

spares.LEAST_INDEX_BYTES = 0
spares.QUIET_SECONDS = 0.0

async def main():
    data_dir, path, spec = sys.argv[1:]
    workspaces = GitWorkspaces(Spawner(Path(data_dir) / "runs", {"PATH": path}), Path(data_dir))
    print("ready", flush=True)
    await workspaces.prepare(WorkspaceSpec.model_validate_json(spec))
    await workspaces.spares.filled()

asyncio.run(main())
"""


def prepare_and_kill(data_dir: Path, spec: WorkspaceSpec, milliseconds: int) -> None:
    """Prepare a worktree in a process of its own, which is killed so long after it began."""
    arguments = (str(data_dir), os.environ["PATH"], spec.model_dump_json())
    with subprocess.Popen(
        [sys.executable, "-c", HELPER, *arguments],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as helper:
        assert helper.stdout is not None
        assert helper.stdout.readline() == b"ready\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            helper.wait(milliseconds / 1_000)
        helper.send_signal(signal.SIGKILL)


@pytest.mark.parametrize("milliseconds", range(0, 160, 10))
async def test_a_take_over_that_is_killed_is_made_again_and_leaves_nothing(
    stocked, spawner, data_dir, repository, git, milliseconds
):
    move_branch(git, repository)
    spec = spec_of(repository, "task-1")
    prepare_and_kill(data_dir, spec, milliseconds)
    await spawner.reap_leftovers()  # as a worker does that starts: the kernel may take its time
    again = GitWorkspaces(spawner, data_dir)
    path = await again.prepare(spec)
    await again.spares.filled()
    assert sorted(f.name for f in path.iterdir()) == [".git", "app.py", "new.py"]
    assert git(path, "symbolic-ref", "HEAD") == "refs/heads/treadle/task-1"
    assert git(path, "status", "--porcelain", "--ignored") == ""
    assert git(repository, "fsck", "--strict") == ""
    folders = {each.name for each in path.parent.iterdir()}
    entries = {each.name for each in (repository / ".git" / "worktrees").iterdir()}
    assert folders == entries
