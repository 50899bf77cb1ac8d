"""An API that answers a client's requests as a test says, in the place of its network."""

import json
from collections.abc import Callable
from typing import Any

import httpx

from treadle_client import AsyncTreadle, Treadle
from treadle_client.addresses import Address
from treadle_client.async_sending import AsyncSender
from treadle_client.sending import Sender

ADDRESS = Address("https://treadle.example", "secret")
Handler = Callable[[httpx.Request], httpx.Response]


def client_of(handler: Handler, patience: float = 60) -> Treadle:
    """Return a client whose requests a handler answers."""
    client = Treadle(ADDRESS)

    def begin() -> httpx.Client:
        return httpx.Client(base_url=ADDRESS.url, transport=httpx.MockTransport(handler))

    _put(client, Sender(ADDRESS, begin, patience))
    return client


def async_client_of(handler: Handler, patience: float = 60) -> AsyncTreadle:
    """Return the same for tests that await."""
    client = AsyncTreadle(ADDRESS)

    def begin() -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=ADDRESS.url, transport=httpx.MockTransport(handler))

    _put(client, AsyncSender(ADDRESS, begin, patience))
    return client


def _put(client: Any, sender: Any) -> None:
    type(client).__mro__[1].__init__(client, sender)


def problem(status: int, name: str, **more: object) -> httpx.Response:
    """Return a refusal."""
    content = json.dumps(
        {"type": f"treadle:{name}", "title": name, "status": status, "detail": "no", **more}
    )
    return httpx.Response(
        status, content=content, headers={"Content-Type": "application/problem+json"}
    )
