"""Changes of a chat that conflict with the branch: a side kept, or the merge in the chat's worktree."""

import pytest

from adapters.git.thread_branches import GitThreadBranches
from domain.core.workspaces import ConflictSide, SideChoice
from tests.adapters.task_specs import BRANCH, commit_of, spec_of
from tests.adapters.test_git_thread_branches import SESSION, chat_of, commit_spec, merge_of


@pytest.fixture
def branches(spawner, data_dir, workspaces):
    return GitThreadBranches(spawner, data_dir)


@pytest.fixture
async def conflict(branches, workspaces, repository, git, branch):
    """A chat whose change conflicts with what a task put on the branch."""
    path = await workspaces.prepare(chat_of(repository))
    (path / "app.py").write_text("print('chat')\n")
    (path / "own.py").write_text("1\n")
    await workspaces.commit(chat_of(repository), commit_spec(1))
    spec = spec_of(repository, "task-1", branch=None)
    task = await workspaces.prepare(spec)
    (task / "app.py").write_text("print('task')\n")
    (task / "other.py").write_text("1\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "update-ref", f"refs/heads/{branch}", snapshot.commit)
    return await branches.merge_session(merge_of(repository, 1))


def resolving(repository, conflict):
    return chat_of(repository).model_copy(update={"merging": conflict.tip})


KEPT = {ConflictSide.BRANCH: "task", ConflictSide.TASK: "chat"}


@pytest.mark.parametrize("side", KEPT)
async def test_a_side_is_kept_of_what_was_shown_and_the_rest_of_both_is_there(
    branches, workspaces, repository, git, conflict, side
):
    path = await workspaces.prepare(chat_of(repository))
    (path / "late.py").write_text("1\n")  # nobody was shown this
    await workspaces.commit(chat_of(repository), commit_spec(2))
    keeps = SideChoice(side=side, files=conflict.conflicts, versions=conflict.versions)
    chosen = {"commit": conflict.source, "keeps": keeps}
    call = merge_of(repository, 2).model_copy(update=chosen)

    merged = await branches.merge_session(call)
    again = await branches.merge_session(call)

    assert merged == again
    assert git(repository, "show", f"{BRANCH}:app.py") == f"print('{KEPT[side]}')"
    names = git(repository, "ls-tree", "--name-only", BRANCH).split()
    assert {"own.py", "other.py"} <= set(names)
    assert "late.py" not in names


async def test_a_side_is_not_kept_of_files_that_are_not_what_was_shown(
    branches, workspaces, repository, git, conflict
):
    spec = spec_of(repository, "task-2", branch=None)
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print('later')\n")
    later = await workspaces.commit(spec, commit_of("turn-2"))
    git(repository, "update-ref", f"refs/heads/{BRANCH}", later.commit)
    keeps = SideChoice(side=ConflictSide.TASK, files=conflict.conflicts, versions=conflict.versions)
    chosen = {"commit": conflict.source, "keeps": keeps}

    result = await branches.merge_session(merge_of(repository, 2).model_copy(update=chosen))

    assert (result.commit, result.conflicts) == (None, ("app.py",))
    assert git(repository, "rev-parse", BRANCH) == later.commit


async def test_a_turn_of_the_chat_resolves_the_merge_in_its_worktree_and_then_it_merges(
    branches, workspaces, repository, git, conflict
):
    spec = resolving(repository, conflict)
    path = await workspaces.prepare(spec)
    assert "<<<<<<<" in (path / "app.py").read_text()
    assert await workspaces.prepare(spec) == path  # a later attempt of the turn

    (path / "app.py").write_text("print('both')\n")
    snapshot = await workspaces.commit(spec, commit_spec(2))
    assert snapshot == await workspaces.commit(spec, commit_spec(2))
    merged = await branches.merge_session(merge_of(repository, 2))

    assert (snapshot.unresolved, snapshot.base) == ((), conflict.tip)
    assert set(snapshot.files) == {"app.py", "own.py"}
    assert merged.source == snapshot.commit
    assert git(repository, "show", f"{BRANCH}:app.py") == "print('both')"
    assert git(repository, "show", f"{BRANCH}:other.py") == "1"


async def test_what_a_turn_left_with_markers_is_told_and_never_merged(
    branches, workspaces, repository, git, conflict
):
    spec, before = resolving(repository, conflict), git(repository, "rev-parse", BRANCH)
    path = await workspaces.prepare(spec)
    (path / "more.py").write_text("1\n")
    snapshot = await workspaces.commit(spec, commit_spec(2))
    refused = await branches.merge_session(merge_of(repository, 2))

    assert snapshot.unresolved == ("app.py",)
    assert "conflict markers are left in app.py" in refused.failure
    assert git(repository, "rev-parse", BRANCH) == before

    path = await workspaces.prepare(spec)  # its agent is asked once more
    (path / "app.py").write_text("print('both')\n")
    resolved = await workspaces.commit(spec, commit_spec(3))
    merged = await branches.merge_session(merge_of(repository, 3))
    assert resolved.unresolved == ()
    assert git(repository, "show", f"{merged.commit}:app.py") == "print('both')"


async def test_a_merge_that_was_killed_while_it_began_is_begun_again_and_nothing_is_lost(
    workspaces, repository, git, conflict
):
    path = await workspaces.prepare(chat_of(repository))
    (path / "app.py").write_text("half of a merge\n")

    await workspaces.prepare(resolving(repository, conflict))

    assert "<<<<<<<" in (path / "app.py").read_text()
    released = git(repository, "for-each-ref", "--format=%(refname)", "refs/treadle/released/")
    assert git(repository, "show", f"{released.split()[0]}:app.py") == "half of a merge"


async def test_a_merge_that_its_turn_left_is_no_part_of_the_next_turn(
    branches, workspaces, repository, git, conflict
):
    path = await workspaces.prepare(resolving(repository, conflict))  # its turn is lost

    assert await workspaces.prepare(chat_of(repository)) == path
    assert (path / "app.py").read_text() == "print('chat')\n"
    (path / "own.py").write_text("2\n")
    snapshot = await workspaces.commit(chat_of(repository), commit_spec(2))
    again = await branches.merge_session(merge_of(repository, 2))

    assert git(repository, "rev-list", "--count", "--merges", snapshot.commit) == "0"
    assert (snapshot.turn_files, again.conflicts) == (("own.py",), ("app.py",))


async def test_a_person_resolves_in_a_worktree_of_their_own_and_the_chat_s_stays(
    branches, workspaces, repository, git, conflict
):
    place = chat_of(repository).model_copy(
        update={"workspace_id": f"{SESSION}/by-hand-1", "merging": conflict.source}
    )
    path = await workspaces.prepare(place)
    left = await workspaces.commit(place, commit_spec(7, f"refs/treadle/{SESSION}/by-hand-1-1"))
    (path / "app.py").write_text("print('by hand')\n")
    done = await workspaces.commit(place, commit_spec(8, f"refs/treadle/{SESSION}/by-hand-1-2"))
    call = merge_of(repository, 2).model_copy(update={"commit": done.commit})

    await branches.merge_session(call)

    assert (left.unresolved, done.unresolved) == (("app.py",), ())
    assert git(repository, "show", f"{BRANCH}:app.py") == "print('by hand')"
    chat = await workspaces.prepare(chat_of(repository))
    assert (chat / "app.py").read_text() == "print('chat')\n"
