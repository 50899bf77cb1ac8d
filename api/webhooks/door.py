"""The application behind the webhooks' listener: `POST /hooks/NAME` and `GET /health`, and nothing else.

Pure ASGI, so that a body is read within its limits, and its signature checked, before anything is parsed.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from api.core.incoming import check_size, read_body, refuse
from api.core.problems import RefusedError, response
from api.core.rates import network, too_many
from api.core.reach import Reach
from api.webhooks.counts import Counts
from api.webhooks.signatures import NotProvenError, Proven, prove
from domain.core.errors import JournalError
from domain.forges.received import Delivery, Refusal
from settings.serve import Networks
from settings.webhooks import WebhookSender, WebhooksTable

PREFIX = "/hooks/"
HEALTH = "/health"
READ_SECONDS = 10.0
_GUESS_LIMIT = RateLimitItemPerMinute(60)
"""Unproven deliveries of one address in a minute; then it is refused before its body is read."""

_GUESSES = frozenset({Refusal.UNKNOWN_SENDER, Refusal.BAD_SIGNATURE, Refusal.TOO_SLOW})

Secrets = Callable[[WebhookSender], Sequence[str]]
Take = Callable[[WebhookSender, Proven, bytes], Awaitable[Delivery]]

_REASONS: Mapping[str, Refusal] = {
    "body_too_large": Refusal.TOO_LARGE,
    "body_too_slow": Refusal.TOO_SLOW,
    "body_cut_off": Refusal.TOO_SLOW,
    "too_many_deliveries": Refusal.TOO_MANY,
    "unknown_sender": Refusal.UNKNOWN_SENDER,
    "not_taken": Refusal.NOT_STARTED,
}
_NOT_PROVEN: Mapping[Refusal, tuple[int, str, str]] = {
    Refusal.BAD_SIGNATURE: (401, "bad_signature", "the delivery is not signed by this sender"),
    Refusal.OUT_OF_TIME: (401, "out_of_time", "the signed time is more than five minutes off"),
    Refusal.NO_DELIVERY_ID: (400, "no_delivery_id", "send the delivery's id in its header"),
}


class Door:
    """Lets deliveries in; each is counted by its sender and by what came of it."""

    def __init__(
        self,
        table: WebhooksTable,
        secrets: Secrets,
        take: Take,
        counts: Counts,
        proxies: Networks,
    ) -> None:
        self._table = table
        nowhere: frozenset[str] = frozenset()
        self._reach = Reach(url="", hosts=nowhere, origins=nowhere, proxies=proxies)
        self._senders = {sender.name: sender for sender in table.senders}
        self._secrets = secrets
        self._take = take
        self._counts = counts
        self._windows = MovingWindowRateLimiter(MemoryStorage())
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; whatever it says, nothing of its headers or its body is in the answer."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        is_read = False

        async def reading() -> Message:
            nonlocal is_read
            message = await receive()
            is_read = not message.get("more_body", False)
            return message

        try:
            answer = await self._answer(scope, reading)
        except RefusedError as error:
            answer = response(error.problem, error.headers)
            if not is_read:
                await refuse(answer, receive, send)
                return
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        check_size(scope)
        path, method = scope["path"], scope["method"]
        if path == HEALTH:
            _require(method, ("GET", "HEAD"))
            return JSONResponse({"status": "ok"})
        if not path.startswith(PREFIX):
            raise RefusedError(404, "not_found", "webhooks are at /hooks/NAME")
        _require(method, ("POST",))
        sender = self._senders.get(path.removeprefix(PREFIX))
        name = sender.name if sender else ""
        address = self._address(scope)
        try:
            return await self._counted(sender, address, scope, receive)
        except RefusedError as error:
            kind = error.problem.type.removeprefix("treadle:")
            await self._refused(name, _REASONS.get(kind, Refusal.BAD_BODY), address)
            raise
        except NotProvenError as error:
            await self._refused(name, error.reason, address)
            raise RefusedError(*_NOT_PROVEN[error.reason]) from None

    async def _counted(
        self, sender: WebhookSender | None, address: str, scope: Scope, receive: Receive
    ) -> Response:
        if self._under_way >= self._table.at_once:
            raise _busy(f"{self._table.at_once} deliveries at the same time", 1)
        if not await self._windows.test(_GUESS_LIMIT, "guess", address):
            raise _busy(f"{_GUESS_LIMIT.amount} refused deliveries a minute", 60)
        if sender is None:
            raise RefusedError(404, "unknown_sender", "there is no such webhook")
        self._under_way += 1
        try:
            return await self._delivered(sender, scope, receive)
        finally:
            self._under_way -= 1

    async def _delivered(self, sender: WebhookSender, scope: Scope, receive: Receive) -> Response:
        body = await read_body(scope, receive, self._table.max_bytes, READ_SECONDS)
        headers = _headers(scope)
        proven = prove(sender.kind, self._secrets(sender), headers, body)
        limit = RateLimitItemPerMinute(self._table.per_minute)
        if not await self._windows.hit(limit, "sender", sender.name):
            raise _busy(f"{limit.amount} deliveries a minute", 60)
        if "json" not in headers.get("content-type", ""):
            raise RefusedError(
                415, "not_json", "send the payload as JSON: choose application/json at the sender"
            )
        try:
            taken = await self._take(sender, proven, body)
        except JournalError as error:
            raise not_taken_now() from error
        self._counts.add(sender.name, taken.outcome)
        return JSONResponse({"outcome": taken.outcome.value}, HTTPStatus.ACCEPTED)

    def _address(self, scope: Scope) -> str:
        """Return whom a request is counted for: behind a proxy, whom that names."""
        try:
            return network(self._reach.address_of(scope))
        except RefusedError:  # it came directly, and not from a proxy
            return network(str(scope["client"][0]))

    async def _refused(self, name: str, reason: Refusal, address: str) -> None:
        self._counts.add(name, reason)
        if reason in _GUESSES:
            await self._windows.hit(_GUESS_LIMIT, "guess", address)


def _busy(allowed: str, seconds: int) -> RefusedError:
    return too_many("too_many_deliveries", allowed, seconds)


def not_taken_now() -> RefusedError:
    """Return the answer to a delivery that can be taken later."""
    words = "this cannot be done now: send it again later"
    return RefusedError(503, "not_taken", words, headers={"Retry-After": "30"})


def _require(method: str, allowed: Sequence[str]) -> None:
    if method not in allowed:
        words = f"use {' or '.join(allowed)}"
        raise RefusedError(405, "method_not_allowed", words, headers={"Allow": ", ".join(allowed)})


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by name; one that came twice is none, as each might be read by another."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        twice |= {key} & found.keys()
        found[key] = value.decode("latin-1")
    return {key: value for key, value in found.items() if key not in twice}
