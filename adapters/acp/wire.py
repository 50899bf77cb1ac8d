"""The ACP connection to one agent: the SDK's framing, a tolerant dispatch of our own on dicts."""

import asyncio
from collections.abc import Callable
from typing import Any

from acp.connection import Connection
from acp.exceptions import RequestError

from adapters.acp.frames import MAX_LINE_BYTES, Frames
from adapters.processes.children import Child
from adapters.tolerant import as_dict

OnUpdate = Callable[[dict[str, Any]], None]
OnPermission = Callable[[dict[str, Any]], dict[str, Any]]


class Wire:
    """Speaks to one agent. Unknown kinds of updates pass, unknown notifications are ignored.

    Updates are handed on before the first await, so they stay in order and are complete when the
    prompt's answer comes.
    """

    def __init__(
        self,
        child: Child,
        on_update: OnUpdate,
        on_permission: OnPermission,
        *,
        max_line_bytes: int = MAX_LINE_BYTES,
    ) -> None:
        self.frames = Frames(child.stdin, child.stdout, max_line_bytes)
        self._on_update = on_update
        self._on_permission = on_permission
        self._connection = Connection(self._handle, self.frames)

    async def request(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Ask the agent.

        Raises:
            RequestError: The agent answered with an error.
            ConnectionError: The agent is gone.
            TimeoutError: No answer in time.
        """
        async with asyncio.timeout(seconds):
            return await self.prompt(method, params)

    async def prompt(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the agent for as long as it takes; raises as `request`."""
        return as_dict(await self._connection.send_request(method, params))

    async def notify(self, method: str, params: dict[str, Any]) -> None:
        """Tell the agent."""
        await self._connection.send_notification(method, params)

    async def close(self) -> None:
        """Stop listening."""
        await self._connection.close()

    async def _handle(self, method: str, params: Any, is_notification: bool) -> Any:  # noqa: FBT001  (the SDK's signature)
        if method == "session/update":
            self._on_update(as_dict(params))
            return {}
        if is_notification:
            return None
        if method == "session/request_permission":
            return self._on_permission(as_dict(params))
        raise RequestError.method_not_found(method)
