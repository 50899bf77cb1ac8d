"""Runs that are settled together: in order, as far as that is quick, and each with its own result."""

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities import threads
from activities.merged_trees import MergedTrees
from activities.threads import Holdings, Settling
from domain.core.ids import TaskId, ThreadId
from domain.core.workspaces import MergeResult, WorkspaceKind, WorkspaceSpec
from domain.threads.calls import SettleCall, SettledTasks, SettleTasksCall
from tests import fakes, played_agents, step_fakes
from tests.fake_terminals import NoTerminals


def call(name: str) -> SettleCall:
    workspace = WorkspaceSpec(
        workspace_id=f"thread-1/{name}-1",
        kind=WorkspaceKind.TASK,
        thread_id=ThreadId("thread-1"),
        task_id=TaskId(name),
        repository="/repo",
        base="treadle/x",
        branch=f"treadle/x--{name}",
    )
    return SettleCall(
        key=name, task_id=TaskId(name), workspace=workspace, commit=name * 40, branch="treadle/x"
    )


async def settled(workspaces: fakes.PaperWorkspaces, *names: str) -> SettledTasks:
    journal, leases = fakes.MemoryJournal(), step_fakes.CountedLeases()
    held = Holdings(played_agents.PlayedRunner(), leases, NoTerminals())
    trees = MergedTrees(journal, workspaces, step_fakes.ScriptedVerifier(), leases)
    settling = Settling(workspaces, fakes.OpenFences(), trees, held)
    calls = SettleTasksCall(calls=tuple(map(call, names)))
    return await ActivityEnvironment().run(settling.settle_tasks, calls)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all be quick, however busy the machine is."""
    monkeypatch.setattr(threads, "QUICK_SECONDS", 600.0)


async def test_runs_are_settled_in_order_each_with_its_own_result() -> None:
    workspaces = fakes.PaperWorkspaces()
    workspaces.conflicts["b"] = ("x.py",)
    done = await settled(workspaces, "a", "b", "c")

    assert done.merges == (
        MergeResult(commit="a" * 40),
        MergeResult(conflicts=("x.py",)),
        MergeResult(commit="c" * 40),
    )
    assert workspaces.merged == ["a", "c"]


async def test_after_one_that_takes_long_the_others_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "QUICK_SECONDS", -1.0)
    workspaces = fakes.PaperWorkspaces()

    assert len((await settled(workspaces, "a", "b")).merges) == 1
    assert workspaces.merged == ["a"]


class Failing(fakes.PaperWorkspaces):
    """Worktrees of which the n-th run cannot be settled for now."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    async def settle(self, call, verified=None):
        self.failures = int(len(self.settled) == self.number)
        return await super().settle(call, verified)


async def test_what_cannot_be_settled_for_now_is_left_to_the_next_call() -> None:
    done = await settled(Failing(1), "a", "b", "c")
    assert done.merges == (MergeResult(commit="a" * 40),)

    with pytest.raises(ApplicationError) as caught:
        await settled(Failing(0), "a", "b")
    assert not caught.value.non_retryable
