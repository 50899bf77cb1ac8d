"""A worker that is killed at any command of git while a base is taken in: it comes in once, and whole."""

import pytest
from temporalio.testing import ActivityEnvironment

from activities.bases import BaseUpdates
from activities.merged_trees import MergedTrees
from adapters.git.bases import GitBases
from domain.forges.pull_requests import MergeMethod
from domain.plans.templates.template import BaseUpdate
from tests import fakes, step_fakes
from tests.adapters.bases.conftest import work
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.moments import KilledError, Moments, kill
from tests.adapters.task_specs import BRANCH

MOST_COMMANDS = 80


@pytest.fixture
def moments(monkeypatch):
    return Moments(monkeypatch)


@pytest.fixture
def take(workspaces, spawner, data_dir, tmp_path):
    """Take a base in as a worker that was started now does."""

    async def take(call):
        bases = GitBases(spawner, data_dir, {**BASE_ENVIRONMENT, "HOME": str(tmp_path)})
        leases = step_fakes.CountedLeases()
        trees = MergedTrees(
            fakes.MemoryJournal(), workspaces, step_fakes.ScriptedVerifier(), leases
        )
        updates = BaseUpdates(bases, workspaces, fakes.OpenFences(), trees)
        return await ActivityEnvironment().run(updates.take_base, call)

    return take


async def branch_of_merges(call, workspaces, repository):
    await work(workspaces, repository, "ours.py", "1\n")


async def linear_branch(call, workspaces, repository):
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.SQUASH)


async def branch_without_work(call, workspaces, repository):
    """The branch moves forward to the base."""


@pytest.fixture(
    params=[
        (branch_of_merges, BaseUpdate.MERGE),
        (linear_branch, BaseUpdate.REBASE),
        (branch_without_work, BaseUpdate.MERGE),
    ]
)
async def moved(request, call, workspaces, repository, push):
    """The call of a thread whose base has moved."""
    begun, update = request.param
    await begun(call, workspaces, repository)
    push("one.py")
    return call.model_copy(update={"update": update, "due": "forge-1"})


async def test_a_kill_at_any_command_takes_the_base_in_once_and_tells_it(
    moved, repository, git, moments, take
):
    before = git(repository, "rev-parse", BRANCH)
    counts = set()
    for number in range(1, MOST_COMMANDS):
        git(repository, "update-ref", f"refs/heads/{BRANCH}", before)
        moments.at(number, kill)
        try:
            answer = await take(moved)
        except KilledError:
            answer = await take(moved)
        is_over = not moments.is_over

        assert answer.merge.commit == git(repository, "rev-parse", BRANCH)
        assert (answer.look.tip, answer.look.behind) == (before, 1)
        git(repository, "cat-file", "-e", f"{BRANCH}:one.py")
        counts.add(git(repository, "rev-list", "--count", BRANCH))
        if is_over:
            break
    else:
        pytest.fail("it was killed at every command")
    assert len(counts) == 1
    git(repository, "fsck", "--strict")


async def test_work_that_came_in_after_the_kill_is_not_taken_for_the_base(
    call, workspaces, repository, push, git, take
):
    await branch_of_merges(call, workspaces, repository)
    push("one.py")
    call = call.model_copy(update={"due": "forge-1"})
    await take(call)
    later = await work(workspaces, repository, "later.py", "1\n")

    again = await take(call)

    assert again.merge.commit is None
    assert again.look.tip == later


async def test_what_was_taken_in_before_is_no_news_the_next_time(call, ours, push, take):
    push("one.py")
    await take(call.model_copy(update={"due": "forge-1"}))

    again = await take(call.model_copy(update={"due": "push-2"}))

    assert again.merge.commit is None
    assert again.look.behind == 0
