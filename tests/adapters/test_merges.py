"""Merges into the thread's branch: once per key, or not at all."""

import pytest

from domain.errors import WorkspaceError
from tests.adapters.task_specs import commit_of, settle_of, spec_of


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
