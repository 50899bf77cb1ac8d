"""JSON-RPC 2.0 on lines of standard input and output, both ways."""

import asyncio
import json
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from treadle_agent.tolerant import as_dict, whole

LINE_BYTES = 64 << 20
"""The longest message that is read, longer ones are refused; images come as base64 in one line."""

TOO_LONG = b"too long"

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, REQUEST_CANCELLED = -32602, -32603, -32800

Params = dict[str, Any]
RequestHandler = Callable[[Params], Awaitable[Params]]
NotificationHandler = Callable[[Params], None]


class RpcError(Exception):
    """An error answer, ours or the other side's."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Peer:
    """The other side: its requests run in a task each, beside its notifications.

    Handlers start in the order of the messages. When the other side closes, all that runs is cancelled.
    """

    def __init__(self) -> None:
        self.request_handlers: Mapping[str, RequestHandler] = {}
        self.notification_handlers: Mapping[str, NotificationHandler] = {}
        self._reader = asyncio.StreamReader(limit=LINE_BYTES)
        self._writer: asyncio.StreamWriter
        self._running: dict[Any, asyncio.Task[None]] = {}
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._last_id = 0

    async def run(self) -> None:
        """Read until the other side closes."""
        await self._open()
        while line := await self._line():
            if line == TOO_LONG:
                self._refuse(INVALID_REQUEST, f"a message has more than {LINE_BYTES} bytes")
                continue
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self._refuse(PARSE_ERROR, "that line is no JSON")
                continue
            is_whole = b"\\ud" not in line.lower()
            self._dispatch(message if is_whole else whole(message))
        await self._end()

    async def request(self, method: str, params: Params) -> Params:
        """Ask the other side.

        Raises:
            RpcError: It answered with an error.
        """
        self._last_id += 1
        number, answer = self._last_id, asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._send({"id": number, "method": method, "params": params})
        try:
            return as_dict(await answer)
        except asyncio.CancelledError:
            self._send({"method": "$/cancel_request", "params": {"requestId": number}})
            raise
        finally:
            del self._waiting[number]

    async def notify(self, method: str, params: Params) -> None:
        """Send a notification; waits while the other side does not read."""
        self._send({"method": method, "params": params})
        await self._writer.drain()

    async def _open(self) -> None:
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(self._reader)
        await loop.connect_read_pipe(lambda: protocol, sys.stdin)
        out = os.dup(1)
        os.dup2(2, 1)  # what a library prints must not break the protocol
        transport, flow = await loop.connect_write_pipe(
            asyncio.streams.FlowControlMixin, os.fdopen(out, "wb", 0)
        )
        self._writer = asyncio.StreamWriter(transport, flow, None, loop)

    async def _line(self) -> bytes:
        is_too_long = False
        while True:
            try:
                line = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as overrun:
                await self._reader.readexactly(overrun.consumed)
                is_too_long = True
            except asyncio.IncompleteReadError as end:
                return end.partial
            else:
                return TOO_LONG if is_too_long else line

    async def _end(self) -> None:
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _dispatch(self, message: Any) -> None:
        fields = as_dict(message)
        number, method = fields.get("id"), fields.get("method")
        if not isinstance(message, dict) or not isinstance(number, str | int | float | None):
            self._refuse(INVALID_REQUEST, "a message is an object whose id is a text or a number")
            return
        params = as_dict(fields.get("params"))
        if method is None:
            self._settle(fields)
        elif number is None:
            # after the first step of requests before it: a cancel finds the prompt that it is for
            asyncio.get_running_loop().call_soon(self._notified, str(method), params)
        else:
            task = asyncio.create_task(self._serve(number, str(method), params), name=str(method))
            self._running[number] = task
            task.add_done_callback(lambda _task: self._running.pop(number, None))

    def _settle(self, message: Params) -> None:
        answer = self._waiting.get(message.get("id", 0))
        if answer is None or answer.done():
            return
        if message.get("error") is not None:
            error = as_dict(message["error"])
            answer.set_exception(
                RpcError(error.get("code", 0), str(error.get("message")), error.get("data"))
            )
        else:
            answer.set_result(message.get("result"))

    def _notified(self, method: str, params: Params) -> None:
        if method == "$/cancel_request":
            if (task := self._running.get(params.get("requestId"))) is not None:
                task.cancel()
        elif (handler := self.notification_handlers.get(method)) is not None:
            handler(params)

    async def _serve(self, number: Any, method: str, params: Params) -> None:
        handler = self.request_handlers.get(method)
        if handler is None:
            self._send({"id": number, "error": _error(METHOD_NOT_FOUND, f"no method {method}")})
            return
        try:
            self._send({"id": number, "result": await handler(params)})
        except RpcError as error:
            self._send({"id": number, "error": _error(error.code, error.message, error.data)})
        except asyncio.CancelledError:
            self._send({"id": number, "error": _error(REQUEST_CANCELLED, "cancelled")})
        except Exception as error:  # noqa: BLE001  (an entry point: the client gets every failure)
            traceback.print_exc()
            words = f"{type(error).__name__}: {error}"
            self._send({"id": number, "error": _error(INTERNAL_ERROR, words[:2000])})

    def _refuse(self, code: int, message: str) -> None:
        self._send({"id": None, "error": _error(code, message)})

    def _send(self, message: Params) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, default=str)
        self._writer.write(line.encode(errors="replace") + b"\n")


def _error(code: int, message: str, data: Any = None) -> Params:
    error = {"code": code, "message": message}
    return error if data is None else {**error, "data": data}
