"""What an agent can do to its worktree so that work is lost, hidden, or written elsewhere."""

import os

import pytest

from adapters.git.commands import Git, GitPlace
from adapters.git.workspaces import GitWorkspaces
from domain.core.errors import RepositoryError
from tests.adapters.task_specs import THREAD, commit_of, settle_of, spec_of


@pytest.fixture
def told() -> list[str]:
    """What people are told."""
    return []


@pytest.fixture
def workspaces(spawner, data_dir, told) -> GitWorkspaces:
    async def tell(thread_id, message):
        assert thread_id == THREAD
        told.append(message)

    return GitWorkspaces(spawner, data_dir, tell=tell)


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


async def test_links_in_the_place_of_files_that_treadle_writes_are_not_followed(
    workspaces, repository, tmp_path, spec, path
):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    admin = repository / ".git" / "worktrees" / path.name
    for file in (path / ".git", admin / "gitdir", admin / "commondir", admin / "treadle-made"):
        file.unlink()
        file.symlink_to(precious)

    assert await workspaces.prepare(spec) == path
    await workspaces.commit(spec, commit_of("turn-1"))
    (admin / "HEAD").unlink()
    (admin / "HEAD").symlink_to(tmp_path / "no-such-file")
    await workspaces.release(spec)

    assert precious.read_text() == "mine"
    assert not (tmp_path / "no-such-file").exists()
    assert not path.exists()


async def test_a_link_in_the_place_of_the_worktree_is_not_worked_in(
    workspaces, repository, tmp_path, spec, path
):
    path.rename(tmp_path / "moved")
    path.symlink_to(repository)

    with pytest.raises(RepositoryError, match="gone"):
        await workspaces.commit(spec, commit_of("turn-1"))
    with pytest.raises(RepositoryError, match="removed"):
        await workspaces.prepare(spec)
    await workspaces.release(spec)

    assert (repository / "app.py").read_text() == "print(1)\n"
    assert not path.is_symlink()


@pytest.mark.parametrize("name", ["HEAD", "treadle-made"])
async def test_a_pipe_in_the_worktrees_own_git_folder_stops_nobody(
    workspaces, repository, spec, path, name
):
    (path / "work.py").write_text("work\n")
    admin = repository / ".git" / "worktrees" / path.name
    (admin / name).unlink()
    os.mkfifo(admin / name)

    if name == "HEAD":
        with pytest.raises(RepositoryError, match="retry"):
            await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)

    assert not path.exists()


async def test_a_pipe_in_the_place_of_a_file_of_gits_ends_in_words(spawner, path):
    os.mkfifo(path / "docs")
    (path / ".gitignore").unlink()
    os.mkfifo(path / ".gitignore")

    with pytest.raises(RepositoryError, match="named pipe"):
        await Git(spawner, limit_seconds=0.5).run(GitPlace(path), "add", "--all")


async def test_refs_that_an_agent_moved_are_told_once(
    workspaces, repository, git, spec, path, told
):
    (path / "work.py").write_text("work\n")
    git(path, "add", "work.py")
    git(path, "commit", "--quiet", "--message=mine")
    git(path, "update-ref", "refs/heads/main", "HEAD")
    moved = git(path, "rev-parse", "HEAD")
    git(path, "tag", "v9")

    await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.prepare(spec)
    await workspaces.commit(spec, commit_of("turn-2"))

    assert len(told) == 1
    assert "refs/heads/main" in told[0]
    assert "refs/tags/v9" in told[0]
    assert git(repository, "rev-parse", "main") == moved


async def test_what_the_person_commits_meanwhile_is_not_told(
    workspaces, repository, git, spec, path, told
):
    (repository / "app.py").write_text("print('mine')\n")
    git(repository, "commit", "--quiet", "--all", "--message=mine")
    (path / "work.py").write_text("work\n")

    await workspaces.commit(spec, commit_of("turn-1"))

    assert told == []


async def test_people_are_told_of_a_worktree_that_stays(
    workspaces, repository, tmp_path, spec, path, told
):
    (path / "work.py").write_text("work\n")
    repository.rename(tmp_path / "elsewhere")

    await workspaces.release(spec)

    assert (path / "work.py").exists()
    assert len(told) == 1
    assert "stays in its folder" in told[0]
