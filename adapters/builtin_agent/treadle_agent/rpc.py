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
"""The longest message that is read; images come as base64 in one line."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, REQUEST_CANCELLED = -32602, -32603, -32800

Params = dict[str, Any]
Serve = Callable[[Params], Awaitable[Params]]
Hear = Callable[[Params], None]


class RpcError(Exception):
    """An error answer, ours or the other side's."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Peer:
    """The other side. `serves` answer its requests, each in a task; `hears` take its notifications.

    Handlers start in the order of the messages. When the other side closes, all that runs is cancelled.
    """

    def __init__(self) -> None:
        self.serves: Mapping[str, Serve] = {}
        self.hears: Mapping[str, Hear] = {}
        self._reader = asyncio.StreamReader(limit=LINE_BYTES)
        self._writer: asyncio.StreamWriter
        self._running: dict[Any, asyncio.Task[None]] = {}
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._last_id = 0

    async def run(self) -> None:
        """Read until the other side closes."""
        await self._open()
        while line := await self._line():
            try:
                message = json.loads(line)
            except ValueError:
                self._send({"id": None, "error": _error(PARSE_ERROR, "that line is no JSON")})
                continue
            is_whole = b"\\ud" not in line.lower()
            self._take(as_dict(message if is_whole else whole(message)))
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

    async def tell(self, method: str, params: Params) -> None:
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
        try:
            return await self._reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as end:
            return end.partial

    async def _end(self) -> None:
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _take(self, message: Params) -> None:
        number, method = message.get("id"), message.get("method")
        params = as_dict(message.get("params"))
        if method is None:
            self._answered(message)
        elif number is None:
            self._heard(str(method), params)
        else:
            task = asyncio.create_task(self._serve(number, str(method), params), name=str(method))
            self._running[number] = task
            task.add_done_callback(lambda _task: self._running.pop(number, None))

    def _answered(self, message: Params) -> None:
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

    def _heard(self, method: str, params: Params) -> None:
        if method == "$/cancel_request":
            if (task := self._running.get(params.get("requestId"))) is not None:
                task.cancel()
        elif (hear := self.hears.get(method)) is not None:
            hear(params)

    async def _serve(self, number: Any, method: str, params: Params) -> None:
        serve = self.serves.get(method)
        if serve is None:
            self._send({"id": number, "error": _error(METHOD_NOT_FOUND, f"no method {method}")})
            return
        try:
            self._send({"id": number, "result": await serve(params)})
        except RpcError as error:
            self._send({"id": number, "error": _error(error.code, error.message, error.data)})
        except asyncio.CancelledError:
            self._send({"id": number, "error": _error(REQUEST_CANCELLED, "cancelled")})
        except Exception as error:  # noqa: BLE001  (an entry point: the client gets every failure)
            traceback.print_exc()
            words = f"{type(error).__name__}: {error}"
            self._send({"id": number, "error": _error(INTERNAL_ERROR, words[:2000])})

    def _send(self, message: Params) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, default=str)
        self._writer.write(line.encode(errors="replace") + b"\n")


def _error(code: int, message: str, data: Any = None) -> Params:
    error = {"code": code, "message": message}
    return error if data is None else {**error, "data": data}
