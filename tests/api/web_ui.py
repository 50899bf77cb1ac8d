"""A stand-in for the server of Temporal's Web UI, which notes what reaches it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import uvicorn

from tests.e2e.engine import until

SETTINGS = {
    "Codec": {"Endpoint": "", "PassAccessToken": True, "DefaultErrorMessage": ""},
    "DefaultNamespace": "default",
    "WorkflowResetDisabled": False,
}
RUN = "/api/v1/namespaces/default/workflows/thread-x%252Fleft/runs/r1"
DOCUMENT = b"<html><head></head><script>start()</script><script src='/_app/x.js'></script></html>"


@dataclass
class Standing:
    """What reached the server: method, path as it came, headers, body."""

    requests: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [path for _, path, _, _ in self.requests]

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        path = scope["raw_path"].decode()
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.requests.append((scope["method"], path, headers, body))
        kind, answer = "application/json", b'{"ok": true}'
        if path == "/api/v1/settings":
            answer = json.dumps(SETTINGS).encode()
        elif not path.startswith("/api/"):
            kind, answer = "text/html; charset=utf-8", DOCUMENT
        cookies = [(b"set-cookie", b"_csrf=c1; Path=/"), (b"set-cookie", b"other=1")]
        head = [(b"content-type", kind.encode()), *cookies]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": answer})


@contextlib.asynccontextmanager
async def standing(port: int) -> AsyncIterator[Standing]:
    """Serve the stand-in on a port."""
    app = Standing()
    server = uvicorn.Server(uvicorn.Config(app, port=port, lifespan="off", log_level="error"))
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield app
    finally:
        server.should_exit = True
        await task
