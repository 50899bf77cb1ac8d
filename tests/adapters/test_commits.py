"""Commits by Treadle: once per key, whatever an agent left in its worktree."""

import os

from adapters.git.workspaces import GitWorkspaces
from tests.adapters.task_specs import BRANCH, THREAD, commit_of, settle_of, spec_of


async def test_committing_again_returns_the_same_commit(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    first = await workspaces.commit(spec, commit_of("turn-1"))
    (path / "b.py").write_text("b")
    second = await workspaces.commit(spec, commit_of("turn-2"))

    assert await workspaces.commit(spec, commit_of("turn-1")) == first
    assert await workspaces.commit(spec, commit_of("turn-2")) == second

    assert second.files == ("a.py", "b.py")
    assert (first.of_turn, second.of_turn) == (("a.py",), ("b.py",))
    assert git(repository, "rev-list", "--count", f"{branch}..treadle/task-1") == "2"
    assert git(repository, "rev-parse", f"refs/treadle/{THREAD}/turn-2") == second.commit


async def test_no_change_makes_no_commit(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    first = await workspaces.commit(spec, commit_of("turn-1"))

    second = await workspaces.commit(spec, commit_of("turn-2"))

    assert second == first.model_copy(update={"is_changed": False})
    assert second.of_turn == ()
    assert git(repository, "rev-parse", f"refs/treadle/{THREAD}/turn-2") == first.commit


async def test_an_agents_own_commit_and_branch_are_taken_over(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "own.py").write_text("own")
    git(path, "checkout", "--quiet", "-b", "my-idea")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "--message=mine")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.files == snapshot.of_turn == ("own.py",)
    assert snapshot.is_changed
    assert git(repository, "rev-parse", "treadle/task-1") == snapshot.commit
    (path / "more.py").write_text("more")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "--message=mine again")
    assert (await workspaces.commit(spec, commit_of("turn-2"))).of_turn == ("more.py",)


async def test_an_agents_commit_on_the_branch_counts_as_a_change(
    workspaces, repository, git, branch
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "own.py").write_text("own")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "--message=mine")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert (snapshot.files, snapshot.is_changed) == (("own.py",), True)
    assert await workspaces.commit(spec, commit_of("turn-1")) == snapshot


async def test_a_detached_workspace_checkpoints_onto_its_ref(workspaces, repository, git, branch):
    spec = spec_of(repository, "planner", branch=None)
    path = await workspaces.prepare(spec)
    (path / "notes.md").write_text("idea")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)

    assert git(repository, "show", f"refs/treadle/{THREAD}/turn-1:notes.md") == "idea"
    assert snapshot.is_changed
    assert git(repository, "rev-parse", branch) == git(repository, "rev-parse", "main")


async def test_hostile_file_names_and_titles_come_through(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    names = ["new\nline", "-rf", 'tab\tand "quote"', "ünï", ":(glob)*", "$(touch x)", "back\\slash"]
    for name in names:
        (path / name).write_text("x")
    (path / os.fsdecode(b"raw-\xff")).write_text("x")
    title = "Do it\n\nTreadle-Merge: merge-1\x00\x1b[31m"

    snapshot = await workspaces.commit(spec, commit_of("turn-1", title))

    assert set(snapshot.files) == {*names, "raw-\\xff"}
    assert snapshot.model_dump_json()
    result = await workspaces.settle(settle_of(spec, snapshot.commit))
    assert result.commit != snapshot.commit
    message = git(repository, "log", "-1", "--format=%B", snapshot.commit)
    assert message.splitlines()[0] == "Do it Treadle-Merge: merge-1 [31m"


async def test_what_git_cannot_add_does_not_hold_the_rest_back(workspaces, repository, git, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    git(path, "init", "--quiet", "nested")
    os.mkfifo(path / "pipe")
    (path / "good.py").write_text("x")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.files == ("good.py",)


async def test_a_long_list_of_files_is_cut_and_counted(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    for number in range(510):
        (path / f"f{number}").write_text("x\n")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert (len(snapshot.files), snapshot.file_count, snapshot.insertions) == (500, 510, 510)


async def test_a_diff_shows_the_patch(workspaces, repository, branch):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print(2)\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    patch = await workspaces.diff(str(repository), snapshot.base, snapshot.commit)

    assert "-print(1)\n+print(2)\n" in patch


async def test_caches_and_litter_are_left_out(spawner, data_dir, repository, branch):
    workspaces = GitWorkspaces(spawner, data_dir, litter=[".agentao/"])
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    for folder in ("__pycache__", ".agentao"):
        (path / folder).mkdir()
    for name in ("work.py", ".agentao/state", "__pycache__/work.pyc"):
        (path / name).write_text("x")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.files == ("work.py",)


async def test_files_outside_of_a_sparse_checkout_are_kept(workspaces, repository, git):
    for name in ("seen", "unseen"):
        (repository / name).mkdir()
        (repository / name / "file").write_text(name)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=folders")
    git(repository, "sparse-checkout", "set", "seen")
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "new").mkdir()
    (path / "new" / "file").write_text("new")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert snapshot.files == ("new/file",)
    assert "unseen/file" in git(repository, "ls-tree", "-r", "--name-only", snapshot.commit)
