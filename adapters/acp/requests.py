"""Serves what the agent asks: each request by a coroutine of its own, beside the agent's updates."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from adapters.acp.frames import Frames
from adapters.acp.violations import Violation, Violations
from domain.core.errors import AgentError, TreadleError

MAX_OPEN = 64
MAX_REQUESTS = 10_000
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603
CANCELLED = -32800
PERMISSION = "session/request_permission"

Serve = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Answers one request; raises `ServedError` for an answer that is an error."""


class ServedError(Exception):
    """A request is answered with an error, in JSON-RPC's words."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Requests:
    """The agent's open requests, at most 64; more are refused, and more than 10,000 a turn a fault.

    A handler runs up to its first wait before anything more is read of the agent, so what it records
    until then keeps its place among the updates.
    """

    def __init__(self, serves: Mapping[str, Serve], frames: Frames, oddities: Violations) -> None:
        self._serves = dict(serves)
        self._frames = frames
        self._oddities = oddities
        self._taken = 0
        self._open: dict[int | str, tuple[str, asyncio.Task[None]]] = {}
        self._running: set[asyncio.Task[None]] = set()

    def serve(self, methods: Mapping[str, Serve]) -> None:
        """Serve more methods from here on."""
        self._serves.update(methods)

    def begin(self) -> None:
        """Count anew; called when a turn begins."""
        self._taken = 0

    async def take(self, number: int | str, method: str, params: dict[str, Any]) -> None:
        """Begin to serve a request; waits only while the agent does not read a refusal.

        Raises:
            AgentError: It asks without end.
        """
        self._taken += 1
        if self._taken > MAX_REQUESTS:
            raise AgentError(f"it asked for more than {MAX_REQUESTS} things in one turn")
        if method not in self._serves:
            self._oddities.count(Violation.NOT_SERVED, method)
            await self._answer(number, ServedError(METHOD_NOT_FOUND, "Method not found"))
        elif number in self._open or len(self._running) >= MAX_OPEN:
            self._oddities.count(Violation.TOO_MANY, method)
            await self._answer(number, ServedError(INVALID_REQUEST, "Too many open requests"))
        else:
            task = asyncio.create_task(self._serve(number, method, params), name=method)
            self._open[number] = (method, task)
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            await asyncio.sleep(0)

    def dismiss_all(self) -> None:
        """Answer all that is open as cancelled, and cancel the handlers. Never waits."""
        for number in [*self._open]:
            self.dismiss(number)

    def dismiss(self, number: Any) -> None:
        """Answer one request as cancelled; one that is not open is fine."""
        method, task = self._open.pop(number, ("", None)) if _is_id(number) else ("", None)
        if task is None:
            return
        task.cancel()
        result: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}
        error = {"code": CANCELLED, "message": "Request cancelled"}
        answer = {"result": result} if method == PERMISSION else {"error": error}
        self._frames.post({"jsonrpc": "2.0", "id": number, **answer})

    async def close(self) -> None:
        """Stop serving, without an answer to what is open."""
        self._open.clear()
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    async def _serve(self, number: int | str, method: str, params: dict[str, Any]) -> None:
        answer: dict[str, Any] | ServedError = ServedError(INTERNAL_ERROR, "Internal error")
        try:
            answer = await self._serves[method](params)
        except ServedError as error:
            answer = error
        except TreadleError as error:
            answer = ServedError(INTERNAL_ERROR, error.message)
        finally:  # after any other failure, too: an agent must not wait for ever
            if self._open.pop(number, None) is not None:
                with suppress(ConnectionError):  # whoever listens to it notices
                    await self._answer(number, answer)

    async def _answer(self, number: int | str, answer: dict[str, Any] | ServedError) -> None:
        is_error = isinstance(answer, ServedError)
        body = {"error": answer.error} if is_error else {"result": answer}
        await self._frames.send({"jsonrpc": "2.0", "id": number, **body})


def _is_id(number: Any) -> bool:
    return isinstance(number, str) or type(number) is int
