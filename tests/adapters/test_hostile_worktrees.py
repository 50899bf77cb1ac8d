"""What an agent can do to its worktree so that work is lost, hidden, or written elsewhere."""

import os

import pytest

from adapters.git.commands import Git, GitPlace
from domain.errors import RepositoryError
from tests.adapters.task_specs import commit_of, settle_of, spec_of


@pytest.fixture
async def spec(workspaces, repository, branch):
    return spec_of(repository, "task-1")


@pytest.fixture
async def path(workspaces, spec):
    return await workspaces.prepare(spec)


async def test_files_of_nested_repositories_are_committed(workspaces, repository, git, spec, path):
    git(path, "init", "--quiet", "new")
    git(path, "clone", "--quiet", str(repository), "cloned")
    git(path, "worktree", "add", "--quiet", "--detach", "linked")
    git(path / "cloned", "init", "--quiet", "deeper")
    git(path, "init", "--quiet", "empty")
    (path / "new" / "work.py").write_text("work\n")
    (path / "cloned" / "deeper" / "work.py").write_text("work\n")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert set(snapshot.files) == {
        "new/work.py",
        *("cloned/.gitignore", "cloned/app.py", "cloned/deeper/work.py"),
        *("linked/.gitignore", "linked/app.py"),
    }
    (path / "cloned" / "app.py").write_text("print(2)\n")
    again = await workspaces.commit(spec, commit_of("turn-2"))
    assert git(repository, "show", f"{again.commit}:cloned/app.py") == "print(2)"
    merged = await workspaces.settle(settle_of(spec, again.commit))
    assert git(repository, "show", f"{merged.commit}:new/work.py") == "work"


async def test_a_nested_repository_that_an_agent_committed_is_kept_at_the_end(
    workspaces, repository, git, spec, path
):
    git(path, "clone", "--quiet", str(repository), "cloned")
    (path / "cloned" / "work.py").write_text("work\n")
    git(path, "add", "cloned")
    git(path, "commit", "--quiet", "--message=mine")

    await workspaces.release(spec)

    kept = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{kept}:cloned/work.py") == "work"


async def test_a_submodule_stays_a_link(workspaces, repository, tmp_path, git, spec, path):
    git(repository, "clone", "--quiet", "--bare", str(repository), str(tmp_path / "library"))
    allowed = ("-c", "protocol.file.allow=always")
    git(path, *allowed, "submodule", "--quiet", "add", str(tmp_path / "library"), "library")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert git(repository, "ls-tree", snapshot.commit, "library").startswith("160000")


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
async def test_marks_that_hide_changes_are_taken_off(workspaces, git, spec, path, mark):
    (path / "app.py").write_text("print('hidden')\n")
    git(path, "update-index", mark, "app.py", ".gitignore")
    (path / ".gitignore").unlink()

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert set(snapshot.files) == {"app.py", ".gitignore"}


async def test_a_pipe_in_the_place_of_a_file_of_gits_ends_in_words(spawner, path):
    os.mkfifo(path / "docs")
    (path / ".gitignore").unlink()
    os.mkfifo(path / ".gitignore")

    with pytest.raises(RepositoryError, match="named pipe"):
        await Git(spawner, limit_seconds=0.5).run(GitPlace(path), "add", "--all")
