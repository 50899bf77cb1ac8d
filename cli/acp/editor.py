"""The editor at the other end: what it is told, and the person there who is asked."""

from collections.abc import Sequence
from typing import Any

from acp import schema
from acp.connection import Connection
from acp.exceptions import RequestError
from acp.meta import CLIENT_METHODS
from acp.utils import notify_model, request_model

from cli.acp.stdio import Stdio

CANCEL_REQUEST = "$/cancel_request"


class Editor:
    """Sends updates and permission requests of all sessions."""

    def __init__(self, stdio: Stdio) -> None:
        self.name = "an editor"
        self._stdio = stdio
        self._connection: Connection | None = None

    def connect(self, connection: Connection) -> None:
        """Send by this connection from now on."""
        self._connection = connection

    async def tell(self, session_id: str, *updates: Any) -> None:
        """Send updates of a session, in order.

        Raises:
            ConnectionError: The editor is gone.
        """
        for update in updates:
            told = schema.SessionNotification(session_id=session_id, update=update)
            await notify_model(self._connected, CLIENT_METHODS["session_update"], told)

    async def ask(
        self,
        session_id: str,
        call: schema.ToolCallUpdate,
        options: Sequence[schema.PermissionOption],
    ) -> str | None:
        """Return the option that the person chose; None if they left it open, or nobody can be asked."""
        request = schema.RequestPermissionRequest(
            session_id=session_id, tool_call=call, options=[*options]
        )
        method = CLIENT_METHODS["session_request_permission"]
        try:
            answer = await request_model(
                self._connected, method, request, schema.RequestPermissionResponse
            )
        except (RequestError, ValueError):  # it cannot ask, or its answer is none
            return None
        finally:
            self._stdio.take_asked(call.tool_call_id)
        outcome = answer.outcome
        return outcome.option_id if isinstance(outcome, schema.AllowedOutcome) else None

    async def withdraw(self, call_id: str) -> None:
        """Take back the request that asked with a tool call, for editors that can."""
        request_id = self._stdio.take_asked(call_id)
        if request_id is not None:
            await self._connected.send_notification(CANCEL_REQUEST, {"requestId": request_id})

    @property
    def _connected(self) -> Connection:
        if self._connection is None:
            raise ConnectionError("the editor is not connected yet")
        return self._connection
