"""A worker in a process of its own, to be stopped: real children, fences and journal, no git."""

import asyncio
import os
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from temporalio.client import Client

from adapters.files.key_ring import KeyRing
from adapters.host import until_stopped
from adapters.journal import open_journal
from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from adapters.processes.spawner import Spawner
from adapters.temporal import plugin
from adapters.verification.verifier import StepVerifier
from domain.agents.agents import AgentAnswer, AgentCall
from domain.conversations.events import AgentSessionOpened
from domain.core.errors import AgentError
from domain.core.ports import Beat, Record
from domain.core.workspaces import WorkspaceSpec
from queues import workers
from tests import fakes, played_agents
from tests.step_fakes import PaperCheckouts
from tests.workflows.conftest import House
from workflows import options

HOST = "stoppable"
HEARTBEAT = timedelta(seconds=6)
SLOW_WRITER = """
id=$(cat /proc/sys/kernel/random/uuid)
mkdir first 2>/dev/null && n=4000 || n=40
while [ $n -gt 0 ]; do echo $id >>log; n=$((n-1)); sleep 0.05; done
echo end >>log
"""
"""Writes its name for minutes; whoever starts it next in the same workspace, for two seconds."""


class Folders(fakes.PaperWorkspaces):
    """A folder per workspace, and no git."""

    def __init__(self, top: Path) -> None:
        super().__init__()
        self._top = top
        self.checkouts = PaperCheckouts(self.prepare)

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        folder = self._top / (spec.task_id or "thread")
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        return await self.prepare(spec)


class Writers(played_agents.PlayedRunner):
    """Agents that are one command; those of tasks whose title says so write slowly."""

    def __init__(self, spawner: Spawner) -> None:
        super().__init__()
        self._spawner = spawner

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        opened = AgentSessionOpened(turn_id=call.turn.turn_id, agent_session="agent-1")
        await record(opened)
        is_slow = call.turn.owner.endswith("/slow-turn")
        argv = ("sh", "-c", SLOW_WRITER if is_slow else "true")
        ended = await self._spawner.run(Command(argv, call.directory), beat=beat)
        if ended.returncode != 0:
            raise AgentError(f"it ended with {ended.returncode}, signal {ended.signal}")
        return played_agents.done()


async def run(target: str, folder: Path) -> None:
    """Work until told to stop; an attempt that is not heard of is given up sooner than usual."""
    for config in (options.TURN, options.STEP):
        config["heartbeat_timeout"] = HEARTBEAT
    keys = KeyRing(folder / "payload.keys")
    client = await Client.connect(target, plugins=[plugin(keys)])
    spawner = Spawner(folder / "runs", {"PATH": os.environ["PATH"]})
    async with open_journal(f"sqlite:///{folder}/journal.db") as journal:
        outside = replace(
            House(client, folder / "activities").ports(),
            journal=journal,
            workspaces=Folders(folder / "trees"),
            runner=Writers(spawner),
            verifier=StepVerifier(spawner),
            fences=WorkspaceFences(folder / "fences"),
        )
        shared, local = workers(client, outside, HOST, max_turns=8)
        async with shared, local:
            print("ready", flush=True)  # noqa: T201  (the test waits for it)
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(until_stopped(run(sys.argv[1], Path(sys.argv[2]))))
