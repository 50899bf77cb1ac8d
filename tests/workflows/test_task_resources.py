"""Ports and terminals of tasks on real workflows: leased, looked at, and ended in every way."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from adapters.port_leases import FilePortLeases
from adapters.temporal import reap_leases
from domain.agents.agents import AgentAnswer, AgentCall, SessionRole
from domain.agents.terminals import Terminal, TerminalStatus
from domain.core.command import AgentCommand, Answer
from domain.tasks.agent_commands import ListPorts, RequestPort
from domain.tasks.running_commands import Abort
from domain.tasks.terminal_commands import NoteTerminal, ReleasePort
from tests.played_agents import done, ended
from tests.workflows.conftest import House

TASK = {"id": "task-1", "title": "one", "ports": [{"id": "web"}], "gate": "auto"}
PLAN = {"tasks": [TASK]}
Act = Callable[[AgentCall], Awaitable[AgentAnswer]]


def at_work(house: House, act: Act) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        return await act(call) if call.turn.role is SessionRole.TASK else ended()

    house.runner.play = play


async def say(house: House, call: AgentCall, kind: type[AgentCommand], **fields) -> Answer:
    said = kind(session_id=call.turn.session_id, turn_id=call.turn.turn_id, **fields)
    return await house.send(call.turn.owner, said)


async def start(house: House, plan=PLAN) -> str:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    return thread.id


async def test_a_port_is_leased_given_back_and_leased_again_in_one_turn(house: House) -> None:
    told: list[Answer] = []
    held: list[int] = []

    async def act(call: AgentCall) -> AgentAnswer:
        for kind in (RequestPort, RequestPort, ReleasePort, ReleasePort, RequestPort):
            told.append(await say(house, call, kind, port_id="web"))
            held.append(len(house.leases.held))
        return done()

    at_work(house, act)
    thread = await start(house)
    await house.seen(thread, "plan_completed")

    number = told[0].data["port"]
    assert [answer.data.get("port") for answer in told] == [number, number, None, None, number]
    assert held == [1, 1, 0, 0, 1]
    assert house.leases.held == {}
    kinds = house.journal.kinds(f"{thread}/task-1")
    assert kinds.count("port_leased") == 2
    assert kinds.count("port_released") == 1


async def test_a_port_that_a_stranger_took_has_a_new_number_and_says_so(house: House) -> None:
    told: list[Answer] = []

    async def act(call: AgentCall) -> AgentAnswer:
        told.append(await say(house, call, RequestPort, port_id="web"))
        owner = call.turn.workspace.workspace_id
        house.leases.held[owner, "web"] = 41234
        told.append(await say(house, call, RequestPort, port_id="web"))
        return done()

    at_work(house, act)
    await house.seen(await start(house), "plan_completed")

    assert told[1].data["port"] == 41234
    assert f"It was {told[0].data['port']}, where another program listens now" in told[1].message


async def test_a_task_may_look_where_its_siblings_serve(house: House) -> None:
    told: list[str] = []

    async def act(call: AgentCall) -> AgentAnswer:
        await say(house, call, RequestPort, port_id="web")
        thread = call.turn.thread_id
        await house.seen(thread, "task_progressed")
        asked = ListPorts(session_id=call.turn.session_id, turn_id=call.turn.turn_id)
        told.append((await house.send(thread, asked)).message)
        return done()

    at_work(house, act)
    await house.seen(await start(house), "plan_completed")

    assert told[0].startswith("- task-1: web -> ")


@pytest.mark.parametrize("way", ["accepted", "failed", "aborted"])
async def test_terminals_end_with_the_task_in_every_way(house: House, way: str) -> None:
    working = asyncio.Event()
    dev = Terminal(id="terminal-1", label="dev server", command="serve")

    async def act(call: AgentCall) -> AgentAnswer:
        await say(house, call, NoteTerminal, terminal=dev)
        await say(house, call, RequestPort, port_id="web")
        working.set()
        if way == "aborted":
            await asyncio.Event().wait()
        return done() if way == "accepted" else ended()

    at_work(house, act)
    thread = await start(house)
    task = f"{thread}/task-1"
    await working.wait()
    if way == "aborted":
        await house.send(thread, Abort(task_id="task-1"))
    await house.seen(task, "task_ended")
    await house.seen(thread, "task_merged" if way == "accepted" else "task_settled")

    assert task in house.terminals.ended
    assert house.leases.held == {}


async def test_a_terminal_that_must_run_and_does_not_sends_the_work_back(house: House) -> None:
    dev = Terminal(id="terminal-1", label="dev server", command="serve", is_required=True)
    gone = dev.model_copy(update={"status": TerminalStatus.EXITED, "exit_code": 1})

    async def act(call: AgentCall) -> AgentAnswer:
        if call.turn.prompt.name == "task":
            await say(house, call, NoteTerminal, terminal=dev)
            return done().model_copy(update={"terminals": (gone,)})
        again = dev.model_copy(update={"id": "terminal-2"})
        await say(house, call, NoteTerminal, terminal=again)
        return done().model_copy(update={"terminals": (gone, again)})

    at_work(house, act)
    thread = await start(house, {"tasks": [{**TASK, "ports": []}]})
    await house.seen(thread, "plan_completed")

    [failed] = [
        call.turn.prompt.fields["report"]
        for call in house.runner.calls
        if call.turn.prompt.name == "verification-failed"
    ]
    assert "terminal-1 (dev server) does not run any more: exited with code 1" in failed


async def test_a_starting_worker_gives_back_the_ports_of_tasks_that_run_no_more(
    house: House, tmp_path
) -> None:
    leases = FilePortLeases(tmp_path)
    working, is_over = asyncio.Event(), asyncio.Event()

    async def act(call: AgentCall) -> AgentAnswer:
        working.set()
        await is_over.wait()
        return done()

    at_work(house, act)
    thread = await start(house)
    await working.wait()
    for owner in (f"{thread}/task-1/run-1", "thread-gone/task-1/run-2"):
        await leases.lease(owner, "web")

    await reap_leases(house.client, leases)
    is_over.set()

    assert await leases.owners() == {f"{thread}/task-1/run-1"}
