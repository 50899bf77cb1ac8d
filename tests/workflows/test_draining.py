"""A worker that drains: what runs ends by itself, nothing new begins, and the next worker goes on."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import Draining
from domain.agents.agents import AgentAnswer, AgentCall
from domain.tasks.agent_commands import ReportDone
from queues import workers
from tests.played_agents import done
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

PATIENCE = 60


class Agent:
    """One whose turns in tasks last until they may end."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.begun = asyncio.Event()
        self.attempts: list[str] = []

    async def play(self, call: AgentCall) -> AgentAnswer:
        if call.turn.role != "task":
            return done()
        self.attempts.append(call.turn.turn_id)
        self.begun.set()
        await self.may_end.wait()
        return done()


@asynccontextmanager
async def serving(
    house: House, limit: float
) -> AsyncGenerator[tuple[Draining, asyncio.Task[None]]]:
    """Run a worker as worker.py does; the task ends when it has drained."""
    draining = Draining(limit)
    shared, local = workers(house.client, house.ports(), "test", 8, draining=draining)
    ready = asyncio.Event()

    async def serve() -> None:
        async with shared, draining.serving(local):
            ready.set()
            await draining.keep_until_drained(local, asyncio.Event().wait())

    task = asyncio.create_task(serve())
    await ready.wait()
    try:
        yield draining, task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def begun(house: House, agent: Agent, plan: dict[str, object]) -> str:
    """Open a thread whose first task is in its first turn."""
    thread = await house.open()
    proposed = await house.proposed(thread.id, plan)
    house.runner.play = agent.play
    await house.approve(thread.id, proposed)
    await asyncio.wait_for(agent.begun.wait(), PATIENCE)
    return thread.id


async def test_turns_end_and_report_and_nothing_new_begins(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    house, agent = House(server.client, tmp_path), Agent()
    async with serving(house, PATIENCE) as (draining, worker):
        thread = await begun(house, agent, ONE)
        assert draining.begin()
        assert not draining.begin(), "a second signal ends it at once"
        turn = house.runner.calls[-1].turn
        await house.send(turn.owner, ReportDone(session_id=turn.session_id, summary="all of it"))
        agent.may_end.set()
        await asyncio.wait_for(worker, PATIENCE)
        bodies = house.journal.bodies(turn.owner)
        assert [body.kind for body in bodies].count("gate_opened") == 0, "a step is new work"

    async with serving(house, PATIENCE):
        await house.approve(turn.owner, await house.seen(turn.owner, "gate_opened"))
        await house.seen(thread, "plan_completed")

    assert len(agent.attempts) == len(set(agent.attempts)) == 1
    kinds = [body.kind for body in house.journal.bodies(turn.owner)]
    assert kinds.count("turn_ended") == 1


async def test_what_lasts_too_long_is_cut_and_goes_on_in_the_next_worker(
    server: WorkflowEnvironment, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house, agent = House(server.client, tmp_path), Agent()
    async with serving(house, 0.5) as (draining, worker):
        thread = await begun(house, agent, ONE)
        draining.begin()
        await asyncio.wait_for(worker, PATIENCE)
    assert "cut after 0.5 s: run_agent_turn" in caplog.text

    agent.may_end.set()
    task = f"{thread}/task-1"
    async with serving(house, PATIENCE):
        await house.approve(task, await house.seen(task, "gate_opened"))
        await house.seen(thread, "plan_completed")

    assert len(agent.attempts) == 2
    assert len(set(agent.attempts)) == 1, "the same turn, taken up again"


async def test_a_worker_that_ends_at_once_cuts_what_runs(
    server: WorkflowEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.temporal.draining.GRACE_SECONDS", 0.1)
    house, agent = House(server.client, tmp_path), Agent()
    async with serving(house, PATIENCE) as (_, worker):
        thread = await begun(house, agent, ONE)
        worker.cancel()
        await asyncio.wait({worker}, timeout=PATIENCE)
        assert worker.cancelled()
    handle = server.client.get_workflow_handle(thread)
    await handle.terminate()


async def test_no_thread_is_opened_on_a_host_that_drains(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    house, agent = House(server.client, tmp_path), Agent()
    async with serving(house, PATIENCE) as (draining, worker):
        await begun(house, agent, ONE)
        draining.begin()
        opening = asyncio.create_task(house.open("another"))
        done_first, _ = await asyncio.wait({opening}, timeout=3)
        assert not done_first
        agent.may_end.set()
        await asyncio.wait_for(worker, PATIENCE)
        assert not opening.done()
    async with serving(house, PATIENCE):
        await asyncio.wait_for(opening, PATIENCE)
        for thread in {event.stream for event in house.journal.events if "/" not in event.stream}:
            await server.client.get_workflow_handle(thread).terminate()


def test_a_worker_that_does_not_serve_yet_or_is_not_to_drain_ends_at_once() -> None:
    assert not Draining(PATIENCE).begin()
    assert not Draining(0).begin()
