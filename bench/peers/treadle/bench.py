"""Treadle itself: embedded server, worker, API and journal as shipped, with nothing outside of them.

The server runs with the engine's own settings, the worker with its own composition, and the driver
is a client of the REST API. Agent, git and commands are no-ops (outside.py), so that what is measured
is the orchestrator. A run is a whole thread: opened, planned by a planner's turn that proposes N
tasks through a real update, approved with its content hash, run, verified, gated, merged in order.
"""

import asyncio
import gc
import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parent)]

import httpx
from peerlib import Adapter, deps, history_sizes, main

from activities.lifecycle import ThreadResources
from adapters.host import host_id, until_stopped
from adapters.journal import open_journal
from adapters.port_leases import FilePortLeases
from adapters.processes.fences import WorkspaceFences
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.files.template_files import TemplateFiles
from adapters.temporal import LostActivities, TemporalCommands, connect, register_search_attributes
from outside import AnyAgent, NoAgents, NoCommands, NoTerminals, NoWorkspaces, Step
from settings import Settings, environment_of
from treadle import __version__
from treadle.engine import LAUNCH, prepare_data_dir, temporal_binary, temporal_command
from composition.ports import Ports
from queues import workers


def plan_of(goal: str) -> dict:
    """Return the plan that a goal of ours stands for."""
    run = json.loads(goal)
    step = Step(ms=run["ms"], is_marked=run["is_marked"], key="", **run.get("more", {}))
    tasks = []
    for i in range(run["n"]):
        does = step.model_copy(update={"key": run.get("key", str(i))}).model_dump_json(
            exclude_defaults=True
        )
        verification = [{"type": "command", "label": "verify", "command": does}]
        tasks.append(
            {
                "id": f"task-{i}",
                "title": does,
                "gate": run["gate"],
                "skips_template_steps": True,
                "depends_on": [f"task-{j}" for j in deps(i, run["width"])],
                "verification": verification if run["gate"] == "auto" else [],
            }
        )
    return {"summary": "a benchmark", "tasks": tasks}


class Treadle(Adapter):
    name = "treadle"
    variants = ("quiet", "watched")  # watched: the driver reads every event of the run as it comes

    def __init__(self, args):
        super().__init__(args)
        self.settings = Settings(
            data_dir=self.state / "data",
            temporal_port=self.port,
            api_port=self.port + 1,
            is_temporal_ui_on=False,
            max_turns=64,
        )
        self.threads, self.gates = {}, {}

    def version(self):
        return __version__

    # --- processes

    async def up(self):
        prepare_data_dir(self.settings)
        self.spawn(temporal_command(self.settings, temporal_binary()), log="temporal.log")
        for _ in range(300):
            try:
                self.client = await connect(self.port, KeyRing(self.settings.payload_key_file))
                await register_search_attributes(self.client)
                break
            except RuntimeError:
                self.alive()
                await asyncio.sleep(0.1)
        self.spawn([*LAUNCH, "api"], environment_of(self.settings), "api.log")

    def worker_argv(self):
        return self.self_argv("worker")

    async def serve(self):
        gc.freeze()  # as treadle/__main__.py does
        await until_stopped(self._work())

    async def _work(self):
        settings, marks = self.settings, self.state / "marks"
        client = await connect(self.port, KeyRing(self.settings.payload_key_file))
        lost = LostActivities(settings.data_dir / "activities")
        await lost.reclaim(client)
        async with open_journal(settings.journal) as journal:
            outside = Ports(
                journal=journal,
                workspaces=NoWorkspaces(marks),
                verifier=NoCommands(marks),
                profiles=AnyAgent(),
                runner=NoAgents(TemporalCommands(client), marks, plan_of),
                leases=FilePortLeases(settings.data_dir),
                fences=WorkspaceFences(settings.data_dir / "fences"),
                templates=TemplateFiles(settings.data_dir / "config"),
                key=SecretFile(settings.code_key_file),
                lost=lost,
                terminals=NoTerminals(),
                kept=ThreadResources(*[None] * 5),  # this and what follows is not called upon
                **dict.fromkeys(
                    ("bases", "branches", "landings", "remotes", "forge", "checker", "demos")
                ),
            )
            shared, local = workers(client, outside, host_id(settings.data_dir), settings.max_turns)
            async with shared, local:
                await asyncio.Event().wait()

    async def ready(self):
        for _ in range(300):
            try:
                async with httpx.AsyncClient(
                    base_url=self.settings.api_url, trust_env=False
                ) as http:
                    (await http.get("/v1/health")).raise_for_status()
                break
            except httpx.HTTPError:
                self.alive()
                await asyncio.sleep(0.05)
        token = SecretFile(self.settings.token_file).read().decode()
        self.http = httpx.AsyncClient(
            base_url=f"{self.settings.api_url}/v1",
            timeout=600,
            trust_env=False,
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
            limits=httpx.Limits(max_connections=200),
        )

    # --- the API's client

    async def post(self, path, **body):
        answer = await self.http.post(path, json=body)
        if answer.is_error:
            raise RuntimeError(f"{path}: {answer.text}")
        return answer.json()

    async def events(self, thread):
        """Yield the events of a thread as they come."""
        async with self.http.stream("GET", f"/threads/{thread}/events/stream") as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data:"):
                    yield line[5:]

    async def seen(self, thread, kind):
        """Wait for the first event of a kind."""
        async for line in self.events(thread):
            if f'"kind":"{kind}"' in line:
                return json.loads(line)["event"]["body"]
            if '"kind":"plan_refused"' in line:
                problems = json.loads(line)["event"]["body"]["problems"]
                raise RuntimeError(f"the plan of this workload was refused: {problems}")

    async def decide(self, thread, request):
        await self.post(
            f"/threads/{thread}/approvals",
            choice="approve",
            is_acknowledged=True,
            request_id=request["request_id"],
            content_hash=request["content_hash"],
        )

    async def open(self, run, **spec):
        """Open a thread and approve its plan; returns its id."""
        goal = json.dumps({"ms": 0, "is_marked": False, "width": 1, "n": 1, **spec})
        opened = await self.post(
            "/threads",
            repository=str(self.state),
            agent="scripted",
            goal=goal,
            is_planned=True,
            max_parallel_tasks=spec.get("width", 1),
            command_id=run,
        )
        thread = self.threads[run] = opened["thread_id"]
        await self.decide(thread, (await self.seen(thread, "plan_proposed"))["request"])
        return thread

    # --- the workloads

    async def start_dag(self, run, n, width, ms, log):
        self.last = await self.open(run, n=n, width=width, ms=ms, is_marked=bool(log), gate="auto")

    async def wait_dag(self, run):
        if self.variant == "watched":
            await self.seen(self.threads[run], "plan_completed")
            return
        began = time.monotonic()
        while True:
            page = (await self.http.get("/threads", params={"status": "completed"})).json()
            if self.threads[run] in (thread["stream"] for thread in page["threads"]):
                return
            await asyncio.sleep(max(0.05, 0.02 * (time.monotonic() - began)))

    async def extra(self):
        out = await history_sizes(self.client, self.last, f"{self.last}/task-0")
        journal = self.settings.data_dir / "journal.db"
        return {
            **out,
            "journal_mb": sum(os.path.getsize(f) for f in journal.parent.glob("journal.db*")) / 1e6,
        }

    async def park(self, run, log, **more):
        thread = await self.open(
            run, gate="ask", key=run, is_marked=bool(log), more={"last": "merge", **more}
        )
        self.gates[run] = thread, (await self.seen(thread, "gate_opened"))["request"]

    async def approve(self, run):
        thread, request = self.gates[run]
        await self.decide(thread, request)

    async def stream(self, n, size, rate):
        opened = asyncio.create_task(
            self.open(
                "stream",
                gate="ask",
                key="stream",
                more={"events": n, "event_bytes": size, "rate": rate},
            )
        )
        while "stream" not in self.threads:
            await asyncio.sleep(0.01)
        thread, got = self.threads["stream"], []
        async for line in self.events(thread):
            if '"kind":"agent_notice"' in line:
                got.append(
                    (
                        int(json.loads(line)["event"]["body"]["message"].split()[0]),
                        time.monotonic_ns(),
                    )
                )
            if len(got) == n:
                break
        self.last = await opened
        return got


if __name__ == "__main__":
    main(Treadle)
