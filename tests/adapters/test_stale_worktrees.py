"""Entries of worktrees whose folder is gone, as after a restored backup."""

import os
import shutil
import time

import pytest

from tests.adapters.task_specs import commit_of, spec_of


async def opened_again(workspaces, repository) -> None:
    await workspaces.create_branch(str(repository), "treadle/other", "main")


@pytest.fixture
async def work(workspaces, repository, branch):
    """A worktree with a committed turn."""
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    await workspaces.commit(spec, commit_of("turn-1"))
    return path


async def test_an_entry_whose_work_is_on_a_branch_goes(workspaces, repository, git, work):
    shutil.rmtree(work)
    assert "prunable" in git(repository, "worktree", "list", "--porcelain")

    await opened_again(workspaces, repository)

    assert "prunable" not in git(repository, "worktree", "list", "--porcelain")
    assert git(repository, "show", "treadle/task-1:a.py") == "a"


async def test_an_entry_that_may_be_missed_stays_for_a_day(workspaces, repository, git, branch):
    path = await workspaces.prepare(spec_of(repository, "task-1"))
    shutil.rmtree(path)
    await opened_again(workspaces, repository)
    admin = repository / ".git" / "worktrees" / path.name
    assert admin.exists()

    old = time.time() - 2 * 24 * 3600
    os.utime(admin / "treadle-made", (old, old))
    await opened_again(workspaces, repository)

    assert not admin.exists()


async def test_worktrees_of_the_users_own_stay_listed(
    workspaces, repository, git, branch, tmp_path
):
    git(repository, "worktree", "add", "--quiet", "-b", "mine", str(tmp_path / "mine"))
    shutil.rmtree(tmp_path / "mine")
    admin = repository / ".git" / "worktrees" / "mine"
    (admin / "treadle-made").write_text("kept")

    await opened_again(workspaces, repository)

    assert admin.exists()


async def test_a_worktree_that_is_there_stays(workspaces, repository, work):
    await opened_again(workspaces, repository)

    assert (work / "a.py").exists()
