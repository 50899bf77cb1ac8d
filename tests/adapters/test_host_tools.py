"""Tools that are carried out on the host, called over real HTTP: terminals, ports, verification."""

import asyncio
import sys
from dataclasses import replace

import pytest

from adapters.agent_programs.host import Host as AgentHost
from adapters.agent_programs.named_agents import HostNamedAgents
from adapters.files.agent_profiles import AgentFiles
from adapters.terminals.terminals import HostTerminals
from adapters.tools import terminals
from adapters.tools.grants import Grant
from adapters.tools.host import Host
from adapters.tools.server import ToolServer
from adapters.tools.verification import Checks
from adapters.verification.verifier import StepVerifier
from domain.agents.agents import SessionRole
from domain.core.command import Answer
from domain.core.ids import StreamId
from domain.tasks.agent_commands import ListPorts
from domain.tasks.terminal_commands import LookUpTask
from domain.verification.steps import StepResult, VerificationStep
from tests.adapters.terminal_lab import SESSION, TASK, TURN, opened
from tests.adapters.tool_lab import THREAD, Door, calling, text

PORTS = {"web": 23456}


class TaskDoor(Door):
    """A task with a port and steps behind the door."""

    def __init__(self):
        super().__init__()
        self.steps = []

    async def send(self, workflow_id, command):
        if isinstance(command, LookUpTask):
            facts = {"ports": PORTS, "declared": {"web": "the site"}, "steps": self.steps}
            return Answer(message="", data={**facts, "resources": None})
        if isinstance(command, ListPorts):
            return Answer(message="- other: db -> :20001")
        return await super().send(workflow_id, command)


class Agent:
    """A client of the tool server in a running turn."""

    def __init__(self, server, grant):
        self.server = server
        self.grant = grant

    async def call(self, tool, **arguments):
        async with calling(self.server, self.grant.token) as client:
            return text(await client.call_tool(tool, arguments))


@pytest.fixture
async def lab(spawner, tmp_path):
    async with opened(spawner, tmp_path / "lab") as lab:
        lab.door = TaskDoor()
        lab.terminals = lab.restarted()
        yield lab


@pytest.fixture
async def server(lab, spawner):
    async with ToolServer(lab.door, call_limit_seconds=120) as server:
        checks = Checks(lab.door, StepVerifier(spawner), lab.journal)
        server.host = Host(lab.terminals, checks, lab.door)
        yield server


@pytest.fixture
def ends_first(monkeypatch):
    """A terminal is answered with when it has ended, however long a busy machine takes for that."""
    monkeypatch.setattr(terminals, "FIRST_WORDS_SECONDS", 60.0)


@pytest.fixture
async def agent(lab, server):
    grant = server.admit(Grant(SESSION, TASK, THREAD, SessionRole.TASK))
    grant.begin(TURN, lab.folder)
    yield Agent(server, grant)
    await grant.end()


async def test_a_terminal_is_opened_read_waited_for_and_released(agent):
    command = "echo port ${ports.web} $TREADLE_PORT_WEB $MOOD; sleep 0.5; echo over"
    created = await agent.call(
        "terminal_create", command=command, label="job", environment={"MOOD": "fine"}
    )
    waited = await agent.call("terminal_wait", terminal_id="terminal-1", seconds=40)
    read = await agent.call("terminal_output", terminal_id="terminal-1", since=22)
    released = await agent.call("terminal_release", terminal_id="terminal-1")
    after = await agent.call("terminal_output", terminal_id="terminal-1")

    assert created.startswith("terminal-1 (job): ")
    assert waited == "terminal-1 (job): exited with code 0\nport 23456 23456 fine\nover"
    assert read == "terminal-1 (job): exited with code 0\nover"
    assert "is released" in released
    assert after == ("not_found: there is no 'terminal-1', or it was released; there are: none")


async def test_a_proposed_plan_says_which_of_its_agents_are_not_here(lab, server):
    folder = lab.folder
    here = AgentHost(folder / "data", folder / "programs", folder / "home", lambda _: {})
    server.host = replace(server.host, named=HostNamedAgents(AgentFiles(), here))
    grant = server.admit(Grant(SESSION, TASK, THREAD, SessionRole.PLANNER))
    grant.begin(TURN, lab.folder)
    tasks = [
        {"id": "a", "title": "A", "agent": "nobody"},
        {"id": "b", "title": "B", "agent": "claude-code"},
    ]
    await Agent(server, grant).call("propose_plan", plan={"summary": "x", "tasks": tasks})
    await grant.end()

    (doubt,) = lab.door.sent[-1][1].doubts
    assert doubt.startswith("task 'a': there is no agent 'nobody'; there are: ")


async def test_waiting_for_words_ends_when_they_are_said(agent):
    await agent.call("terminal_create", command="sleep 2.3; echo ready now; sleep 600")

    told = await agent.call("terminal_wait", terminal_id="1", seconds=40, until="ready")

    assert told.splitlines()[0].endswith("running")
    assert "ready now" in told
    assert "killed by its agent" in await agent.call("terminal_kill", terminal_id="1")


async def test_the_same_command_is_not_started_beside_itself(agent, lab):
    for _ in range(2):
        told = await agent.call("terminal_create", command="echo up; sleep 600", port="web")
    taken = await agent.call("terminal_create", command="sleep 61", port="web")

    assert told.startswith("This command runs already.\nterminal-1")
    assert taken.startswith("wrong_state: port 'web' is used by terminal-1")
    assert len(lab.terminals.of(TASK)) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"command": "echo ${ports.db}"}, "port 'db' is not yours yet"),
        ({"command": "true", "cwd": "../.."}, "no folder of your checkout"),
        ({"command": "true", "environment": {"A=B": "x"}}, "wrong: A=B"),
        ({"command": ""}, "the arguments of terminal_create do not fit: command"),
        ({}, "the arguments of terminal_create do not fit: command"),
    ],
)
async def test_what_does_not_fit_is_refused_with_what_to_do(agent, lab, arguments, words):
    told = await agent.call("terminal_create", **arguments)

    assert told.startswith("invalid: ")
    assert words in told
    assert lab.terminals.of(TASK) == ()


async def test_the_environment_of_an_agent_does_not_reach_what_confines_it(agent, ends_first):
    """The loader complains of it once for each program that starts with it."""
    environment = {"LD_PRELOAD": "/nowhere/evil.so"}
    told = await agent.call("terminal_create", command="echo $LD_PRELOAD", environment=environment)

    assert told.splitlines()[-1] == "/nowhere/evil.so"
    assert told.count("cannot be preloaded") == 1


async def test_ports_are_listed_the_tasks_own_first(agent):
    told = await agent.call("list_ports")

    assert told.splitlines()[:2] == ["Yours:", "- web (the site): 23456"]
    assert told.endswith("- other: db -> :20001")


async def test_verification_on_demand_is_reported_and_counts_for_nothing(agent, lab):
    (lab.folder / "a.txt").write_text("a")
    lab.door.steps = [
        {"id": "s1", "type": "file_exists", "label": "a", "path": "a.txt"},
        {"id": "s2", "type": "command", "label": "fails", "command": "echo no; exit 1"},
        {"id": "s3", "type": "command", "label": "after", "command": "true"},
        {"id": "s4", "type": "review_agent", "label": "review", "prompt": "look"},
    ]

    told = await agent.call("run_verification")

    assert told.startswith("With the files as they are, verification would FAIL.")
    assert "- a: passed" in told
    assert "- fails: FAILED" in told
    assert "no\nexit code 1" in told
    assert "- after: did not run" in told
    assert "review" not in told
    [checked] = [e.event.body for e in await lab.journal.read(StreamId(TASK))]
    assert (checked.kind, checked.passed, len(checked.steps)) == ("verification_checked", False, 2)


async def test_verification_on_demand_keeps_no_pictures(agent, lab, server):
    ran: list[VerificationStep] = []

    class Seen:
        async def run_step(self, step, place, beat):
            ran.append(step)
            return StepResult(step_id=step.id, passed=True), ""

    server.host = Host(lab.terminals, Checks(lab.door, Seen(), lab.journal), lab.door)
    shop = {"id": "s1", "type": "http_health", "url": "http://localhost:1/", "picture": True}
    shots = {"id": "s2", "type": "command", "command": "true", "keep": ["*.png"]}
    lab.door.steps = [shop, shots]

    assert "would pass" in await agent.call("run_verification")
    assert [(step.id, step.picture, step.keep) for step in ran] == [
        ("s1", False, ()),
        ("s2", False, ()),
    ]


async def test_verification_on_demand_ends_with_the_turn(agent, lab):
    mark = lab.folder / "begun"
    lab.door.steps = [
        {"id": "s1", "type": "command", "label": "slow", "command": f"touch {mark}; sleep 600"}
    ]
    running = asyncio.create_task(agent.call("run_verification"))
    async with asyncio.timeout(60):
        while not mark.exists():  # noqa: ASYNC110 - a shell tells nobody
            await asyncio.sleep(0.02)

    await agent.grant.end()

    assert (await running).startswith("wrong_state: the turn has ended")
    [checked] = [e.event.body for e in await lab.journal.read(StreamId(TASK))]
    assert checked.is_cut_off


async def test_without_a_turn_nothing_is_carried_out(agent):
    await agent.grant.end()

    assert (await agent.call("list_ports")).startswith("wrong_state: ")
    assert (await agent.call("run_verification")).startswith("wrong_state: ")


async def test_a_call_that_was_cut_off_gives_its_answer_to_the_same_call(lab, server):
    server._call_limit = 0.3
    grant = server.admit(Grant(SESSION, TASK, THREAD, SessionRole.TASK))
    grant.begin(TURN, lab.folder)
    agent = Agent(server, grant)
    script = f"exec {sys.executable} -c 'import time; time.sleep(30)'"
    first = await agent.call("terminal_create", command=script)
    server._call_limit = 120
    second = await agent.call("terminal_create", command=script)
    await grant.end()

    assert "again with the same arguments" in first
    assert second.startswith("terminal-1 ")
    assert len(lab.terminals.of(TASK)) == 1


async def test_a_chat_of_the_thread_has_terminals_of_its_own(lab, server, ends_first):
    grant = server.admit(Grant(SESSION, THREAD, THREAD, SessionRole.CHAT))
    grant.begin(TURN, lab.folder)
    told = await Agent(server, grant).call("terminal_create", command="echo hi")
    await grant.end()

    assert told.startswith("terminal-1 (echo hi): exited with code 0\nhi")
    assert [t.id for t in lab.terminals.of(StreamId(SESSION))] == ["terminal-1"]
    assert lab.door.sent == []


def test_terminals_are_a_port_that_others_can_use():
    assert {"create", "output", "wait", "kill", "release"} <= set(dir(HostTerminals))
