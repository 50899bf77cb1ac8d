"""The person of one thread: decides what is asked over REST, and sends again what got no answer."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from httpx_sse import SSEError, aconnect_sse

from domain.conversations.events import TurnStarted
from domain.core.approvals import ApprovalRequest
from domain.core.event import Event, JournaledEvent
from domain.core.ids import ThreadId
from domain.tasks import events as task_events
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.running import decision_events
from tests.chaos.jobs import Job, Log, scenario
from tests.e2e.job import git, make_repository

AGAIN_SECONDS = 0.2
BUSY = frozenset({429, 503})
"""Answers after which a client sends the same again."""


@dataclass
class Sent:
    """One command: when it was first sent, and the last answer; 0 is none."""

    kind: str
    target: str
    at: datetime
    content_hash: str = ""
    status: int = 0
    answer: str = ""


class Person:
    """Sees one thread through, over connections and answers that get lost."""

    def __init__(self, http: httpx.AsyncClient, job: Job, folder: Path, chance: random.Random):
        folder.mkdir()
        notes = folder.parent / "outside" / folder.name  # the sandbox lets commands write there
        notes.mkdir(parents=True)
        self.job = job
        self.log = Log(notes)
        self.repository = make_repository(folder / "repository", scenario(job, self.log))
        self.own = own_of(self.repository)
        self.named = str(self.repository)
        self.events: list[JournaledEvent] = []
        self.sent: list[Sent] = []
        self.thread = ThreadId("")
        self.is_done = False
        self._http = http
        self._chance = chance
        self._seen: set[str] = set()

    async def see_through(self) -> None:
        """Open the thread and answer whatever it asks, to the end of its plan."""
        body = {"repository": self.named, "goal": f"Do {self.job.name}", "is_planned": True}
        opened = await self._send(
            "open", self.job.name, "/v1/threads", body | {"agent": "scripted"}
        )
        self.thread = ThreadId(opened["thread_id"])
        async with asyncio.TaskGroup() as answers, aclosing(self._follow()) as events:
            async for journaled in events:
                answers.create_task(self._react(journaled.event))
                if isinstance(journaled.event.body, thread_events.PlanCompleted):
                    break
        self.is_done = True

    async def _react(self, event: Event) -> None:
        path = f"/v1/threads/{self.thread}"
        match event.body:
            case thread_events.PlanProposed(request=request):
                await self._decide(request, "approve")
            case task_events.GateOpened(request=request):
                await self._at_gate(request)
            case decision_events.DecisionAsked(decision_id=decision):
                await self._think()
                selections = {"selections": ["blue"]}
                await self._send("decide", decision, f"{path}/decisions/{decision}", selections)
            case thread_events.PlanningFailed():
                await self._send("plan", event.id, f"{path}/plans", {})
            case TurnStarted(session_id=session) if session != event.stream:
                await self._abort_once(event.stream.rpartition("/")[2])
            case thread_events.TaskUpdated(task_id=task, new_status=status):
                if status in {TaskStatus.FAILED, TaskStatus.CANCELLED}:
                    await self._send("retry", task, f"{path}/tasks/{task}/retry", {})
            case _:
                pass

    async def _at_gate(self, request: ApprovalRequest) -> None:
        work = self.job.work(request.request_id.partition("/")[0])
        if work.gate == "auto":
            return  # opens and closes by policy
        is_first = request.request_id.endswith("-1")
        await self._decide(request, "reject" if work.is_rejected and is_first else "approve")

    async def _decide(self, request: ApprovalRequest, choice: str) -> None:
        await self._think()
        body = {"request_id": request.request_id, "content_hash": request.content_hash}
        body |= {"choice": choice, "is_acknowledged": choice == "approve"}
        if choice == "reject":
            body |= {"feedback": "as I wish"}
        await self._send(choice, request.request_id, f"/v1/threads/{self.thread}/approvals", body)

    async def _abort_once(self, task: str) -> None:
        if not self.job.work(task).is_aborted or task in self._seen:
            return
        self._seen.add(task)
        await self._think()
        await self._send("abort", task, f"/v1/threads/{self.thread}/tasks/{task}/abort", {})
        self.log.aborted.touch()

    async def _think(self) -> None:
        await asyncio.sleep(self._chance.uniform(0, 1))  # a person's pause

    async def _send(self, kind: str, target: str, path: str, body: dict[str, Any]) -> Any:
        """Send a command until it is answered, always with the same id."""
        command = {**body, "command_id": f"{kind}-{self._chance.getrandbits(64):x}"}
        sent = Sent(kind, target, datetime.now(UTC), body.get("content_hash", ""))
        self.sent.append(sent)
        while True:
            try:
                answer = await self.client(kind).post(path, json=command)
            except httpx.TransportError:
                await asyncio.sleep(AGAIN_SECONDS)  # nothing tells when the API is back
                continue
            sent.status, sent.answer = answer.status_code, answer.text[:500]
            if answer.status_code not in BUSY:
                return answer.json()
            await asyncio.sleep(AGAIN_SECONDS)

    def client(self, kind: str) -> httpx.AsyncClient:
        """Return who sends a command of a kind."""
        del kind
        return self._http

    async def _follow(self) -> AsyncGenerator[JournaledEvent]:
        """Yield the thread's events as its stream tells them, taken up wherever it broke."""
        while True:
            try:
                async with aclosing(self._stream()) as events:
                    async for journaled in events:
                        self.events.append(journaled)
                        yield journaled
            except (httpx.TransportError, SSEError):
                pass
            await asyncio.sleep(AGAIN_SECONDS)

    async def _stream(self) -> AsyncGenerator[JournaledEvent]:
        path = f"/v1/threads/{self.thread}/events/stream"
        headers = {"Last-Event-ID": str(self.events[-1].position if self.events else 0)}
        async with aconnect_sse(self._http, "GET", path, headers=headers) as source:
            async for message in source.aiter_sse():
                if message.data:
                    yield JournaledEvent.model_validate_json(message.data)


def own_of(path: Path) -> dict[str, str]:
    """Return what of a repository is its user's and must stay as it is."""
    refs = git(path, "for-each-ref", "--format=%(refname) %(objectname)")
    return {
        "head": (path / ".git" / "HEAD").read_text(),
        "index": git(path, "ls-files", "--stage"),
        "config": (path / ".git" / "config").read_text(),
        "status": git(path, "status", "--porcelain"),
        "refs": "\n".join(
            r for r in refs.splitlines() if not re.match(r"refs/(heads/)?treadle/", r)
        ),
    }
