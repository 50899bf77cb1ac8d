"""Whatever happens to Treadle's own branches, what is the user's stays as it was, to the byte."""

import asyncio

import pytest

from domain.core.errors import RepositoryError, WorkspaceError
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of
from tests.git_watch import users_things


@pytest.fixture
def watched(repository, git):
    """A user's repository in the middle of something: staged, changed, new, stashed, tagged."""
    (repository / "app.py").write_text("print('stashed')\n")
    git(repository, "stash")
    (repository / "app.py").write_text("print('mine')\n")
    (repository / "staged.py").write_text("")
    git(repository, "add", "staged.py")
    (repository / "new.py").write_text("")
    git(repository, "tag", "v1")
    git(repository, "branch", "idea")
    return users_things(repository)


async def test_merges_conflicts_and_aborts_leave_the_users_things_alone(
    workspaces, repository, watched
):
    await workspaces.inspect(str(repository))
    await workspaces.create_branch(str(repository), BRANCH, "main")
    specs = [spec_of(repository, f"task-{n}") for n in range(3)]
    for number, spec in enumerate(specs):
        path = await workspaces.prepare(spec)
        (path / "app.py").write_text(f"print({number + 10})\n")
    snapshots = [await workspaces.commit(s, commit_of(s.task_id)) for s in specs]

    merged = await workspaces.settle(settle_of(specs[0], snapshots[0].commit, "merge-0"))
    conflict = await workspaces.settle(settle_of(specs[1], snapshots[1].commit, "merge-1"))
    aborted = await workspaces.settle(settle_of(specs[2], None, "merge-2"))

    assert merged.commit
    assert conflict.conflicts == ("app.py",)
    assert aborted.commit is None
    assert users_things(repository) == watched


async def test_a_branch_made_symbolic_by_an_agent_moves_nothing_else(
    workspaces, repository, git, watched
):
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    git(path, "symbolic-ref", f"refs/heads/{spec.branch}", "refs/heads/main")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(path, "symbolic-ref", f"refs/heads/{BRANCH}", "refs/heads/main")
    merged = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert git(repository, "rev-parse", BRANCH) == merged.commit
    assert users_things(repository) == watched


async def test_a_merge_writes_into_no_folder_that_an_agent_names(
    workspaces, repository, git, branch, tmp_path
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    folder = tmp_path / "elsewhere"
    git(repository, "worktree", "add", str(folder), branch)
    (repository / ".git" / "worktrees" / "elsewhere" / "treadle-made").write_text("out")

    with pytest.raises(WorkspaceError, match="is checked out at"):
        await workspaces.settle(settle_of(spec, snapshot.commit))

    assert not (folder / "a.py").exists()


async def test_a_replaced_commit_is_shown_as_what_it_is(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "evil.py").write_text("evil")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "replace", snapshot.commit, snapshot.base)

    patch = await workspaces.diff(str(repository), snapshot.base, snapshot.commit)

    assert "evil.py" in patch


@pytest.mark.parametrize("name", ["main/x", "a..b", "x.lock", "a b", "@{", "--upload-pack=x/.y"])
async def test_a_branch_that_cannot_be_is_reported(workspaces, repository, name):
    with pytest.raises(RepositoryError, match="cannot be a branch"):
        await workspaces.create_branch(str(repository), name, "main")


async def test_sixteen_tasks_start_at_once(workspaces, repository, git, branch):
    specs = [spec_of(repository, f"task-{n}") for n in range(16)]

    paths = await asyncio.gather(*(workspaces.prepare(spec) for spec in specs))

    assert all((path / "app.py").exists() for path in paths)
    assert git(repository, "worktree", "list").count("\n") == 16
