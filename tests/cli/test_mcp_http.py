"""`treadle mcp --http`: where it listens, and who gets an answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from cli.core.errors import CommandError
from cli.mcp import credentials
from cli.mcp.http import BearerGate, application, place_of
from cli.mcp.protocol import McpServer
from tests.cli.conftest import Api
from tests.cli.test_mcp import TOKEN, known

__all__ = ["known"]


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("127.0.0.1:9000", ("127.0.0.1", 9000)),
        ("9000", ("127.0.0.1", 9000)),
        (":9000", ("127.0.0.1", 9000)),
        ("localhost", ("localhost", 8421)),
        ("[::1]:9000", ("::1", 9000)),
    ],
)
def test_it_listens_where_it_is_told(address: str, place: tuple[str, int]) -> None:
    assert place_of(address) == place


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0:1",
        "192.0.2.1",
        "example.org:80",
        "[::]:80",
        "127.0.0.1:x",
        "127.0.0.1:70000",
        "1:2:3",
    ],
)
def test_it_listens_on_no_address_that_others_reach(address: str) -> None:
    with pytest.raises(CommandError):
        place_of(address)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"bearer {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1:1"}, 421),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://evil.example"}, 403),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://127.0.0.1:8421"}, 403),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "null"}, 403),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
    ],
    ids=str,
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
async def test_over_http_only_its_token_at_its_own_name_gets_an_answer(
    known: Api, headers: dict[str, str], status: int, method: str
) -> None:
    made = await asyncio.to_thread(credentials.proposing)
    app = application(McpServer(made, "").server, TOKEN, "127.0.0.1", 8421)
    assert isinstance(app, BearerGate)
    info = {"name": "x", "version": "1"}
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    async with (
        lifespan(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8421"
        ) as http,
    ):
        content = json.dumps(body) if method == "POST" else None
        answer = await http.request(method, "/mcp", content=content, headers=accepts | headers)
    if status == 200 and method != "POST":
        assert answer.status_code in {400, 404, 405}
    else:
        assert answer.status_code == status


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Start an application, and end it, as a server does."""
    received: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    sent_back: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    received.put_nowait({"type": "lifespan.startup"})
    running = asyncio.create_task(app({"type": "lifespan"}, received.get, sent_back.put))
    assert (await sent_back.get())["type"] == "lifespan.startup.complete"
    yield
    received.put_nowait({"type": "lifespan.shutdown"})
    await running
