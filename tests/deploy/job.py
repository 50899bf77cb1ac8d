"""The demo's job on an engine in containers, seen through over its published port."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.deploy.containers import Container

DEADLINE_SECONDS = 240
START_SECONDS = 120
TOKEN = "/home/treadle/.local/share/treadle/token"  # a path
CHECK = "git clone --quiet --branch {branch} {repository} /tmp/check && cd /tmp/check && python3 -m unittest"


class Job:
    """One thread of the demo; a lost connection is taken up where it was."""

    def __init__(self, port: int, token: str) -> None:
        self.thread = ""
        self.events: list[dict[str, Any]] = []
        self._http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}/v1",
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
            trust_env=False,
            timeout=60,
        )
        self._after = 0
        self._unread: list[dict[str, Any]] = []
        self._automatic: set[str] = set()

    async def __aenter__(self) -> "Job":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def begin(self) -> None:
        """Open the thread and its repository."""
        opened = await self._http.post("/demo", json={})
        assert opened.is_success, opened.text
        self.thread = opened.json()["thread_id"]

    async def seen(self, kind: str, stream: str = "") -> dict[str, Any]:
        """Approve what comes, until an event of a kind is there; returns it."""
        async with asyncio.timeout(DEADLINE_SECONDS):
            while True:
                event = await self._next()
                await self._approve(event)
                if event["body"]["kind"] == kind and stream in event["stream"]:
                    return event["body"]

    async def repository(self) -> str:
        """Return where the repository lies, in the containers."""
        answer = await self._ask("GET", f"/threads/{self.thread}")
        return answer["repository"]

    async def _next(self) -> dict[str, Any]:
        while not self._unread:
            page = await self._ask("GET", f"/threads/{self.thread}/events?after={self._after}")
            self._after = page["after"]
            self._unread += [journaled["event"] for journaled in page["events"]]
            await asyncio.sleep(0 if self._unread else 0.1)
        event = self._unread.pop(0)
        self.events.append(event)
        return event

    async def _approve(self, event: dict[str, Any]) -> None:
        body = event["body"]
        if body["kind"] == "task_opened" and body["is_gate_automatic"]:
            self._automatic.add(event["stream"])
        is_gate = body["kind"] == "gate_opened" and event["stream"] not in self._automatic
        if is_gate or body["kind"] == "plan_proposed":
            decision = {name: body["request"][name] for name in ("request_id", "content_hash")}
            choice = {"choice": "approve", "is_acknowledged": True}
            path = f"/threads/{self.thread}/approvals"
            await self._ask("POST", path, json=decision | choice)

    async def _ask(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        """Ask until it answers: it may be started again meanwhile."""
        while True:
            try:
                answer = await self._http.request(method, path, **more)
            except httpx.TransportError:
                await asyncio.sleep(0.2)
                continue
            if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
                await asyncio.sleep(0.2)
                continue
            assert answer.is_success, answer.text
            return answer.json() if answer.content else {}


async def answers(port: int, log: Callable[[], str]) -> None:
    """Wait until an API answers on its published port, and a worker has set Temporal up."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        deadline = time.monotonic() + START_SECONDS
        while not await is_well(http):
            assert time.monotonic() < deadline, log()[-4000:]
            await asyncio.sleep(0.2)


async def is_well(http: httpx.AsyncClient) -> bool:
    try:
        health = await http.get("/v1/health")
        return health.is_success and health.json()["worker"] == "up"
    except httpx.TransportError:
        return False


async def see_through(job: Job, inside: Container, crash: Callable[[], Awaitable[None]]) -> None:
    """Run the demo's job with a crash in a task's turn, and check what it merged."""
    await job.begin()
    await job.seen("agent_update", "/")
    await crash()
    completed = await job.seen("plan_completed")
    shown = json.loads(inside.run("treadle", "show", job.thread, "--json"))
    check = CHECK.format(branch=shown["branch"], repository=await job.repository())
    tested = inside.run("sh", "-c", check)

    assert completed["final_status"] == "completed"
    assert tested.rstrip().endswith("OK")
    levels = {e["body"]["level"] for e in job.events if e["body"]["kind"] == "sandbox_applied"}
    assert levels <= {"workspace-write", "read-only"}
    assert levels
