"""Squashes and rebases whose worker is killed at any command of git: they are made once, and whole."""

import pytest

from adapters.git.workspaces import GitWorkspaces
from domain.forges.pull_requests import MergeMethod
from tests.adapters.moments import KilledError, Moments, kill
from tests.adapters.test_merge_methods import log, settled_by, work_of

MOST_COMMANDS = 120


COMMITS = {MergeMethod.SQUASH: 1, MergeMethod.REBASE: 2}


@pytest.fixture
def settle_killed(workspaces, spawner, data_dir, monkeypatch):
    """Settle, killed before a command of git and then again by a new worker; tells whether it was."""
    moments = Moments(monkeypatch)

    async def settle_killed(call, number):
        moments.at(number, kill)
        try:
            done = await workspaces.settle(call)
        except KilledError:
            done = await GitWorkspaces(spawner, data_dir).settle(call)
        return done, moments.is_over

    return settle_killed


@pytest.mark.parametrize("method", COMMITS)
async def test_a_kill_at_any_command_leaves_one_merge(
    workspaces, repository, branch, git, settle_killed, method
):
    turns = ({"a.py": "1\n"}, {"b.py": "2\n"})
    spec, commit = await work_of(workspaces, repository, "task-1", *turns)
    other, sibling = await work_of(workspaces, repository, "task-2", {"other.py": "o\n"})
    await workspaces.settle(settled_by(method, other, sibling, "merge-2"))
    before, known = git(repository, "rev-parse", branch), len(log(git, repository, branch))
    for number in range(1, MOST_COMMANDS):
        git(repository, "update-ref", f"refs/heads/{branch}", before)

        done, is_killed = await settle_killed(settled_by(method, spec, commit), number)

        assert done.commit == git(repository, "rev-parse", branch)
        assert len(log(git, repository, branch)) == known + COMMITS[method]
        keys = log(git, repository, branch, "%(trailers:key=Treadle-Merge,valueonly)")
        assert keys.count("merge-1") == 1
        if not is_killed:
            break
    else:
        pytest.fail("it was killed at every command")
    assert number > COMMITS[method]
    git(repository, "fsck", "--strict")


@pytest.mark.parametrize("method", [*MergeMethod])
async def test_what_came_in_is_whole_when_all_else_was_pruned(
    workspaces, repository, branch, git, method
):
    turns = ({"a.py": "1\n"}, {"b.py": "2\n"})
    spec, commit = await work_of(workspaces, repository, "task-1", *turns)
    await workspaces.settle(settled_by(method, spec, commit))
    await workspaces.release(spec)
    for ref in git(repository, "for-each-ref", "--format=%(refname)").split():
        if ref not in {f"refs/heads/{branch}", "refs/heads/main"}:
            git(repository, "update-ref", "-d", ref)

    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "--quiet", "--prune=now")
    again = await workspaces.settle(settled_by(method, spec, commit))

    git(repository, "fsck", "--strict")
    assert again.commit == git(repository, "rev-parse", branch)
    assert git(repository, "show", f"{branch}:b.py") == "2"
