"""A worker that is killed at any command of git while a base is taken in: it comes in once, and whole."""

import pytest

from adapters.git.bases import GitBases
from domain.forges.pull_requests import MergeMethod
from domain.plans.templates.template import BaseUpdate
from tests.adapters.bases.conftest import work
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.moments import KilledError, Moments, kill
from tests.adapters.task_specs import BRANCH

MOST_COMMANDS = 80


@pytest.fixture
def moments(monkeypatch):
    return Moments(monkeypatch)


@pytest.fixture
def restarted(spawner, data_dir, tmp_path):
    return lambda: GitBases(spawner, data_dir, {**BASE_ENVIRONMENT, "HOME": str(tmp_path)})


@pytest.fixture
async def moved(call, workspaces, repository, push):
    """A call of a thread with work of its own, whose base has moved."""
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.SQUASH)
    push("one.py")
    return call


@pytest.mark.parametrize("update", [BaseUpdate.MERGE, BaseUpdate.REBASE])
async def test_a_kill_at_any_command_takes_the_base_in_once(moved, git, moments, restarted, update):
    call, repository = moved.model_copy(update={"update": update}), moved.repository
    before = git(repository, "rev-parse", BRANCH)
    counts = set()
    for number in range(1, MOST_COMMANDS):
        git(repository, "update-ref", f"refs/heads/{BRANCH}", before)
        port = restarted()
        moments.at(number, kill)
        try:
            await port.update(call, await port.look(call))
        except KilledError:
            port = restarted()
            look = await port.look(call)
            if look.behind:
                await port.update(call, look)
        is_over = not moments.is_over

        assert (await port.look(call)).behind == 0
        counts.add(git(repository, "rev-list", "--count", BRANCH))
        for name in ("ours.py", "one.py"):
            git(repository, "cat-file", "-e", f"{BRANCH}:{name}")
        if is_over:
            break
    else:
        pytest.fail("it was killed at every command")
    assert len(counts) == 1
    git(repository, "fsck", "--strict")
