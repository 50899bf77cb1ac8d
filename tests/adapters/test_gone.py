"""What was deleted under Treadle is told once, in words, and never keeps a task from ending."""

import shutil

import pytest

from adapters.git.workspaces import GitWorkspaces
from domain.core.errors import RepositoryError
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of


@pytest.fixture
async def worked(workspaces, repository, branch):
    """A worktree with work in it."""
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    return spec, path


@pytest.mark.parametrize("is_known", [True, False], ids=["same worker", "restarted worker"])
async def test_a_deleted_repository_ends_everything_in_words(
    workspaces, spawner, data_dir, repository, worked, is_known
):
    spec, path = worked
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    shutil.rmtree(repository)
    now = workspaces if is_known else GitWorkspaces(spawner, data_dir)

    with pytest.raises(RepositoryError, match="does not exist"):
        await now.commit(spec, commit_of("turn-2"))
    with pytest.raises(RepositoryError, match="does not exist"):
        await now.prepare(spec_of(repository, "task-2"))
    result = await now.settle(settle_of(spec, snapshot.commit))
    await now.release(spec)

    assert "does not exist" in result.failure
    assert (path / "a.py").exists()  # no ref could hold it


async def test_a_deleted_branch_of_the_thread_fails_the_merge(
    workspaces, repository, git, branch, worked
):
    spec, path = worked
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "update-ref", "-d", f"refs/heads/{branch}")

    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert "branch treadle/greet is gone" in result.failure
    assert not path.exists()
    assert git(repository, "show", f"{snapshot.commit}:a.py") == "a"


async def test_a_deleted_base_fails_the_commit(workspaces, repository, git, branch, worked):
    git(repository, "update-ref", "-d", f"refs/heads/{branch}")

    with pytest.raises(RepositoryError, match="'treadle/greet' is gone"):
        await workspaces.commit(worked[0], commit_of("turn-1"))


@pytest.mark.parametrize("is_detached", [False, True], ids=["on a branch", "detached"])
async def test_a_deleted_head_fails_the_commit_and_its_work_is_kept(
    workspaces, repository, git, branch, is_detached
):
    spec = spec_of(repository, "task-1", branch=None if is_detached else "")
    path = await workspaces.prepare(spec)
    (path / "precious.py").write_text("gold")
    git(path, "update-ref", "-d", "HEAD")

    with pytest.raises(RepositoryError, match="gone"):
        await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)

    assert not path.exists()
    refs = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{refs}:precious.py") == "gold"


async def test_a_deleted_worktree_fails_the_commit_and_is_made_again(workspaces, worked):
    spec, path = worked
    shutil.rmtree(path)

    with pytest.raises(RepositoryError, match="retry the task"):
        await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)

    assert await workspaces.prepare(spec) == path


async def test_a_restored_branch_takes_the_merge(workspaces, repository, git, branch, worked):
    spec, _ = worked
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "update-ref", "-d", f"refs/heads/{branch}")
    call = settle_of(spec, snapshot.commit)
    assert (await workspaces.settle(call)).failure

    git(repository, "branch", BRANCH, snapshot.base)

    assert (await workspaces.settle(call)).commit
