"""Worktrees: made, found, fixed, removed, and all of it away from the user's checkout."""

import asyncio
import shutil

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of, user_state


class CountingSpawner(Spawner):
    """A spawner that counts."""

    count = 0

    async def start(self, *arguments, **options):
        self.count += 1
        return await super().start(*arguments, **options)


async def test_a_task_goes_all_the_way_beside_a_dirty_checkout(workspaces, repository, git, branch):
    (repository / "app.py").write_text("print('mine')\n")
    (repository / "staged.py").write_text("")
    git(repository, "add", "staged.py")
    (repository / "untracked.py").write_text("")
    before = user_state(git, repository)
    spec = spec_of(repository, "task-1")

    path = await workspaces.prepare(spec)
    assert sorted(p.name for p in path.iterdir()) == [".git", ".gitignore", "app.py"]
    (path / "greet.py").write_text("hello\nworld\n")
    (path / "noise.log").write_text("ignored")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    result = await workspaces.settle(settle_of(spec, snapshot.commit))

    assert snapshot.files == ("greet.py",)
    assert (snapshot.insertions, snapshot.deletions, snapshot.is_changed) == (2, 0, True)
    assert snapshot.base == git(repository, "rev-parse", "main")
    assert git(repository, "rev-parse", branch) == result.commit
    assert git(repository, "show", f"{branch}:greet.py") == "hello\nworld"
    parents = git(repository, "log", "-1", "--format=%P", branch).split()
    assert parents == [snapshot.base, snapshot.commit]
    trailers = git(repository, "log", "-1", "--format=%(trailers)", branch)
    assert trailers == "Treadle-Task: task-1\nTreadle-Merge: merge-1"
    assert not path.exists()
    assert user_state(git, repository) == before
    assert git(repository, "worktree", "list").count("\n") == 0
    git(repository, "fsck", "--strict")


async def test_preparing_again_keeps_the_work(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "draft.py").write_text("")

    assert await workspaces.prepare(spec) == path

    assert (path / "draft.py").exists()


async def test_trusted_hooks_and_user_configuration_never_run(
    workspaces, repository, git, tmp_path
):
    trace = tmp_path / "ran"
    for hook in (
        "post-checkout",
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
    ):
        file = repository / ".git" / "hooks" / hook
        file.write_text(f"#!/bin/sh\necho {hook} >> {trace}\n")
        file.chmod(0o755)
    git(repository, "config", "core.fsmonitor", f"echo fsmonitor >> {trace}; false")
    trace.unlink(missing_ok=True)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")

    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.settle(settle_of(spec, snapshot.commit))

    assert not trace.exists()


async def test_parallel_tasks_are_prepared_and_merged_together(workspaces, repository, git, branch):
    specs = [spec_of(repository, f"task-{n}") for n in range(8)]
    before = user_state(git, repository)

    paths = await asyncio.gather(*(workspaces.prepare(spec) for spec in specs))
    for number, path in enumerate(paths):
        (path / f"part-{number}.py").write_text("x\n")
    snapshots = await asyncio.gather(
        *(workspaces.commit(s, commit_of(f"turn-{n}")) for n, s in enumerate(specs))
    )
    results = await asyncio.gather(
        *(
            workspaces.settle(settle_of(spec, snapshot.commit, f"merge-{n}"))
            for n, (spec, snapshot) in enumerate(zip(specs, snapshots, strict=True))
        )
    )

    assert len(set(paths)) == len({r.commit for r in results}) == 8
    names = git(repository, "ls-tree", "--name-only", branch).splitlines()
    assert sum(name.startswith("part-") for name in names) == 8
    assert all(len(snapshot.files) == 1 for snapshot in snapshots)
    assert user_state(git, repository) == before


async def test_removing_keeps_uncommitted_work_on_a_hidden_ref(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "precious.py").write_text("gold")

    await workspaces.release(spec)
    await workspaces.release(spec)

    assert not path.exists()
    refs = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{refs}:precious.py") == "gold"


@pytest.fixture
async def lost(workspaces, repository, git, branch):
    """A worktree with work in it whose git metadata are gone."""
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "precious.py").write_text("gold")
    (path / "app.py").unlink()
    moved = path.with_name("away")
    path.rename(moved)
    git(repository, "worktree", "prune", "--expire=now")
    moved.rename(path)
    return spec, path


async def test_a_worktree_that_lost_its_metadata_goes_on_with_its_files(workspaces, lost):
    spec, path = lost

    assert await workspaces.prepare(spec) == path

    assert (path / "precious.py").read_text() == "gold"
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    assert snapshot.files == ("app.py", "precious.py")


async def test_a_worktree_that_lost_its_metadata_is_saved_and_removed(
    workspaces, repository, git, lost
):
    spec, path = lost

    await workspaces.release(spec)

    assert [entry.name for entry in path.parent.iterdir()] == []
    refs = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{refs}:precious.py") == "gold"


async def test_lost_metadata_without_any_branch_are_reported(workspaces, repository, git, lost):
    spec, path = lost
    for name in (spec.branch, spec.base):
        git(repository, "update-ref", "-d", f"refs/heads/{name}")

    with pytest.raises(RepositoryError, match="lost its git metadata"):
        await workspaces.prepare(spec)
    await workspaces.release(spec)

    assert (path / "precious.py").exists()


async def test_a_folder_removed_with_work_in_it_is_told_once(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    shutil.rmtree(path)

    with pytest.raises(RepositoryError, match="what was not committed is gone"):
        await workspaces.prepare(spec)

    assert (await workspaces.prepare(spec) / "app.py").exists()


async def test_a_folder_removed_by_hand_is_made_again_at_the_branch(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    await workspaces.commit(spec, commit_of("turn-1"))
    path.rename(path.with_name("gone"))

    assert await workspaces.prepare(spec) == path

    assert (path / "a.py").read_text() == "a"


async def test_a_missing_base_is_named(workspaces, repository):
    await workspaces.inspect(str(repository))

    with pytest.raises(RepositoryError, match="no commit or branch 'treadle/greet'"):
        await workspaces.prepare(spec_of(repository, "task-1"))


async def test_a_task_without_changes_costs_less_than_fourteen_processes(
    repository, data_dir, branch
):
    spawner = CountingSpawner(data_dir / "runs", BASE_ENVIRONMENT)
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.inspect(str(repository))
    await workspaces.create_branch(str(repository), branch, "main")
    spec = spec_of(repository, "task-1")
    spawner.count = 0

    await workspaces.prepare(spec)
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.settle(settle_of(spec, snapshot.commit))

    assert spawner.count < 14
