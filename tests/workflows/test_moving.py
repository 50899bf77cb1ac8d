"""A thread whose host is gone goes on at another one, with all that is at work for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio.client import Client
from temporalio.service import ServiceClient
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from adapters.temporal import HeldTurns
from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.commands import SendMessage
from domain.core.ids import CommandId, TaskId
from domain.core.moves import HostMove
from domain.flows.definition import StepKind
from domain.flows.moving.events import FlowMoved
from domain.tasks.agent_commands import RequestPort
from domain.tasks.events import PortLeased
from domain.tasks.running_commands import Abort, Cancel
from domain.threads.moving.events import ThreadMoved
from domain.threads.patches import ALL
from queues import workers
from tests.domain.flow_world import FlowText
from tests.workflows.conftest import House, _terminate_all
from tests.workflows.test_flows import begin
from tests.workflows.test_main_job import MAKE
from tests.workflows.test_recovery import hang
from workflows import options

SERVED = {**MAKE, "command": "make PORT=${ports.web}"}
ONE = {"tasks": [{"id": "task-1", "title": "one", "verification": [MAKE]}]}
TWO = {"tasks": [{"id": "task-1", "title": "one"}, {"id": "task-2", "title": "two"}]}
WITH_PORT = {
    "tasks": [
        {
            "id": "task-1",
            "title": "one",
            "ports": [{"id": "web", "description": "the server"}],
            "verification": [SERVED],
        }
    ]
}


@dataclass
class Street:
    """Two hosts on one Temporal and one journal; only `home` has a worker until `other` is opened."""

    home: House
    other: House
    stack: AsyncExitStack
    worker: Worker
    held: HeldTurns

    async def lose_home(self) -> None:
        if self.worker.is_running:
            await self.worker.shutdown()

    async def open_other(self) -> None:
        _, local = workers(self.other.client, self.other.ports(), "other", max_turns=8)
        await self.stack.enter_async_context(local)

    async def move(self, thread: str, generation: int = 1, host: str = "other") -> None:
        """Tell a thread to go on elsewhere, as the watch of hosts does."""
        handle = self.home.client.get_workflow_handle(thread)
        move = HostMove(host=host, generation=generation, reason="host test is silent")
        await handle.signal("move_host", move)


@pytest.fixture
async def street(server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[Street]:
    async for made in _streets(server, tmp_path):
        yield made


@pytest.fixture
async def hasty_street(hasty_server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[Street]:
    async for made in _streets(hasty_server, tmp_path):
        yield made


async def _connection(server: WorkflowEnvironment) -> ServiceClient:
    """Return a connection of its own, as each worker of a queue needs one."""
    return await ServiceClient.connect(server.client.service_client.config)


async def _streets(server: WorkflowEnvironment, folder: Path) -> AsyncIterator[Street]:
    home = House(server.client, folder)
    config = {**server.client.config(), "service_client": await _connection(server)}
    other = replace(House(Client(**config), folder), journal=home.journal)
    other.leases.held["somebody", "else"] = 40_000
    held = HeldTurns()
    outside = replace(home.ports(), held=held)
    shared, local = workers(home.client, outside, "test", max_turns=8)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(shared)
        running = asyncio.create_task(local.run())
        made = Street(home, other, stack, local, held)
        yield made
        for planned in home.runner.planned.values():
            planned.set()
        await _terminate_all(home.client, {event.stream for event in home.journal.events})
        await made.lose_home()
        await running


async def test_a_turn_that_ran_on_a_lost_host_is_taken_on_another(street: Street) -> None:
    home, other = street.home, street.other
    thread = await home.open()
    proposed = await home.proposed(thread.id, ONE)
    home.runner.play = hang
    await home.approve(thread.id, proposed)
    await home.seen(f"{thread.id}/task-1/session-1", "prompt_sent")
    await street.lose_home()
    await street.open_other()
    await street.move(thread.id)
    gate = await home.seen(f"{thread.id}/task-1", "gate_opened")
    await home.approve(f"{thread.id}/task-1", gate)
    completed = await home.seen(thread.id, "plan_completed")

    moved = (await home.seen(thread.id, "thread_moved")).body
    assert isinstance(moved, ThreadMoved)
    assert (moved.from_host, moved.to_host, moved.generation) == ("test", "other", 1)
    assert completed.body.model_dump()["final_status"] == "completed"
    [taken] = [c for c in other.runner.calls if c.turn.workspace.task_id == "task-1"]
    assert "interrupted" in taken.prompt
    assert len(other.workspaces.merged) == 1
    assert home.workspaces.merged == []


async def test_work_that_waits_for_a_host_starts_on_another(street: Street) -> None:
    home, other = street.home, street.other
    thread = await home.open()
    proposed = await home.proposed(thread.id, TWO)
    await home.seen(f"{thread.id}/session-1", "turn_ended")
    await street.lose_home()
    await home.approve(thread.id, proposed)
    await home.seen(thread.id, "task_updated", number=2)
    await street.move(thread.id)
    await street.open_other()
    for task in ("task-1", "task-2"):
        gate = await home.seen(f"{thread.id}/{task}", "gate_opened")
        await home.approve(f"{thread.id}/{task}", gate)
    await home.seen(thread.id, "plan_completed")

    assert sorted(c.turn.workspace.task_id or "" for c in other.runner.calls) == [
        "task-1",
        "task-2",
    ]


async def test_an_abort_and_a_cancel_wait_for_no_host_that_is_gone(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "GONE_PATIENCE", timedelta(seconds=2))
    home = street.home
    thread = await home.open()
    proposed = await home.proposed(thread.id, TWO)
    home.runner.play = hang
    await home.approve(thread.id, proposed)
    for task in ("task-1", "task-2"):
        await home.seen(f"{thread.id}/{task}/session-1", "prompt_sent")
    await street.lose_home()
    await home.send(thread.id, Abort(task_id=TaskId("task-1"), command_id=CommandId("a"), by="ada"))
    settled = (await home.seen(thread.id, "task_settled")).body
    assert settled.model_dump()["task_id"] == "task-1"
    await home.send(thread.id, Cancel(command_id=CommandId("c"), by="ada"))
    await home.seen(thread.id, "task_settled", number=2)
    ended = (await home.seen(thread.id, "plan_completed")).body
    assert ended.model_dump()["final_status"] == "cancelled"
    assert home.workspaces.merged == []


async def test_an_opening_goes_on_at_another_host_and_so_do_chats(street: Street) -> None:
    home, other = street.home, street.other
    thread = await home.open("hello", has_plan=False, is_planned=False, patches=ALL)
    await home.seen(f"{thread.id}/session-1", "turn_ended")
    await street.lose_home()
    await street.open_other()
    await street.move(thread.id)
    await home.seen(thread.id, "move_spread")
    await home.send(thread.id, SendMessage(text="go on", command_id=CommandId("m"), by="ada"))
    await home.seen(f"{thread.id}/session-1", "turn_ended", number=2)

    assert [c.turn.prompt.fields["text"] for c in other.runner.calls] == ["go on"]


async def test_of_two_moves_the_newer_counts_whichever_comes_first(street: Street) -> None:
    home = street.home
    thread = await home.open()
    await street.open_other()
    await street.move(thread.id, 2)
    await street.move(thread.id, 1, host="elsewhere")
    await street.move(thread.id, 2, host="elsewhere")
    await home.seen(thread.id, "move_spread")
    await home.proposed(thread.id, ONE)

    moves = [b for b in home.journal.bodies(thread.id) if isinstance(b, ThreadMoved)]
    assert [(m.to_host, m.generation) for m in moves] == [("other", 2)]


async def test_ports_are_leased_again_on_the_host_where_steps_run(street: Street) -> None:
    home, other = street.home, street.other
    thread = await home.open()
    proposed = await home.proposed(thread.id, WITH_PORT)

    async def serve(call: AgentCall) -> AgentAnswer:
        asked = RequestPort(
            session_id=call.turn.session_id, turn_id=call.turn.turn_id, port_id="web"
        )
        await home.send(f"{thread.id}/task-1", asked)
        return await hang(call)

    home.runner.play = serve
    await home.approve(thread.id, proposed)
    await home.seen(f"{thread.id}/task-1", "port_leased")
    await street.lose_home()
    await street.open_other()
    await street.move(thread.id)
    await home.seen(f"{thread.id}/task-1", "gate_opened")

    leased = [
        b.number for b in home.journal.bodies(f"{thread.id}/task-1") if isinstance(b, PortLeased)
    ]
    assert leased == [40_000, 40_001]
    assert home.verifier.ran == []
    assert other.verifier.ports == [{"web": 40_001}]


async def test_a_new_run_of_a_workflow_stays_where_it_moved_to(hasty_street: Street) -> None:
    street, home, other = hasty_street, hasty_street.home, hasty_street.other
    thread = await home.open("hello", has_plan=False, is_planned=False, patches=ALL)
    session = f"{thread.id}/session-1"
    await home.seen(session, "turn_ended")
    await street.lose_home()
    await street.open_other()
    await street.move(thread.id)
    first = (await home.client.get_workflow_handle(session).describe()).run_id
    for number in range(2, 9):
        message = SendMessage(text=f"{number}", command_id=CommandId(f"m{number}"), by="ada")
        await home.send(thread.id, message)
        await home.seen(session, "turn_ended", number=number)

    assert (await home.client.get_workflow_handle(session).describe()).run_id != first
    assert len(other.runner.calls) == 7


async def test_a_flow_run_goes_on_at_another_host_with_its_conversation(street: Street) -> None:
    home, other = street.home, street.other
    home.runner.play = hang
    run = await begin(home, FlowText().llm("work").add(StepKind.COMMAND, command="make"))
    await home.seen(f"{run.id}/session-1", "prompt_sent")
    await street.lose_home()
    await street.open_other()
    await street.move(run.id)
    await home.seen(run.id, "flow_completed")

    moved = (await home.seen(run.id, "flow_moved")).body
    assert isinstance(moved, FlowMoved)
    assert (moved.from_host, moved.to_host, moved.generation) == ("test", "other", 1)
    await home.seen(run.id, "flow_move_spread")
    [taken] = other.runner.calls
    assert "interrupted" in taken.prompt
