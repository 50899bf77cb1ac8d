"""Who may call the tools: sessions with a grant, by its bearer token."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.tools.grants import Grant
from adapters.tools.tool import GRANT


class TokenGate:
    """Lets requests with a known bearer token through, and their grant with them; 401 else."""

    def __init__(self, app: ASGIApp, grants: dict[str, Grant]) -> None:
        self._app = app
        self._grants = grants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its grant."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        header = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        scheme, _, token = header.partition(" ")
        grant = self._grants.get(token.strip()) if scheme.lower() == "bearer" else None
        if grant is None:
            refusal = PlainTextResponse(
                "no such token\n", status_code=401, headers={"WWW-Authenticate": "Bearer"}
            )
            await refusal(scope, receive, send)
            return
        await self._app({**scope, GRANT: grant}, receive, send)
