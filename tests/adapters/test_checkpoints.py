"""Branches and worktrees that begin at a checkpoint, and the demo's repository."""

import pytest

from adapters.git.demo_repositories import GitDemoRepositories
from domain.core.errors import RepositoryError
from domain.threads.demo import FOLDER
from tests.adapters.task_specs import commit_of, settle_of, spec_of


async def turn(workspaces, spec, **files):
    """Have a worktree's files committed as a turn's end; returns the snapshot."""
    path = await workspaces.prepare(spec)
    for name, text in files.items():
        (path / name).write_text(text)
    return await workspaces.commit(spec, commit_of(spec.workspace_id))


async def test_a_retry_has_the_files_of_its_checkpoint_and_undoes_nothing_that_came_since(
    workspaces, repository, git, branch
):
    first = spec_of(repository, "task-1")
    old = await turn(workspaces, first, mine="one\n")
    await workspaces.release(first)
    other = spec_of(repository, "task-2")
    theirs = await turn(workspaces, other, theirs="two\n")
    await workspaces.settle(settle_of(other, theirs.commit))

    spec = spec_of(repository, "task-1.2").model_copy(update={"begins_with": old.commit})
    path = await workspaces.prepare(spec)
    assert sorted(p.name for p in path.iterdir()) == [".git", ".gitignore", "app.py", "mine"]
    new = await turn(workspaces, spec, more="three\n")
    assert (new.files, new.base) == (("mine", "more"), old.base)
    await workspaces.settle(settle_of(spec, new.commit, key="merge-2"))
    names = git(repository, "ls-tree", "--name-only", branch).splitlines()
    assert names == [".gitignore", "app.py", "mine", "more", "theirs"]


async def test_a_worktree_or_a_branch_at_a_checkpoint_that_is_gone_is_refused(
    workspaces, repository, branch
):
    gone = "0123456789" * 4
    spec = spec_of(repository, "task-1").model_copy(update={"begins_with": gone})
    with pytest.raises(RepositoryError, match="no commit or branch '0123"):
        await workspaces.prepare(spec)
    with pytest.raises(RepositoryError, match="no commit or branch '0123"):
        await workspaces.create_branch(str(repository), "treadle/fork", gone)


async def test_a_branch_tells_at_which_commit_it_began(workspaces, repository, git, branch):
    old = await turn(workspaces, spec_of(repository, "task-1"), mine="one\n")
    begun = await workspaces.create_branch(str(repository), "treadle/fork", old.commit)

    assert begun == old.commit == git(repository, "rev-parse", "treadle/fork")


async def test_the_demo_repository_is_made_once_and_whole_whatever_was_left(spawner, data_dir, git):
    demos = GitDemoRepositories(spawner, data_dir)
    place = data_dir / FOLDER / "thread-a" / "shelf"
    (place.parent / ".making-killed" / "shelf").mkdir(parents=True)
    await demos.make(str(place))
    commit = git(place, "rev-parse", "main")
    (place / "mine.txt").write_text("kept\n")
    await demos.make(str(place))

    assert git(place, "rev-parse", "main") == commit
    assert git(place, "status", "--porcelain") == "?? mine.txt"
    assert (place / ".treadle" / "scenario.yaml").is_file()


@pytest.mark.parametrize(
    "path", ["elsewhere/shelf", "demo/shelf", "demo/a/../../b/shelf", "demo/../shelf"]
)
async def test_the_demo_makes_repositories_in_no_other_place(spawner, data_dir, path):
    with pytest.raises(RepositoryError, match="no place of the demo"):
        await GitDemoRepositories(spawner, data_dir).make(str(data_dir / path))
