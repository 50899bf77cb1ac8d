"""Requests that are still under way when the server ends: they are to be sent again."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core.errors import HINTS
from api.core.problems import problem, response

_CUT = problem(
    503,
    "not_confirmed",
    "the API ended before it could answer; what was asked may still be carried out",
    hint=HINTS["not_confirmed"],
)


class CutRequests:
    """Answers what the server cancels as it ends, which uvicorn would answer with a bare 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_begun = False

        async def noted(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not is_begun:
                await response(_CUT, {"Retry-After": "1", "Connection": "close"})(
                    scope, receive, send
                )
            raise
