"""Merges into the thread's branch: once per key, or not at all."""

import shutil
import subprocess

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.core.workspaces import MergeCandidate
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of


async def test_a_turn_without_any_work_gives_the_base(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    await workspaces.prepare(spec)

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.commit == snapshot.base == git(repository, "rev-parse", "main")
    assert (snapshot.files, snapshot.is_changed) == ((), False)
    result = await workspaces.settle(settle_of(spec, snapshot.commit))
    assert result.commit == snapshot.commit
    assert git(repository, "rev-parse", branch) == snapshot.base


async def test_merging_again_returns_the_same_merge(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    call = settle_of(spec, snapshot.commit)

    first = await workspaces.settle(call)
    second = await workspaces.settle(call)

    assert first == second
    assert git(repository, "rev-list", "--count", "--merges", branch) == "1"


async def test_a_merge_of_other_work_under_the_same_key_is_not_taken_for_it(
    workspaces, repository, git, branch
):
    """A branch that stayed newer than a restored backup has the merge of what was done otherwise."""
    spec = spec_of(repository, "task-1")
    for number in ("1", "2"):
        path = await workspaces.prepare(spec)
        (path / f"{number}.py").write_text(number)
        snapshot = await workspaces.commit(spec, commit_of(f"turn-{number}"))
        await workspaces.settle(settle_of(spec, snapshot.commit, "the same"))

        assert number in git(repository, "show", f"{branch}:{number}.py")


async def test_a_conflict_names_its_files_and_leaves_the_branch(
    workspaces, repository, git, branch
):
    specs = [spec_of(repository, f"task-{n}") for n in (1, 2)]
    snapshots = []
    for number, spec in enumerate(specs):
        path = await workspaces.prepare(spec)
        (path / "app.py").write_text(f"print({number + 10})\n")
        (path / f"new {number}").write_text("x")
        snapshots.append(await workspaces.commit(spec, commit_of(f"turn-{number}")))
    await workspaces.settle(settle_of(specs[0], snapshots[0].commit, "merge-1"))
    tip = git(repository, "rev-parse", branch)

    result = await workspaces.settle(settle_of(specs[1], snapshots[1].commit, "merge-2"))

    assert (result.commit, result.conflicts) == (None, ("app.py",))
    assert git(repository, "rev-parse", branch) == tip
    path = await workspaces.prepare(specs[1])  # the rework goes on where it was
    assert (path / "new 1").exists()


async def test_a_branch_in_the_users_checkout_is_not_moved(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "checkout", "--quiet", branch)

    with pytest.raises(WorkspaceError, match="switch that checkout"):
        await workspaces.settle(settle_of(spec, snapshot.commit))

    git(repository, "checkout", "--quiet", "main")
    assert (await workspaces.settle(settle_of(spec, snapshot.commit))).commit


async def test_treadles_own_checkout_of_a_branch_follows_a_merge(
    workspaces, repository, git, branch
):
    chat = spec_of(repository, "chat", branch=branch)
    chat_path = await workspaces.prepare(chat)
    (chat_path / "chat.py").write_text("draft")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    await workspaces.settle(settle_of(spec, snapshot.commit))

    assert (chat_path / "a.py").read_text() == "a"
    await workspaces.commit(chat, commit_of("chat-1"))
    names = git(repository, "ls-tree", "--name-only", branch).splitlines()
    assert {"a.py", "chat.py"} <= set(names)


async def test_tasks_that_share_a_branch_make_one_line(workspaces, repository, git, branch):
    for number in ("1", "2"):
        spec = spec_of(repository, f"task-{number}", branch=None)
        path = await workspaces.prepare(spec)
        (path / f"{number}.py").write_text(number)
        snapshot = await workspaces.commit(spec, commit_of(f"turn-{number}"))
        call = settle_of(spec, snapshot.commit, f"merge-{number}").model_copy(
            update={"is_linear": True}
        )
        first = await workspaces.settle(call)
        assert await workspaces.settle(call) == first

    assert git(repository, "rev-list", "--count", "--merges", branch) == "0"
    assert git(repository, "rev-list", "--count", f"main..{branch}") == "2"
    assert git(repository, "for-each-ref", "refs/heads/treadle/task-*") == ""


async def two_siblings(workspaces, repository):
    """Two tasks with work in files of their own; returns their specs and commits."""
    specs = [spec_of(repository, f"task-{n}") for n in (1, 2)]
    commits = []
    for number, spec in enumerate(specs):
        path = await workspaces.prepare(spec)
        (path / f"new-{number}").write_text("x")
        commits.append((await workspaces.commit(spec, commit_of(f"turn-{number}"))).commit)
    return specs, commits


async def test_a_merge_that_makes_an_unverified_tree_is_only_a_candidate(
    workspaces, repository, git, branch
):
    specs, commits = await two_siblings(workspaces, repository)
    first = await workspaces.settle(settle_of(specs[0], commits[0], "merge-1"), set())
    call = settle_of(specs[1], commits[1], "merge-2")

    candidate = await workspaces.settle(call, set())

    assert isinstance(candidate, MergeCandidate)
    assert git(repository, "rev-parse", branch) == first.commit
    path = await workspaces.check_out(specs[1], candidate.commit)
    assert {p.name for p in path.glob("new-*")} == {"new-0", "new-1"}
    (path / "left by verification").touch()
    merged = await workspaces.settle(call, {candidate.tree})
    assert git(repository, "rev-parse", f"{branch}^{{tree}}") == candidate.tree
    assert git(repository, "rev-parse", branch) == merged.commit
    assert not path.exists()
    assert git(repository, "for-each-ref", "refs/treadle/released") == ""


class Pruning(Spawner):
    """Loses the tree of a merge just before the branch moves to it, as a `git gc` beside it does."""

    is_on = False

    async def run(self, command, **options):
        if self.is_on and "update-ref" in command.argv and f"refs/heads/{BRANCH}" in command.argv:
            self.is_on = False
            lose_tree(command.cwd, command.argv[-2])
        return await super().run(command, **options)


def lose_tree(folder, commit):
    argv = ["git", "log", "-1", "--format=%T", commit]
    tree = subprocess.check_output(argv, cwd=folder, text=True).strip()
    (folder / "objects" / tree[:2] / tree[2:]).unlink()


async def test_what_a_garbage_collection_takes_from_a_merge_is_made_again(
    data_dir, repository, git
):
    spawner = Pruning(data_dir / "runs", BASE_ENVIRONMENT)
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    specs, commits = await two_siblings(workspaces, repository)
    await workspaces.settle(settle_of(specs[0], commits[0], "merge-1"))
    spawner.is_on = True

    merged = await workspaces.settle(settle_of(specs[1], commits[1], "merge-2"))

    assert not spawner.is_on
    assert git(repository, "rev-parse", BRANCH) == merged.commit
    assert git(repository, "fsck", "--connectivity-only", "--no-dangling") == ""
    assert git(repository, "ls-tree", "--name-only", BRANCH).split() == [
        ".gitignore",
        "app.py",
        "new-0",
        "new-1",
    ]


async def test_a_check_out_keeps_what_an_agent_wrote_after_its_turn(
    workspaces, repository, git, branch
):
    (spec, _), (commit, _) = await two_siblings(workspaces, repository)
    path = await workspaces.check_out(spec, commit)
    (path / "new-0").write_text("changed behind the gate")
    (path / "late").write_text("new")

    assert await workspaces.check_out(spec, commit) == path

    assert (path / "new-0").read_text() == "x"
    assert not (path / "late").exists()
    kept = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released")
    assert git(repository, "show", f"{kept}:late") == "new"
    assert git(repository, "show", f"{kept}:new-0") == "changed behind the gate"


async def test_files_of_a_commit_that_are_not_as_in_it_are_reported(workspaces, repository, branch):
    (spec, _), (commit, _) = await two_siblings(workspaces, repository)
    path = await workspaces.check_out(spec, commit)
    (path / "report.xml").write_text("what a step writes")
    assert await workspaces.altered(spec, commit) == ()

    (path / "new-0").write_text("changed while it was verified")
    (path / "app.py").unlink()

    assert await workspaces.altered(spec, commit) == ("app.py", "new-0")


async def test_a_check_out_makes_a_folder_again_that_is_gone(workspaces, repository, git, branch):
    (spec, _), (commit, _) = await two_siblings(workspaces, repository)
    path = await workspaces.check_out(spec, commit)
    shutil.rmtree(path)

    assert await workspaces.check_out(spec, commit) == path

    assert (path / "new-0").read_text() == "x"
