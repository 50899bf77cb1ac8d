"""The ACP connection to one agent: JSON-RPC on its frames, tolerant, on dicts.

Not the SDK's connection: it starts a task for every message, queues answers without bound for an
agent that does not read, and handles half of a broken message with a traceback in the log.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from adapters.acp.frames import PRIVATE, Frames
from adapters.acp.limits import clipped
from adapters.acp.requests import INVALID_PARAMS, PERMISSION, Requests, Serve, ServedError
from adapters.acp.violations import Violation, Violations
from adapters.processes.children import Child
from adapters.tolerant import as_dict
from domain.core.errors import AgentError

CANCEL_REQUEST = "$/cancel_request"


class RefusedError(Exception):
    """The agent answered a request with an error; `said` is all of it."""

    def __init__(self, code: int, message: str, detail: Any = None) -> None:
        super().__init__(clipped(f"{message} ({detail})" if detail else message))
        self.code = code
        self.said = f"error {code}: {message} {json.dumps(detail) if detail else ''}"


@dataclass(frozen=True)
class Client:
    """What the wire asks of its session.

    `update` and `permit` take the parameters; `permit` gives None for ones that do not fit, and may
    wait as long as a person takes. `room` waits until updates can be taken again.
    """

    update: Callable[[dict[str, Any]], None]
    permit: Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]
    room: Callable[[], Awaitable[None]]


class Wire:
    """Speaks to one agent, message by message in order.

    Updates are handed on before an answer that came after them is; what the agent asks is served
    beside them. While it does not read our refusals, or updates find no room, nothing more is read
    of it.
    """

    def __init__(self, child: Child, client: Client, oddities: Violations) -> None:
        self.frames = Frames(child.stdin, child.stdout, oddities)
        self._client = client
        self._oddities = oddities
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._requests = Requests({PERMISSION: self._permit}, self.frames, oddities)
        self._end: Exception | None = None
        self._listening = asyncio.create_task(self._listen(), name="agent's messages")

    @property
    def is_open(self) -> bool:
        """Whether the agent is still listened to."""
        return self._end is None

    def allow(self, count_bytes: int) -> None:
        """Let the agent say so many bytes, and ask 10,000 things, from here on."""
        self._requests.begin()
        self.frames.allow(count_bytes)

    async def request(
        self, method: str, params: dict[str, Any], seconds: float | None = None
    ) -> dict[str, Any]:
        """Ask the agent; an answer that is no object is an empty one.

        Raises:
            RefusedError: The agent answered with an error.
            ConnectionError: The agent is gone.
            AgentError: It said too much to be listened to any longer.
            TimeoutError: No answer in time.
        """
        if self._end is not None:
            raise self._end
        self._last_id += 1
        number, answer = self._last_id, asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        try:
            async with asyncio.timeout(seconds):
                await self.frames.send(message)
                return as_dict(await answer)
        finally:
            self._waiting.pop(number, None)

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Tell the agent, whether it reads or not."""
        self.frames.post({"jsonrpc": "2.0", "method": method, "params": params})

    def serve(self, methods: Mapping[str, Serve]) -> None:
        """Serve more methods than the question for permission."""
        self._requests.serve(methods)

    def dismiss_requests(self) -> None:
        """Answer all that the agent asked and that is open as cancelled."""
        self._requests.dismiss_all()

    async def close(self) -> None:
        """Stop listening and serving."""
        self.frames.close()
        self._listening.cancel()
        with suppress(asyncio.CancelledError):
            await self._listening
        await self._requests.close()

    async def _listen(self) -> None:
        end: Exception = ConnectionError("the agent closed its output")
        try:
            while (message := await self.frames.receive()) is not None:
                await self._take(message)
        except (AgentError, ConnectionError) as error:
            end = error
        finally:
            self._end = end
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(end)
                    answer.exception()  # nobody may be left to look at it

    async def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._answered(message)
        elif method == "session/update":
            self._client.update(as_dict(message.get("params")))
            await self._client.room()
        elif "id" in message:
            await self._requests.take(message["id"], method, as_dict(message.get("params")))
            await self._client.room()
        elif method == CANCEL_REQUEST:
            self._requests.dismiss(as_dict(message.get("params")).get("requestId"))
        elif not method.startswith(PRIVATE):
            self._oddities.count(Violation.UNKNOWN, method)

    async def _permit(self, params: dict[str, Any]) -> dict[str, Any]:
        answer = await self._client.permit(params)
        if answer is None:
            raise ServedError(INVALID_PARAMS, "Invalid params")
        return answer

    def _answered(self, message: dict[str, Any]) -> None:
        number = message["id"]
        if isinstance(number, str) and number.isascii() and number.isdecimal():
            number = int(number)  # some libraries write all ids as texts
        answer = self._waiting.pop(number, None) if type(number) is int else None
        if answer is None:
            self._oddities.count(Violation.NOT_ASKED, f"id {number}")
        elif answer.done():
            return  # given up
        elif (error := message.get("error")) is not None:
            answer.set_exception(RefusedError(error["code"], error["message"], error.get("data")))
            answer.exception()
        else:
            answer.set_result(message.get("result"))
