"""Conflicts: one side kept, or resolved by hand with the merge under way in a worktree."""

import pytest

from adapters.git.branches import GitBranches
from domain.core.conflict_lines import ConflictQuery
from domain.core.errors import RepositoryError
from domain.core.ids import ThreadId
from domain.core.workspaces import ConflictSide, MergeCandidate, SideChoice
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of


@pytest.fixture
async def conflict(workspaces, repository, git, branch):
    """Two tasks at odds over many files; the first is merged. Returns the second's spec and commit."""
    (repository / "both.bin").write_bytes(b"\0base")
    (repository / "kept-by-a.py").write_text("1\n")
    (repository / "kept-by-b.py").write_text("1\n")
    (repository / "moved.py").write_text("".join(f"line {n}\n" for n in range(20)))
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=more")
    git(repository, "branch", "--force", BRANCH, "main")
    specs = [spec_of(repository, f"task-{n}") for n in (1, 2)]
    paths = [await workspaces.prepare(spec) for spec in specs]
    for number, path in enumerate(paths):
        (path / "app.py").write_text(f"print({number + 10})\n")
        (path / "both.bin").write_bytes(b"\0" + bytes([number]))
        (path / f"new-{number}").write_text("x")
    (paths[0] / "kept-by-a.py").write_text("a\n")
    (paths[1] / "kept-by-a.py").unlink()
    (paths[1] / "kept-by-b.py").write_text("b\n")
    (paths[0] / "kept-by-b.py").unlink()
    lines = (paths[0] / "moved.py").read_text()
    (paths[0] / "moved.py").unlink()
    (paths[0] / "there.py").write_text(lines.replace("line 3", "line A"))
    (paths[1] / "moved.py").write_text(lines.replace("line 3", "line B"))
    commits = [
        (await workspaces.commit(spec, commit_of(f"turn-{n}"))).commit
        for n, spec in enumerate(specs)
    ]
    await workspaces.settle(settle_of(specs[0], commits[0], "merge-1"))
    return specs[1], commits[1]


CONFLICTING = ("app.py", "both.bin", "kept-by-a.py", "kept-by-b.py", "there.py")


async def test_a_conflict_names_the_files_of_every_kind_and_says_how(workspaces, conflict):
    spec, commit = conflict

    result = await workspaces.settle(settle_of(spec, commit, "merge-2"))

    assert (result.commit, result.conflicts) == (None, CONFLICTING)
    assert any("kept-by-b.py deleted in A and modified in B" in note for note in result.notes)
    assert any("Cannot merge binary files: both.bin" in note for note in result.notes)


KEPT = {
    ConflictSide.BRANCH: ("print(10)", "\0\0", "line A", "kept-by-b.py"),
    ConflictSide.TASK: ("print(11)", "\0\1", "line B", "kept-by-a.py"),
}


@pytest.mark.parametrize("side", KEPT)
async def test_one_side_is_kept_in_every_conflicting_file_and_nothing_else_is_lost(
    workspaces, repository, git, conflict, side
):
    app, binary, line, deleted = KEPT[side]
    spec, commit = conflict
    call = settle_of(spec, commit, "merge-2").model_copy(
        update={"keeps": SideChoice(side=side, files=CONFLICTING)}
    )

    candidate = await workspaces.settle(call, set())
    assert isinstance(candidate, MergeCandidate)
    merged = await workspaces.settle(call, {candidate.tree})

    assert git(repository, "rev-parse", BRANCH) == merged.commit
    assert git(repository, "show", f"{BRANCH}:app.py") == app
    assert git(repository, "show", f"{BRANCH}:both.bin") == binary
    assert line in git(repository, "show", f"{BRANCH}:there.py")
    names = git(repository, "ls-tree", "--name-only", BRANCH).split()
    assert {"new-0", "new-1"} <= set(names)
    assert deleted not in names
    assert "moved.py" not in names
    parents = git(repository, "log", "-1", "--format=%P", BRANCH).split()
    assert parents[1] == commit
    assert git(repository, "fsck", "--no-dangling") == ""


async def test_a_side_is_kept_only_of_the_versions_that_were_shown(
    workspaces, repository, git, conflict
):
    spec, commit = conflict
    call = settle_of(spec, commit, "merge-2")
    shown = await workspaces.settle(call)
    third = spec_of(repository, "task-3")
    (await workspaces.prepare(third) / "app.py").write_text("print(12)\n")
    newer = (await workspaces.commit(third, commit_of("turn-3"))).commit
    keeps = SideChoice(side=ConflictSide.TASK, files=shown.conflicts, versions=shown.versions)
    keeping = call.model_copy(update={"keeps": keeps})
    await _merge(workspaces, repository, "apart.py")

    still_shown = await workspaces.settle(keeping, set())
    moved = await workspaces.settle(settle_of(third, newer, "merge-3"))
    refused = await workspaces.settle(keeping, {still_shown.tree})

    assert isinstance(still_shown, MergeCandidate), (
        "other files on the branch are no other conflict"
    )
    assert moved.commit is not None
    assert (refused.commit, refused.conflicts, refused.tip) == (None, shown.conflicts, moved.commit)
    assert refused.versions != shown.versions
    assert git(repository, "rev-parse", BRANCH) == moved.commit


async def _merge(workspaces, repository, name) -> None:
    spec = spec_of(repository, f"with-{name}")
    (await workspaces.prepare(spec) / name).write_text("x")
    commit = (await workspaces.commit(spec, commit_of(f"turn-{name}"))).commit
    await workspaces.settle(settle_of(spec, commit, f"merge-{name}"))


async def test_a_file_against_a_folder_is_for_a_person(workspaces, repository, branch):
    specs = [spec_of(repository, f"task-{n}") for n in (1, 2)]
    paths = [await workspaces.prepare(spec) for spec in specs]
    (paths[0] / "thing").write_text("a file")
    (paths[1] / "thing").mkdir()
    (paths[1] / "thing" / "x").write_text("in a folder")
    commits = [
        (await workspaces.commit(spec, commit_of(f"turn-{n}"))).commit
        for n, spec in enumerate(specs)
    ]
    await workspaces.settle(settle_of(specs[0], commits[0], "merge-1"))
    call = settle_of(specs[1], commits[1], "merge-2")
    shown = (await workspaces.settle(call)).conflicts
    keeps = SideChoice(side=ConflictSide.TASK, files=shown)

    result = await workspaces.settle(call.model_copy(update={"keeps": keeps}))

    assert "by hand" in result.failure


def merging(spec, commit, run="task-2-again"):
    return spec.model_copy(
        update={
            "workspace_id": f"{spec.thread_id}/{run}",
            "branch": f"treadle/{run}",
            "merging": commit,
        }
    )


async def test_a_worktree_with_the_merge_under_way_holds_markers_until_they_are_gone(
    workspaces, repository, git, conflict
):
    spec, commit = conflict
    again = merging(spec, commit)
    path = await workspaces.prepare(again)
    assert "<<<<<<< " in (path / "app.py").read_text()
    assert "both modified:   app.py" in git(path, "status")

    unresolved = await workspaces.commit(again, commit_of("by-hand-1"))
    assert set(unresolved.unresolved) == {"app.py", "there.py"}

    (path / "app.py").write_text("print(10, 11)\n")
    (path / "there.py").write_text("<<<<<<< is only a word of mine\n")
    done = await workspaces.commit(again, commit_of("by-hand-2"))
    assert done.unresolved == ()
    assert await workspaces.commit(again, commit_of("by-hand-2")) == done
    merged = await workspaces.settle(settle_of(again, done.commit, "merge-2"))

    assert git(repository, "show", f"{BRANCH}:app.py") == "print(10, 11)"
    assert git(repository, "merge-base", "--is-ancestor", commit, merged.commit) == ""
    assert "new-1" in git(repository, "ls-tree", "--name-only", BRANCH)


async def test_the_commit_of_a_resolved_merge_has_both_parents_and_ends_it(
    workspaces, repository, git, conflict
):
    spec, commit = conflict
    again = merging(spec, commit)
    path = await workspaces.prepare(again)
    for name in ("app.py", "there.py"):
        (path / name).write_text("resolved\n")

    snapshot = await workspaces.commit(again, commit_of("by-hand-1"))

    parents = git(repository, "log", "-1", "--format=%P", snapshot.commit).split()
    assert parents == [snapshot.base, commit]
    assert git(path, "status", "--short") == ""
    (path / "app.py").write_text("later\n")
    later = await workspaces.commit(again, commit_of("by-hand-2"))
    assert git(repository, "log", "-1", "--format=%P", later.commit) == snapshot.commit


async def test_a_merge_that_conflicts_with_nothing_is_prepared_all_the_same(
    workspaces, repository, git, branch
):
    first, second = (spec_of(repository, f"task-{n}") for n in (1, 2))
    commits = []
    for spec in (first, second):
        path = await workspaces.prepare(spec)
        (path / spec.task_id).write_text("x")
        commits.append((await workspaces.commit(spec, commit_of(f"turn-{spec.task_id}"))).commit)
    await workspaces.settle(settle_of(first, commits[0], "merge-1"))
    again = merging(second, commits[1])

    path = await workspaces.prepare(again)
    snapshot = await workspaces.commit(again, commit_of("again-1"))

    assert (path / "task-1").exists()
    assert git(repository, "log", "-1", "--format=%P", snapshot.commit).split()[1] == commits[1]


async def test_a_merge_with_a_commit_that_is_gone_is_reported(workspaces, repository, conflict):
    spec, _ = conflict
    with pytest.raises(RepositoryError):
        await workspaces.prepare(merging(spec, "1" * 40))


async def test_a_choice_holds_only_for_the_files_that_were_shown(workspaces, git, conflict):
    spec, commit = conflict
    keeps = SideChoice(side=ConflictSide.TASK, files=("app.py",))

    result = await workspaces.settle(
        settle_of(spec, commit, "merge-2").model_copy(update={"keeps": keeps})
    )

    assert (result.commit, result.conflicts) == (None, CONFLICTING)


async def test_the_lines_of_both_sides_are_read_and_nothing_is_kept(
    spawner, data_dir, workspaces, repository, git, conflict
):
    spec, commit = conflict
    found = await workspaces.settle(settle_of(spec, commit, "merge-2"))
    before = git(repository, "count-objects", "-v")
    query = ConflictQuery(
        query_id="thread-1/conflict-1",
        thread_id=ThreadId("thread-1"),
        host="h",
        repository=str(repository),
        ours=found.tip,
        theirs=commit,
    )

    lines = await GitBranches(spawner, data_dir).conflict(query)

    files = {file.path: file for file in lines.files}
    assert tuple(files) == CONFLICTING
    [hunk] = files["app.py"].hunks
    assert (hunk.line, hunk.a, hunk.b) == (1, ("print(10)",), ("print(11)",))
    [moved] = files["there.py"].hunks
    assert (moved.line, moved.before, moved.after) == (
        4,
        ("line 1", "line 2"),
        ("line 4", "line 5"),
    )
    assert files["kept-by-a.py"].about == "changed in A, deleted in B"
    assert files["kept-by-b.py"].about == "deleted in A, changed in B"
    assert files["both.bin"].about == "a binary file that both changed"
    assert git(repository, "count-objects", "-v") == before
