"""What the agent asks is served beside what it says, over a real socket."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from adapters.acp.requests import MAX_OPEN, ServedError
from adapters.acp.violations import Violation, Violations
from adapters.acp.wire import Client, Wire
from domain.core.errors import InvalidError

PERMISSION = "session/request_permission"
CANCELLED = {"outcome": {"outcome": "cancelled"}}


class Agent:
    """The far side: says lines, and reads the answers."""

    def __init__(self, reader, writer):
        self._reader = reader
        self.writer = writer

    def say(self, method, number=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.writer.write(
            json.dumps(message | ({} if number is None else {"id": number})).encode() + b"\n"
        )

    async def hear(self):
        return json.loads(await asyncio.wait_for(self._reader.readline(), 60))


class Session:
    """The near side: keeps what it is handed, and answers permissions when it is told to."""

    def __init__(self):
        self.seen = []
        self.changed = asyncio.Condition()
        self.decided = asyncio.Event()

    async def permit(self, params):
        self._see(("asked", params.get("n")))
        await self.decided.wait()
        return {"outcome": {"outcome": "selected", "optionId": "once"}} if params else None

    def update(self, params):
        self._see(("update", params.get("n")))

    async def room(self):
        async with self.changed:
            self.changed.notify_all()

    async def until(self, count):
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(lambda: len(self.seen) >= count), 60)

    def _see(self, what):
        self.seen.append(what)


async def fails(params):
    if "data" in params:
        raise ServedError(-32002, "Resource not found", {"uri": params["data"]})
    if "bug" in params:
        raise LookupError("nobody thought of this")
    raise InvalidError("no such thing: look again")


@asynccontextmanager
async def connected():
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    agent = Agent(*await asyncio.open_connection(sock=far))
    session, oddities = Session(), Violations()
    child = SimpleNamespace(stdin=writer, stdout=reader)
    wire = Wire(child, Client(session.update, session.permit, session.room), oddities)
    wire.serve({"test/fail": fails})
    wire.allow(1 << 20)
    try:
        yield SimpleNamespace(wire=wire, agent=agent, session=session, oddities=oddities)
    finally:
        agent.writer.close()
        await agent.writer.wait_closed()
        await wire.close()
        await writer.wait_closed()


async def test_updates_and_answers_pass_an_open_question_in_order():
    async with connected() as line:
        prompt = asyncio.create_task(line.wire.request("session/prompt", {}))
        number = (await line.agent.hear())["id"]
        line.agent.say("session/update", n=1)
        line.agent.say(PERMISSION, "q", n=2)
        line.agent.say("session/update", n=3)
        line.agent.writer.write(b'{"id": %d, "result": {"stopReason": "cancelled"}}\n' % number)

        assert await prompt == {"stopReason": "cancelled"}
        assert line.session.seen == [("update", 1), ("asked", 2), ("update", 3)]

        line.session.decided.set()
        answer = await line.agent.hear()
        assert (answer["id"], answer["result"]["outcome"]["optionId"]) == ("q", "once")


async def test_all_open_requests_are_answered_once_when_a_turn_ends():
    async with connected() as line:
        for number in range(3):
            line.agent.say(PERMISSION, number, n=number)
        await line.session.until(3)

        line.wire.tell("session/cancel", {})
        line.wire.dismiss_requests()
        line.session.decided.set()
        line.wire.tell("end", {})

        heard = [await line.agent.hear() for _ in range(5)]
        assert [h.get("method") for h in heard] == ["session/cancel", None, None, None, "end"]
        assert {h["id"]: h["result"] for h in heard[1:4]} == dict.fromkeys(range(3), CANCELLED)


async def test_an_agent_takes_a_request_back():
    async with connected() as line:
        line.agent.say(PERMISSION, 7, n=1)
        line.agent.say(PERMISSION, 8, n=2)
        for odd in (None, [7], True, 99, 7):
            line.agent.say("$/cancel_request", requestId=odd)

        assert await line.agent.hear() == {"jsonrpc": "2.0", "id": 7, "result": CANCELLED}
        line.session.decided.set()
        assert (await line.agent.hear())["id"] == 8


async def test_of_many_open_requests_those_beyond_the_limit_are_refused():
    async with connected() as line:
        for number in range(MAX_OPEN + 2):
            line.agent.say(PERMISSION, number, n=number)

        for number in (MAX_OPEN, MAX_OPEN + 1):
            answer = await line.agent.hear()
            assert (answer["id"], answer["error"]["code"]) == (number, -32600)
        line.session.decided.set()
        assert {(await line.agent.hear())["id"] for _ in range(MAX_OPEN)} == set(range(MAX_OPEN))
        assert line.oddities.count_of(Violation.TOO_MANY) == 2


async def test_a_request_with_the_number_of_an_open_one_is_refused():
    async with connected() as line:
        line.agent.say(PERMISSION, 1, n=1)
        line.agent.say(PERMISSION, 1, n=2)
        assert "error" in await line.agent.hear()
        assert line.session.seen == [("asked", 1)]


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        (PERMISSION, {}, {"code": -32602, "message": "Invalid params"}),
        ("test/fail", {}, {"code": -32603, "message": "no such thing: look again"}),
        ("test/fail", {"bug": 1}, {"code": -32603, "message": "Internal error"}),
        (
            "test/fail",
            {"data": "x"},
            {"code": -32002, "message": "Resource not found", "data": {"uri": "x"}},
        ),
        ("fs/read_text_file", {}, {"code": -32601, "message": "Method not found"}),
    ],
)
async def test_a_request_that_fails_is_answered_with_an_error(method, params, error):
    async with connected() as line:
        line.session.decided.set()
        line.agent.say(method, 1, **params)
        assert (await line.agent.hear())["error"] == error
