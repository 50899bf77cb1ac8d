"""A client written by others, `acpx`, drives a whole thread, and goes on with it after a kill."""

import asyncio
import json
import shlex
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.agents.installation import npm_command, packages
from tests.e2e.engine import PROGRAM, Engine
from tests.e2e.job import Job, git

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

LOCK = Path(__file__).parent / "acpx"
DONE = 120


class Acpx:
    """The program, with its sessions in a folder of the test."""

    def __init__(self, engine: Engine, job: Job, agent: str) -> None:
        node, _ = npm_command()
        program = packages(LOCK) / ".bin" / "acpx"
        self._command = [str(node), str(program), "--agent", agent, "--cwd", str(job.repository)]
        self._environment = {**engine.environment, "HOME": str(job.repository.parent / "home")}

    async def start(self, *words: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._command,
            *words,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def run(self, *words: str) -> str:
        process = await self.start(*words)
        async with asyncio.timeout(DONE):
            output, _ = await process.communicate()
        assert process.returncode == 0, output.decode()
        return output.decode()


def agent(*options: str) -> str:
    return shlex.join((PROGRAM, "acp", "--agent", "scripted", "--plan", *options))


async def the_thread(job: Job) -> dict[str, Any]:
    path = f"/v1/threads?project={job.repository}"
    (row,) = (await job.http.get(path)).json()["threads"]
    return (await job.http.get(f"/v1/threads/{row['stream']}")).json()


def processes_in(folder: Path) -> list[psutil.Process]:
    """Return the `treadle acp` of a client with its home there."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        try:
            words, home = process.cmdline(), process.environ().get("HOME")
        except psutil.Error:
            continue
        if home == str(folder) and words[1:3] and "acp" in words and "--plan" in words:
            found.append(process)
    return [p for p in found if "node" not in Path(p.exe()).name]


async def test_it_drives_a_thread_from_the_goal_to_the_merge(engine: Engine, job: Job):
    acpx = Acpx(engine, job, agent("--approve"))
    said = await acpx.run("--approve-all", "--format", "json", "exec", "Write left and right")
    state = await the_thread(job)
    messages = [json.loads(line) for line in said.splitlines() if line.startswith("{")]

    assert state["status"] == "completed"
    assert [task["status"] for task in state["tasks"]] == ["completed"] * 3
    assert "session/request_permission" in json.dumps(messages)
    assert '"plan"' in json.dumps(messages)


async def test_killed_in_the_middle_it_loads_the_session_and_goes_on(engine: Engine, job: Job):
    acpx = Acpx(engine, job, agent("--approve"))
    job.stage.hold("left.task.working")
    await acpx.run("sessions", "new")
    prompting = await acpx.start("--approve-all", "prompt", "Write left and right")
    await job.stage.reached("left.task.working")
    for process in processes_in(job.repository.parent / "home"):
        process.kill()
    await prompting.communicate()
    job.stage.release("left.task.working")
    await acpx.run("--approve-all", "prompt", "/inbox")
    await acpx.run("--approve-all", "prompt", "/merge")
    state = await the_thread(job)
    files = git(job.repository, "ls-tree", "--name-only", "main").split()

    assert state["status"] == "completed"
    assert {"left.txt", "right.txt", "both.txt"} <= set(files)


async def test_a_client_that_approves_everything_approves_nothing_unless_a_person_says_so(
    engine: Engine, job: Job
):
    acpx = Acpx(engine, job, agent())
    said = await acpx.run("--approve-all", "exec", "Write left and right")
    state = await the_thread(job)

    assert state["status"] == "waiting"
    assert state["approved"] is None
    assert f"treadle approve {state['thread_id']}" in said
