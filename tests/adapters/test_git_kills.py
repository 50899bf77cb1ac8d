"""Git killed at any moment: the next call cleans up and ends as the first would have."""

import asyncio
import subprocess
from contextlib import contextmanager, suppress

import psutil
import pytest

from domain.core.errors import RepositoryError, WorkspaceError
from tests.adapters.task_specs import commit_of, settle_of, spec_of
from tests.git_watch import users_things


async def killed(operation, after_ms):
    """Run an operation, killing every git below this process after some time."""
    task = asyncio.ensure_future(operation)
    await asyncio.wait({task}, timeout=after_ms / 1000)
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.name() in ("git", "bwrap"):
                process.kill()
    with suppress(WorkspaceError, RepositoryError):
        await task


@contextmanager
def living_git(folder):
    """An agent's git that goes on for a while: not a child of this process."""
    shell = subprocess.Popen(
        ["sh", "-c", "git cat-file --batch; true"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    shell.stdin.write(b"HEAD\n")
    shell.stdin.flush()
    assert b"commit" in shell.stdout.readline()
    yield
    shell.communicate()


@pytest.fixture
def many_files(repository, git):
    for number in range(300):
        (repository / f"file-{number}").write_text("x\n" * 50)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=many")


async def test_a_worktree_killed_while_it_is_made_is_made_clean(
    many_files, workspaces, repository, git, branch
):
    before = users_things(repository)
    for number in range(17):
        spec = spec_of(repository, f"task-{number}")

        await killed(workspaces.prepare(spec), after_ms=number * 7)
        path = await workspaces.prepare(spec)

        assert git(path, "status", "--porcelain") == ""
        assert git(path, "symbolic-ref", "HEAD") == f"refs/heads/{spec.branch}"
    assert users_things(repository) == before
    git(repository, "fsck", "--strict")


async def test_a_commit_and_a_merge_killed_anywhere_are_done_once(
    many_files, workspaces, repository, git, branch
):
    before = users_things(repository)
    for number in range(13):
        spec = spec_of(repository, f"task-{number}")
        path = await workspaces.prepare(spec)
        (path / f"new-{number}").write_text("x")
        commit = commit_of(f"turn-{number}")

        await killed(workspaces.commit(spec, commit), after_ms=number * 5)
        snapshot = await workspaces.commit(spec, commit)
        call = settle_of(spec, snapshot.commit, f"merge-{number}")
        await killed(workspaces.settle(call), after_ms=number * 5)
        assert (await workspaces.settle(call)).commit

    keys = git(repository, "log", "--format=%(trailers:key=Treadle-Turn,valueonly)", branch)
    assert sorted(keys.split()) == sorted(f"turn-{n}" for n in range(13))
    assert users_things(repository) == before
    git(repository, "fsck", "--strict")


async def test_a_lock_that_a_living_git_may_hold_is_waited_for(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    lock = repository / ".git" / "worktrees" / path.name / "index.lock"
    lock.write_text("")
    with living_git(path):
        commit = asyncio.create_task(workspaces.commit(spec, commit_of("turn-1")))
        done, _ = await asyncio.wait({commit}, timeout=1)
        assert not done
        assert lock.exists()

    assert (await commit).files == ("a.py",)
