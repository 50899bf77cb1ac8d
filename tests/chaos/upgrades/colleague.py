"""People at an upgrade: each sends commands by the command line's own client, as to a team's server."""

import asyncio
import random
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from address import Server
from cli.core.client import Client
from cli.core.errors import CommandError, RefusedError
from settings import Settings
from tests.chaos.jobs import Job
from tests.chaos.person import Person, Sent
from tests.e2e.job import make_repository

PATIENCE_SECONDS = 150
UNREACHABLE = 599
"""Stands for a command that got no answer in the time that the command line waits."""


class Terminal:
    """Where somebody types commands: counts them, and what each got."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.sent: list[Sent] = []
        self.seconds: list[float] = []

    @cached_property
    def _client(self) -> Client:
        token = self._settings.token_file.read_text().strip()
        return Client(self._settings, Server(self._settings.api_url, token))

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    async def post(self, sent: Sent, path: str, body: dict[str, Any]) -> Any:
        """Send a command once, as the command line does; None where it failed."""
        self.sent.append(sent)
        began = asyncio.get_running_loop().time()
        answer = await asyncio.to_thread(self._post, sent, path, body)
        self.seconds.append(asyncio.get_running_loop().time() - began)
        return answer

    def _post(self, sent: Sent, path: str, body: dict[str, Any]) -> Any:
        try:
            answer = self._client.post(path, body)
        except RefusedError as error:
            sent.status, sent.answer = int(error.problem.get("status", 500)), str(error)
        except CommandError as error:
            sent.status, sent.answer = UNREACHABLE, str(error)
        else:
            sent.status = 200
            return answer
        return None


class Colleague(Person):
    """Sees a thread through at a terminal; a refused command is not sent again."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        job: Job,
        folder: Path,
        chance: random.Random,
        terminal: Terminal,
    ) -> None:
        super().__init__(http, job, folder, chance)
        self._terminal = terminal

    async def _send(self, kind: str, target: str, path: str, body: dict[str, Any]) -> Any:
        sent = Sent(kind, target, datetime.now(UTC), body.get("content_hash", ""))
        self.sent.append(sent)
        answer = await self._terminal.post(sent, path, body)
        if answer is None and kind == "open":
            raise AssertionError(f"{kind}: {sent.status} {sent.answer}")
        return answer


class Chatter:
    """Sends one message after the other to a chat, until told to stop."""

    def __init__(self, http: httpx.AsyncClient, folder: Path, terminal: Terminal) -> None:
        rules = [{"when": {"prompt": "message"}, "steps": [{"say": "Noted."}]}]
        self.repository = make_repository(folder / "chat", {"name": "chat", "rules": rules})
        self.thread = ""
        self.texts: list[str] = []
        self._http = http
        self._terminal = terminal

    async def talk(self, until: asyncio.Event) -> None:
        """Open the chat, send until the event, then wait until the agent got all."""
        body = {"repository": str(self.repository), "goal": "chat", "agent": "scripted"}
        opened = await self._say("open", "/v1/threads", body | {"is_planned": False})
        self.thread = opened["thread_id"]
        while not until.is_set():
            text = f"note {uuid4().hex}"
            self.texts.append(text)
            path = f"/v1/threads/{self.thread}/messages"
            await self._say("message", path, {"text": text, "session_id": self.session})
            await asyncio.sleep(0.3)  # a person types
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self._waiting():  # noqa: ASYNC110  (nothing tells of the last one)
                await asyncio.sleep(0.3)

    @property
    def session(self) -> str:
        """The chat's session."""
        return f"{self.thread}/session-1"

    async def _say(self, kind: str, path: str, body: dict[str, Any]) -> Any:
        sent = Sent(kind, self.thread, datetime.now(UTC))
        answer = await self._terminal.post(sent, path, body)
        assert answer is not None, f"{kind}: {sent.status} {sent.answer}"
        return answer

    async def _waiting(self) -> bool:
        try:
            answer = await self._http.get(f"/v1/threads/{self.thread}/messages")
        except httpx.TransportError:
            return True
        return not answer.is_success or bool(answer.json())


class Amender:
    """Proposes and approves one amendment after the other of a running plan, until told to stop."""

    def __init__(self, http: httpx.AsyncClient, folder: Path, terminal: Terminal) -> None:
        task = {"id": "held", "title": "Wait", "gate": "ask", "verification": [_check()]}
        plan = {"goal": "grow", "summary": "grows", "tasks": [task]}
        done = [{"run": "true"}, {"call": "report_done", "with": {"summary": "done"}}]
        rules = [
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            {"when": {"prompt": "task"}, "steps": [{"write": "held.txt", "text": "held\n"}, *done]},
        ]
        self.repository = make_repository(folder / "grow", {"name": "grow", "rules": rules})
        self.thread = ""
        self.made = 0
        self._after = 0
        self._bodies: list[dict[str, Any]] = []
        self._http = http
        self._terminal = terminal

    async def amend(self, until: asyncio.Event) -> None:
        """Open the thread, amend it until the event, then take it to its end."""
        body = {"repository": str(self.repository), "goal": "grow", "agent": "scripted"}
        opened = await self._say("open", "", "/v1/threads", body | {"is_planned": True})
        self.thread = opened["thread_id"]
        await self._approve("plan_proposed", 1)
        while not until.is_set():
            self.made += 1
            task = {"id": f"more-{self.made}", "title": "More", "depends_on": ["held"]}
            task |= {"gate": "auto", "verification": [_check()]}
            amendment = {"why": "more", "base_version": self.made}
            amendment |= {"changes": [{"change": "add", "task": task}]}
            path = f"/v1/threads/{self.thread}/amendments"
            await self._say("amend", task["id"], path, {"amendment": amendment})
            await self._approve("amendment_proposed", self.made)
            await self._event("plan_amended", self.made)
            await asyncio.sleep(1)  # a person thinks
        await self._event("plan_amended", self.made)
        await self._approve("gate_opened", 1)
        await self._event("plan_completed", 1)

    async def _approve(self, kind: str, number: int) -> None:
        request = (await self._event(kind, number))["request"]
        body = {name: request[name] for name in ("request_id", "content_hash")}
        body |= {"choice": "approve", "is_acknowledged": True}
        path = f"/v1/threads/{self.thread}/approvals"
        await self._say("approve", request["request_id"], path, body)

    async def _say(self, kind: str, target: str, path: str, body: dict[str, Any]) -> Any:
        sent = Sent(kind, target, datetime.now(UTC))
        answer = await self._terminal.post(sent, path, body)
        assert answer is not None, f"{kind} {target}: {sent.status} {sent.answer}"
        return answer

    async def _event(self, kind: str, number: int) -> dict[str, Any]:
        """Wait for the n-th event of a kind."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(found := [body for body in self._bodies if body["kind"] == kind]) < number:
                await asyncio.sleep(0.2)  # somebody looks now and then
                await self._read()
        return found[number - 1]

    async def _read(self) -> None:
        path, wanted = f"/v1/threads/{self.thread}/events", {"after": self._after, "limit": 1000}
        try:
            answer = await self._http.get(path, params=wanted)
        except httpx.TransportError:
            return
        for row in answer.json()["events"] if answer.is_success else []:
            self._after = row["position"]
            self._bodies.append(row["event"]["body"])


def _check() -> dict[str, Any]:
    return {"type": "command", "label": "there", "command": "test -e held.txt"}
