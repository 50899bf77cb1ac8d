"""Prunes on a real server: what ended goes with its histories, everything else stays."""

import asyncio
from datetime import timedelta

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal import start_prune
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SHARED_QUEUE, ThreadId
from domain.core.lifecycle.commands import DeleteThread, Pin, Unpin
from domain.retention.calls import RETENTION, PruneInput
from domain.retention.events import PruneEnded, PruneSkipped, PruneStarted, ThreadPruned
from domain.retention.policy import PrunableThread, PrunePolicy
from domain.tasks.running_commands import Cancel
from domain.threads import patches
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE
from tests.workflows.test_terminated import swept, terminate
from workflows import PruneWorkflow, pruning

POLICY = PrunePolicy(older="1h")
NOW = {"patches": patches.ALL}


@pytest.fixture
def everything_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads are old enough as soon as they have ended."""
    monkeypatch.setattr(pruning, "parse_age", lambda _: timedelta(hours=-1))


OLD = pytest.mark.usefixtures("everything_is_old")


async def cancelled(house: House) -> ThreadId:
    """Return a thread whose plan was cancelled."""
    thread = await house.open(**NOW)
    await house.proposed(thread.id, ONE)
    await house.send(thread.id, Cancel(by="tester"))
    await house.seen(thread.id, "planning_cancelled")
    await house.seen(f"{thread.id}/session-1", "conversation_closed")
    return ThreadId(thread.id)


async def pruned(
    house: House, prune_id: str, *threads: ThreadId, archive: str = ""
) -> list[EventBody]:
    """Prune threads; returns what is journaled of it."""
    named = tuple(PrunableThread(thread_id=name, title="t") for name in threads)
    policy = POLICY.model_copy(update={"archive": archive})
    given = PruneInput(prune_id=prune_id, policy=policy, threads=named, by="tester")
    assert await start_prune(house.client, given)
    await house.client.get_workflow_handle(prune_id).result()
    return house.journal.bodies(RETENTION)


async def has_history(house: House, workflow_id: str) -> bool:
    try:
        await house.client.get_workflow_handle(workflow_id).describe()
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
        return False
    return True


async def erased(house: House, *workflow_ids: str) -> None:
    """Wait until Temporal has no history of workflows: it deletes them in the background, after 30 s."""
    for workflow_id in workflow_ids:
        for _ in range(120):
            if not await has_history(house, workflow_id):
                break
            await asyncio.sleep(1)
        else:
            pytest.fail(f"{workflow_id} still has a history")


@OLD
async def test_a_thread_that_ended_goes_and_leaves_a_receipt(house: House) -> None:
    thread = await cancelled(house)
    house.lifecycle.stays = ("treadle/x",)

    started, receipt, ended = await pruned(house, "prune-one", thread)

    assert started == PruneStarted(prune_id="prune-one", policy=POLICY, threads=1, by="tester")
    assert ended == PruneEnded(prune_id="prune-one", pruned=1)
    assert isinstance(receipt, ThreadPruned)
    assert (receipt.thread_id, receipt.by, receipt.sessions) == (thread, "tester", 1)
    assert receipt.events > 0
    assert receipt.outcome == "deleted; kept branches with unmerged work: treadle/x"
    assert receipt.histories >= 2
    assert house.lifecycle.forgotten == [thread]
    (removal,) = house.lifecycle.removals
    assert not removal.is_forced
    await erased(house, thread, f"{thread}/session-1")


@OLD
async def test_the_same_prune_again_does_nothing(house: House) -> None:
    thread = await cancelled(house)
    before = await pruned(house, "prune-again", thread)
    given = PruneInput(prune_id="prune-again", policy=POLICY)
    assert not await start_prune(house.client, given)
    assert house.journal.bodies(RETENTION) == before


@OLD
async def test_a_pinned_thread_stays_until_it_is_unpinned(house: House) -> None:
    thread = await cancelled(house)
    await house.send(thread, Pin(by="tester"))
    await house.send(thread, Pin(by="tester"))
    assert house.journal.kinds(thread).count("thread_pinned") == 1
    _, skipped, ended = await pruned(house, "prune-pinned", thread)
    assert skipped == PruneSkipped(prune_id="prune-pinned", thread_id=thread, reason="it is pinned")
    assert ended == PruneEnded(prune_id="prune-pinned", skipped=1)
    assert await has_history(house, thread)

    await house.send(thread, Unpin(by="tester"))
    assert isinstance((await pruned(house, "prune-unpinned", thread))[-2], ThreadPruned)


@OLD
async def test_what_has_not_ended_stays(house: House) -> None:
    planning = ThreadId((await house.open(**NOW)).id)
    await house.proposed(planning, ONE)
    _, skipped, _ = await pruned(house, "prune-live", planning)
    assert isinstance(skipped, PruneSkipped)
    assert skipped.reason == "it is waiting"
    with pytest.raises(WrongStateError, match="it is waiting"):
        await house.send(planning, DeleteThread(is_pruning=True, by="tester"))
    assert house.lifecycle.removals == []
    assert await has_history(house, planning)


async def test_what_has_changed_since_stays(house: House) -> None:
    _, skipped, _ = await pruned(house, "prune-recent", await cancelled(house))
    assert isinstance(skipped, PruneSkipped)
    assert skipped.reason.startswith("it changed on")
    assert house.lifecycle.removals == []


@OLD
async def test_a_terminated_thread_goes_too_and_a_gone_one_is_skipped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "BATCH", 1)
    thread = await house.open(**NOW)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    await terminate(house, thread.id)
    await swept(house.sweep, thread.id)
    gone = ThreadId("thread-gone-1")
    _, receipt, skipped, ended = await pruned(house, "prune-both", ThreadId(thread.id), gone)
    assert isinstance(receipt, ThreadPruned)
    assert receipt.tasks == 1
    assert [removal.thread_id for removal in house.lifecycle.removals] == [thread.id]
    assert skipped == PruneSkipped(
        prune_id="prune-both", thread_id=gone, reason="it is gone already"
    )
    assert ended == PruneEnded(prune_id="prune-both", pruned=1, skipped=1)


@OLD
async def test_a_prune_that_somebody_else_starts_removes_nothing(house: House) -> None:
    thread = await cancelled(house)
    named = (PrunableThread(thread_id=thread),)
    for start in (
        PruneInput(prune_id="prune-real", policy=POLICY, threads=named),
        PruneInput(prune_id="prune-forged", policy=POLICY, threads=named, batch=1),
    ):
        with pytest.raises(WorkflowFailureError):
            await house.client.execute_workflow(
                PruneWorkflow.run, start, id="prune-forged", task_queue=SHARED_QUEUE
            )
    assert house.lifecycle.removals == []
