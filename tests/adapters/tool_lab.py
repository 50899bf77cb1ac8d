"""A door that remembers, and clients and grants for the tool server."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from adapters.tools.grants import Grant
from domain.agents.agents import SessionRole
from domain.core.command import Answer
from domain.core.ids import SessionId, StreamId, ThreadId, TurnId

THREAD = ThreadId("thread-x")
TASK = StreamId("thread-x/task-1")


class Door:
    """Remembers commands; answers each id once, as Temporal's updates do."""

    def __init__(self):
        self.sent = []
        self.answers = {}
        self.error = None
        self.is_open = asyncio.Event()
        self.is_open.set()

    async def send(self, workflow_id, command):
        await self.is_open.wait()
        if self.error:
            raise self.error
        if command.command_id not in self.answers:
            self.sent.append((workflow_id, command))
            self.answers[command.command_id] = Answer(message=f"answer {len(self.sent)}")
        return self.answers[command.command_id]


@asynccontextmanager
async def calling(server, token, url=""):
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, verify=False, timeout=60) as http,
        Client(streamable_http_client(url or server.url, http_client=http)) as client,
    ):
        yield client


def task_grant(server, turn="turn-1"):
    session_id = SessionId("thread-x/task-1/session-1")
    return server.admit(Grant(session_id, TASK, THREAD, SessionRole.TASK, turn_id=TurnId(turn)))


def planner_grant(server):
    session_id = SessionId("thread-x/session-1")
    turn = TurnId("turn-1")
    return server.admit(Grant(session_id, THREAD, THREAD, SessionRole.PLANNER, turn_id=turn))


def text(result):
    return result.content[0].text
