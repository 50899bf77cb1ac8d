"""Tasks come into the thread's branch by merge, squash or rebase: once, in order, and never lost by a removal."""

import pytest

from adapters.git import linear_merges
from adapters.git.thread_branches import GitThreadBranches
from domain.core.workspaces import MergeCandidate
from domain.forges.pull_requests import MergeMethod
from domain.threads.lifecycle.calls import RemovalCall
from tests.adapters.task_specs import BRANCH, THREAD, commit_of, settle_of, spec_of

LINEAR = [MergeMethod.SQUASH, MergeMethod.REBASE]


@pytest.fixture
def branches(spawner, data_dir):
    return GitThreadBranches(spawner, data_dir)


async def work_of(workspaces, repository, name, *turns):
    """Have a task take turns, each of which writes files; returns its workspace and its commit."""
    spec = spec_of(repository, name, branch=f"{BRANCH}--{name}")
    commit = ""
    for number, files in enumerate(turns):
        path = await workspaces.prepare(spec)
        for file, text in files.items():
            (path / file).write_text(text)
        commit = (await workspaces.commit(spec, commit_of(f"{name}-turn-{number}"))).commit
    return spec, commit


def settled_by(method, spec, commit, key="merge-1"):
    return settle_of(spec, commit, key).model_copy(update={"method": method, "title": f"Do {key}"})


def log(git, repository, ref, form="%s"):
    return git(repository, "log", "--first-parent", f"--format={form}", ref).splitlines()


@pytest.mark.parametrize(
    ("method", "subjects"),
    [(MergeMethod.MERGE, 1), (MergeMethod.SQUASH, 1), (MergeMethod.REBASE, 2)],
)
async def test_a_task_comes_in_once_by_each_method(
    workspaces, repository, git, branch, method, subjects
):
    turns = ({"a.py": "1\n"}, {"a.py": "2\n", "b.py": "b\n"})
    before = len(log(git, repository, branch))
    other, merged_before = await work_of(workspaces, repository, "task-2", {"other.py": "o\n"})
    spec, commit = await work_of(workspaces, repository, "task-1", *turns)
    await workspaces.settle(settled_by(method, other, merged_before, "merge-2"))

    first = await workspaces.settle(settled_by(method, spec, commit))
    again = await workspaces.settle(settled_by(method, spec, commit))

    assert first == again
    assert git(repository, "show", f"{branch}:a.py") == "2"
    assert git(repository, "show", f"{branch}:other.py") == "o"
    assert len(log(git, repository, branch)) == before + 1 + subjects
    merges = git(repository, "rev-list", "--merges", "--count", branch)
    assert merges == ("2" if method is MergeMethod.MERGE else "0")


@pytest.mark.parametrize("method", LINEAR)
async def test_the_last_commit_names_what_it_stands_for(
    workspaces, repository, git, branch, method
):
    spec, commit = await work_of(workspaces, repository, "task-1", {"a.py": "1\n"}, {"a.py": "2\n"})

    await workspaces.settle(settled_by(method, spec, commit))

    form = "%(trailers:key=Treadle-Source,valueonly)"
    assert git(repository, "log", "-1", f"--format={form}", branch) == commit
    assert "Treadle-Merge: merge-1" in git(repository, "log", "-1", "--format=%B", branch)


@pytest.mark.parametrize("method", [*MergeMethod])
async def test_a_thread_that_is_merged_leaves_nothing_and_loses_nothing(
    branches, workspaces, repository, git, branch, method
):
    """Its branch and those of its tasks go, whichever method each of them and the branch came in by."""
    for name in ("task-1", "task-2"):
        turns = ({name: "1\n"}, {name: "2\n"})
        spec, commit = await work_of(workspaces, repository, name, *turns)
        await workspaces.settle(settled_by(method, spec, commit, f"merge-{name}"))
    tree = git(repository, "rev-parse", f"{branch}^{{tree}}")
    squashed = git(repository, "commit-tree", tree, "-p", "main", "-m", "Do it all (#1)")
    merged = branch if method is MergeMethod.MERGE else squashed
    git(repository, "update-ref", "refs/remotes/origin/main", merged)
    call = RemovalCall(thread_id=THREAD, repository=str(repository), branch=BRANCH)

    kept = await branches.remove(call)

    assert kept == ()
    refs = git(repository, "for-each-ref", "--format=%(refname)").splitlines()
    assert [ref for ref in refs if "treadle" in ref] == []
    for name in ("task-1", "task-2"):
        assert git(repository, "show", f"origin/main:{name}") == "2"


@pytest.mark.parametrize("method", [*MergeMethod])
async def test_work_that_was_landed_is_removed_and_other_work_stays(
    branches, workspaces, repository, git, branch, method
):
    landed, commit = await work_of(
        workspaces, repository, "task-1", {"a.py": "1\n"}, {"a.py": "2\n"}
    )
    lost, unmerged = await work_of(workspaces, repository, "task-2", {"only-here.py": "x\n"})
    await workspaces.settle(settled_by(method, landed, commit))
    await workspaces.settle(settled_by(method, lost, None, "merge-2"))

    kept = await branches.remove(
        RemovalCall(thread_id=THREAD, repository=str(repository), branch=BRANCH)
    )

    assert landed.branch not in kept
    assert {BRANCH, lost.branch} == set(kept)
    assert git(repository, "rev-parse", lost.branch) == unmerged


async def test_a_branch_that_a_forge_squashed_is_no_work_that_is_nowhere_else(
    branches, workspaces, repository, git, branch
):
    spec, commit = await work_of(workspaces, repository, "task-1", {"a.py": "1\n"})
    await workspaces.settle(settled_by(MergeMethod.MERGE, spec, commit))
    tree = git(repository, "rev-parse", f"{branch}^{{tree}}")
    squashed = git(repository, "commit-tree", tree, "-p", "main", "-m", "Add a (#1)")
    git(repository, "update-ref", "refs/remotes/origin/main", squashed)

    kept = await branches.remove(
        RemovalCall(thread_id=THREAD, repository=str(repository), branch=BRANCH)
    )

    assert kept == ()


@pytest.mark.parametrize("is_true", [True, False])
async def test_what_a_forge_says_to_have_merged_is_looked_at_however_old_it_is(
    branches, workspaces, repository, git, branch, monkeypatch, *, is_true
):
    monkeypatch.setattr(linear_merges, "MAX_LOOKED_AT", 1)
    spec, commit = await work_of(workspaces, repository, "task-1", {"a.py": "1\n"})
    await workspaces.settle(settled_by(MergeMethod.MERGE, spec, commit))
    tree = git(repository, "rev-parse", f"{branch}^{{tree}}" if is_true else "main^{tree}")
    told = git(repository, "commit-tree", tree, "-p", "main", "-m", "Add a (#1)")
    later = git(repository, "commit-tree", "main^{tree}", "-p", told, "-m", "Take a back")
    git(repository, "update-ref", "refs/remotes/origin/main", later)

    kept = await branches.remove(
        RemovalCall(thread_id=THREAD, repository=str(repository), branch=BRANCH, merged_as=told)
    )

    assert (BRANCH in kept) is not is_true


async def test_a_commit_that_only_says_to_hold_the_work_does_not_count(
    branches, workspaces, repository, git, branch
):
    spec, commit = await work_of(workspaces, repository, "task-1", {"a.py": "1\n"})
    await workspaces.settle(settled_by(MergeMethod.MERGE, spec, None))
    forged = git(
        repository,
        *("commit-tree", "main^{tree}", "-p", "main", "-m", f"x\n\nTreadle-Source: {commit}"),
    )
    git(repository, "update-ref", "refs/heads/forged", forged)

    kept = await branches.remove(
        RemovalCall(thread_id=THREAD, repository=str(repository), branch=BRANCH)
    )

    assert spec.branch in kept


async def test_a_replay_that_conflicts_on_the_way_is_squashed(workspaces, repository, git, branch):
    """The first turn changes what a sibling changed as well, the second one makes both the same."""
    one, first = await work_of(workspaces, repository, "task-1", {"app.py": "sibling\n"})
    two, second = await work_of(
        workspaces, repository, "task-2", {"app.py": "else\n"}, {"app.py": "sibling\n", "b": "b\n"}
    )
    await workspaces.settle(settled_by(MergeMethod.REBASE, one, first))

    done = await workspaces.settle(settled_by(MergeMethod.REBASE, two, second, "merge-2"))

    assert done.commit == git(repository, "rev-parse", branch)
    assert log(git, repository, branch)[0] == "Do merge-2"
    assert git(repository, "show", f"{branch}:b") == "b"


@pytest.mark.parametrize("method", [*MergeMethod])
async def test_a_conflict_moves_nothing(workspaces, repository, git, branch, method):
    one, first = await work_of(workspaces, repository, "task-1", {"app.py": "one\n"})
    two, second = await work_of(workspaces, repository, "task-2", {"app.py": "two\n"})
    done = await workspaces.settle(settled_by(method, one, first))

    conflict = await workspaces.settle(settled_by(method, two, second, "merge-2"))

    assert conflict.conflicts == ("app.py",)
    assert git(repository, "rev-parse", branch) == done.commit


@pytest.mark.parametrize("method", LINEAR)
async def test_only_a_verified_tree_comes_in(workspaces, repository, git, branch, method):
    one, first = await work_of(workspaces, repository, "task-1", {"a.py": "one\n"})
    two, second = await work_of(workspaces, repository, "task-2", {"b.py": "two\n"})
    await workspaces.settle(settled_by(method, one, first), set())
    before = git(repository, "rev-parse", branch)

    candidate = await workspaces.settle(settled_by(method, two, second, "merge-2"), set())

    assert isinstance(candidate, MergeCandidate)
    assert git(repository, "rev-parse", branch) == before
    call = settled_by(method, two, second, "merge-2")
    done = await workspaces.settle(call, {candidate.tree})
    assert git(repository, "rev-parse", f"{done.commit}^{{tree}}") == candidate.tree
