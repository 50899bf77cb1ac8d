import pytest

from adapters.git.thread_branches import GitThreadBranches
from domain.core.workspaces import CommitSpec, WorkspaceKind, WorkspaceSpec
from domain.threads.lifecycle.calls import MergeSessionCall, RemovalCall
from tests.adapters.task_specs import BRANCH, THREAD, commit_of, spec_of, user_state

SESSION = f"{THREAD}/session-1"


@pytest.fixture
def branches(spawner, data_dir, workspaces):
    return GitThreadBranches(spawner, data_dir)


def chat_of(repository):
    return WorkspaceSpec(
        workspace_id=SESSION,
        kind=WorkspaceKind.CHAT,
        repository=str(repository),
        thread_id=THREAD,
        base=BRANCH,
    )


async def turn(workspaces, repository, number, **files):
    """Have a chat's turn write files."""
    path = await workspaces.prepare(chat_of(repository))
    for name, text in files.items():
        (path / f"{name}.py").write_text(text)
    return await workspaces.commit(chat_of(repository), commit_spec(number))


def commit_spec(number, ref=""):
    ref = ref or f"refs/treadle/{SESSION}/{number}"
    return CommitSpec(key=f"{SESSION}/turn-{number}", title="t", checkpoint_ref=ref)


def merge_of(repository, number):
    return MergeSessionCall(
        key=f"{SESSION}/keep-{number}",
        repository=str(repository),
        session_id=SESSION,
        branch=BRANCH,
        title="Keep",
    )


def removal_of(repository, **more):
    return RemovalCall(
        thread_id=THREAD,
        repository=str(repository),
        branch=BRANCH,
        workspaces=(chat_of(repository),),
        **more,
    )


def refs(git, repository):
    return git(repository, "for-each-ref", "--format=%(refname)").splitlines()


async def test_a_chat_s_newest_changes_are_merged_once_for_each_request(
    branches, workspaces, repository, git, branch
):
    nothing = await branches.merge_session(merge_of(repository, 1))
    for number in range(1, 12):
        await turn(workspaces, repository, number, new=f"{number}\n")
    before = user_state(git, repository)

    first = await branches.merge_session(merge_of(repository, 2))
    again = await branches.merge_session(merge_of(repository, 2))
    await turn(workspaces, repository, 12, more="x\n")
    second = await branches.merge_session(merge_of(repository, 3))

    assert "changed nothing" in nothing.failure
    assert first == again
    assert git(repository, "show", f"{first.commit}:new.py") == "11"
    assert git(repository, "rev-parse", branch) == second.commit
    assert git(repository, "show", f"{branch}:more.py") == "x"
    assert user_state(git, repository) == before


async def test_changes_that_conflict_are_reported_and_the_branch_stays(
    branches, workspaces, repository, git, branch
):
    await turn(workspaces, repository, 1, app="print('chat')\n")
    spec = spec_of(repository, "task-1", branch=None)
    path = await workspaces.prepare(spec)
    (path / "app.py").write_text("print('task')\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    git(repository, "update-ref", f"refs/heads/{branch}", snapshot.commit)

    result = await branches.merge_session(merge_of(repository, 1))

    assert (result.commit, result.conflicts) == (None, ("app.py",))
    assert git(repository, "rev-parse", branch) == snapshot.commit


async def test_a_file_is_committed_onto_the_branch_and_nothing_else_changes(
    branches, repository, git, branch
):
    before = user_state(git, repository)
    for _ in range(2):
        await branches.add_file(str(repository), branch, "docs/plans/a plan.md", "# plan\n")

    assert git(repository, "show", f"{branch}:docs/plans/a plan.md") == "# plan"
    assert git(repository, "rev-list", "--count", f"main..{branch}") == "1"
    assert git(repository, "diff", "--name-only", "main", branch) == "docs/plans/a plan.md"
    assert user_state(git, repository) == before


async def test_a_removed_thread_leaves_no_ref_but_a_branch_with_work_of_its_own(
    branches, workspaces, repository, git, branch
):
    git(repository, "branch", f"{branch}--merged", "main")
    git(repository, "branch", "treadle/greeting", "main")
    await turn(workspaces, repository, 1, new="x\n")
    kept = await branches.merge_session(merge_of(repository, 1))
    await workspaces.release(chat_of(repository))

    stays = await branches.remove(removal_of(repository))
    left = refs(git, repository)
    gone = await branches.remove(removal_of(repository, is_forced=True))
    await branches.remove(removal_of(repository, is_forced=True))

    assert stays == (branch,)
    assert left == ["refs/heads/main", f"refs/heads/{branch}", "refs/heads/treadle/greeting"]
    assert gone == ()
    assert refs(git, repository) == ["refs/heads/main", "refs/heads/treadle/greeting"]
    assert kept.commit


async def test_a_branch_that_a_person_has_checked_out_stays_even_by_force(
    branches, repository, git, branch
):
    git(repository, "checkout", "--quiet", branch)
    assert await branches.remove(removal_of(repository, is_forced=True)) == (branch,)
    assert f"refs/heads/{branch}" in refs(git, repository)


async def test_of_a_repository_that_is_gone_nothing_is_left_to_remove(branches, tmp_path):
    assert await branches.remove(removal_of(tmp_path / "gone")) == ()
