"""Commits that were never copied before a thread moved: an activity that needs one says what is lost, and where it may be."""

from dataclasses import replace

import pytest
from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from activities.errors import translated
from adapters.git.remote.lost_work import LostCommits
from adapters.temporal.noted_repositories import NotedRepositories
from adapters.temporal.repositories_here import RepositoriesHere
from domain.core.remote_repositories import SCHEMES
from tests.adapters.task_specs import THREAD, settle_of
from tests.adapters.test_hub import BRANCH, HubHost, first, origin, task_in, url

__all__ = ["first", "origin", "url"]


class Inner(ActivityInboundInterceptor):
    """The activity itself: it checks a commit out, or settles a run."""

    def __init__(self, workspaces):
        self._workspaces = workspaces

    async def execute_activity(self, input):  # noqa: A002  (SDK's name)
        (call,) = input.args
        with translated():
            if activity.info().activity_type == "settle_task":
                return await self._workspaces.settle(call)
            return await self._workspaces.check_out(call.workspace, call.commit)


async def carried_out(host, kind, commit):
    """Run an activity of the thread on a host, with what a worker has around it."""

    async def name_of(host_id):
        return {"a": "anvil"}[host_id]

    lost = LostCommits(host.spawner, host.hub, host.copies, host.data_dir, name_of)
    chain = RepositoriesHere(host.mirrors, SCHEMES).intercept_activity(Inner(host.workspaces))
    chain = NotedRepositories(host.copies, lost).intercept_activity(chain)
    here = ActivityEnvironment()
    here.info = replace(here.info, activity_type=kind, workflow_id=f"{THREAD}/task-1")
    spec = task_in(host.root).model_copy(update={"repository": str(host.found.remote)})
    call = settle_of(spec, commit).model_copy(update={"branch": BRANCH})
    given = ExecuteActivityInput(fn=carried_out, args=[call], executor=None, headers={})
    return await here.run(chain.execute_activity, given)


@pytest.fixture
async def moved(first, tmp_path):
    """Return the host that the thread moved to, and the commit that was left behind on the first."""
    await first.work(1, "one")
    await first.copies.copy_all()
    left = await first.work(2, "two")
    second = await HubHost(tmp_path / "b").enter(first.found)
    await second.bring(1)
    return second, left


async def test_what_needs_a_commit_that_is_lost_fails_for_good_and_says_where_it_is(
    moved, first, git
):
    second, left = moved
    with pytest.raises(ApplicationError) as caught:
        await carried_out(second, "run_verification_step", left)

    assert caught.value.type == "work_lost"
    assert caught.value.non_retryable
    folder = first.root.relative_to(first.data_dir)
    for part in (left[:12], "host anvil", str(folder), "treadle hosts", "retry"):
        assert part in caught.value.message


async def test_what_is_pushed_from_the_lost_host_later_is_found(moved, first, git):
    second, left = moved
    with pytest.raises(ApplicationError) as caught:
        await carried_out(second, "run_verification_step", left)
    command = caught.value.message.partition("`git push ")[2].partition("`")[0]
    git(first.root, "push", "--quiet", *command.split())

    with pytest.raises(ApplicationError) as again:  # what failed is tried again, and is there then
        await carried_out(second, "run_verification_step", left)
    assert not again.value.non_retryable
    path = await carried_out(second, "run_verification_step", left)
    assert (path / "new.py").read_text() == "two"


async def test_a_merge_of_what_is_lost_fails_and_says_where_it_is(moved):
    second, left = moved
    merge = await carried_out(second, "settle_task", left)
    assert merge.commit is None
    assert "host anvil" in merge.failure


async def test_a_thread_that_never_moved_is_tried_again(first):
    with pytest.raises(ApplicationError) as caught:
        await carried_out(first, "run_verification_step", "ab" * 20)
    assert caught.value.type != "work_lost"
