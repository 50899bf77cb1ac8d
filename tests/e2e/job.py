"""The main job: a repository, its scenario, and a thread that a test sees through."""

import asyncio
import itertools
import subprocess
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import yaml
from httpx_sse import aconnect_sse

from domain.core.event import EventBody, JournaledEvent
from domain.core.ids import ThreadId
from tests.e2e.engine import DEADLINE_SECONDS, Engine, Stage

GOAL = "Write left and right"
PORTS = [{"id": "web", "description": "where its server listens"}]
TITLES = {"left": "Write left", "right": "Write right", "both": "Join them"}

COMMANDS = "/v1/threads"
UNCONFIRMED = 503


def scenario(stage: Stage) -> dict[str, Any]:
    """Return what the agents do: `left` is gated; `right` fails once and is fixed; `both` joins."""

    def work(task: str, prompt: str, text: str) -> dict[str, Any]:
        step = f"{task}.{prompt}"
        return {
            "when": {"task": task, "prompt": prompt},
            "steps": [
                {"say": f"I do {step}."},
                {"run": stage.note(f"{step}.begun")},
                {"call": "request_port", "with": {"port_id": "web"}},
                {"write": f"{task}.txt", "text": text},
                {"run": stage.place(f"{step}.working")},
                {"run": stage.note(f"{step}.worked")},
                {"call": "report_done", "with": {"summary": f"{step} is done"}},
                {"run": stage.place(f"{step}.reported")},
                {"run": stage.note(f"{step}.finished")},
            ],
        }

    return {
        "name": "left and right",
        "rules": [
            {
                "when": {"prompt": ["planner", "planner-feedback"]},
                "steps": [{"call": "propose_plan", "with": {"plan": _plan(stage)}}],
            },
            work("left", "task", "left\n"),
            work("left", "gate-rejected", "left, as you wish\n"),
            work("right", "task", "rihgt\n"),
            work("right", "verification-failed", "right\n"),
            work("both", "task", "both\n"),
        ],
    }


def _plan(stage: Stage) -> dict[str, Any]:
    def task(name: str, gate: str, **more: Any) -> dict[str, Any]:
        check = " && ".join(
            [
                stage.note(f"{name}.verify"),
                f"{{ {stage.place(f'{name}.verifying')}; }}",
                f"grep -q {name} {name}.txt",
            ]
        )
        steps = [{"type": "command", "label": f"{name} is right", "command": check}]
        return {
            "id": name,
            "title": TITLES[name],
            "gate": gate,
            "ports": PORTS,
            "verification": steps,
            **more,
        }

    return {
        "goal": GOAL,
        "summary": "Two at once, then both.",
        "tasks": [
            task("left", "ask"),
            task("right", "auto"),
            task("both", "auto", dependsOn=["left", "right"]),
        ],
    }


def make_repository(path: Path, script: dict[str, Any]) -> Path:
    """Make a repository of one commit that holds a scenario."""
    (path / ".treadle").mkdir(parents=True)
    (path / ".treadle" / "scenario.yaml").write_text(yaml.safe_dump(script, sort_keys=False))
    (path / "README.md").write_text("A repository.\n")
    git(path, "init", "--quiet", "--initial-branch", "main")
    git(path, "add", "--all")
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(path, *author, "commit", "--quiet", "--message", "Begin")
    return path


def git(path: Path, *arguments: str) -> str:
    """Run git in a folder and return what it says."""
    done = subprocess.run(["git", *arguments], cwd=path, capture_output=True, text=True, check=True)
    return done.stdout


def is_answered(answer: httpx.Response) -> bool:
    """Tell whether a command was confirmed or refused, and does not wait for a worker."""
    is_pending = answer.headers.get("Location", "").startswith("/v1/commands/")
    return answer.status_code != UNCONFIRMED and not is_pending


class Job:
    """One thread, driven over REST and watched over its event stream."""

    patience_seconds: float = DEADLINE_SECONDS

    def __init__(self, engine: Engine, http: httpx.AsyncClient, folder: Path) -> None:
        self.engine = engine
        self.stage = Stage(engine.outside / folder.name)
        self.repository = make_repository(folder / "app", scenario(self.stage))
        self.events: list[JournaledEvent] = []
        self.thread = ThreadId("")
        self.http = http

    async def open(self) -> None:
        """Open the thread, whose agent takes no turns of its own: they would outlast some tests."""
        chosen = {"goal": GOAL, "agent": "scripted", "is_planned": True}
        body = {"repository": str(self.repository), **chosen, "planner": {"own_turns": 0}}
        self.thread = (await self.post("/v1/threads", body))["thread_id"]

    async def begin(self) -> None:
        """Open the thread and approve its plan."""
        await self.open()
        await self.approve(await self.seen("plan_proposed"))

    async def to_the_gate(self) -> EventBody:
        """Go on until `left` waits at its gate and `right` is merged; returns the gate."""
        await self.seen("task_merged")
        return await self.seen("gate_opened", "left")

    async def finish(self) -> None:
        """Approve the gate and go on to the end."""
        await self.approve(await self.seen("gate_opened", "left"))
        await self.seen("plan_completed")

    async def post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Post to the API; what is not confirmed is sent again under its id, as clients do."""
        sent = {"command_id": uuid4().hex, **(body or {})} if path.startswith(COMMANDS) else body
        async with asyncio.timeout(DEADLINE_SECONDS):
            while not is_answered(answer := await self.http.post(path, json=sent or {})):
                pass
        assert answer.is_success, answer.text
        return answer.json()

    async def view(self) -> dict[str, Any]:
        """Return the thread as the API shows it."""
        answer = await self.http.get(f"/v1/threads/{self.thread}")
        assert answer.is_success, answer.text
        return answer.json()

    async def approve(self, opened: EventBody) -> None:
        """Approve what a plan_proposed or gate_opened event asks, its warnings read."""
        request = opened.model_dump(mode="json")["request"]
        body = {key: request[key] for key in ("request_id", "content_hash")}
        said = {**body, "choice": "approve", "is_acknowledged": True}
        await self.post(f"/v1/threads/{self.thread}/approvals", said)

    async def seen(
        self, kind: str, under: str = "", *, number: int = 1, task: str | None = None
    ) -> EventBody:
        """Wait for the n-th event of a kind, in the thread's stream or in one under it, of a task."""
        stream = f"{self.thread}/{under}".rstrip("/")
        found = itertools.count(1)
        async with asyncio.timeout(self.patience_seconds), aclosing(self.follow()) as events:
            async for journaled in events:
                event = journaled.event
                if (event.stream, event.body.kind) != (stream, kind):
                    continue
                if task in {None, getattr(event.body, "task_id", None)} and next(found) == number:
                    return event.body
        raise AssertionError("a stream of events has no end")

    async def follow(self) -> AsyncGenerator[JournaledEvent]:
        """Yield all events from the first on: those seen before, then the stream's."""
        for known in list(self.events):
            yield known
        while True:
            try:
                async with aclosing(self._stream()) as events:
                    async for journaled in events:
                        yield journaled
            except httpx.TransportError:
                await asyncio.sleep(0.05)  # the API was killed; nothing tells when it is back

    async def _stream(self) -> AsyncGenerator[JournaledEvent]:
        path = f"/v1/threads/{self.thread}/events/stream"
        headers = {"Last-Event-ID": str(self.events[-1].position if self.events else 0)}
        async with aconnect_sse(self.http, "GET", path, headers=headers) as source:
            async for message in source.aiter_sse():
                if not message.data:
                    continue  # keeps a quiet stream alive
                journaled = JournaledEvent.model_validate_json(message.data)
                self.events.append(journaled)
                yield journaled
