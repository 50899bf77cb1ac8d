"""The HTTP side: one ASGI app that answers as OpenAI, Anthropic and Gemini do."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import uvicorn
import yaml
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.model_stub import wire
from tests.model_stub.script import Script
from tests.model_stub.shapes import Reply, Request, ScriptError

_PATH = re.compile(r"^(?:/s/(?P<ns>[^/]+))?(?P<rest>/.*)$")
COUNTS = ("/messages/count_tokens", ":countTokens")
_GEMINI = re.compile(r"/models/(?P<model>[^/:]+):(?P<act>\w+)$")


def load(path: str | Path) -> dict[str, Any]:
    text = Path(path).read_text()
    if str(path).endswith(".json"):
        return json.loads(text)
    return yaml.safe_load(text)


class ModelStub:
    """The app with its scripts, one per namespace; the one without a name is at the root."""

    def __init__(
        self,
        script: dict[str, Any] | None = None,
        variables: dict[str, str] | None = None,
        record: Path | None = None,
    ) -> None:
        self.scripts: dict[str, Script] = {"": Script(script, variables)}
        self.record = record
        methods = ["GET", "POST", "PUT", "DELETE", "HEAD"]
        self.app = Starlette(routes=[Route("/{path:path}", self._serve, methods=methods)])

    def add(
        self, name: str, script: dict[str, Any], variables: dict[str, str] | None = None
    ) -> Script:
        self.scripts[name] = Script(script, variables)
        return self.scripts[name]

    def lift(self, error: str, name: str = "") -> None:
        """End an error that a script has `until` then."""
        self.scripts[name].lifted.add(error)

    def log(self, name: str = "") -> list[dict[str, Any]]:
        return self.scripts[name].log

    async def _serve(self, http: HttpRequest) -> Response:
        m = _PATH.match(http.url.path)
        assert m is not None
        name, rest = m["ns"] or "", m["rest"]
        if rest.startswith("/_stub/"):
            return await self._control(http, name, rest)
        script = self.scripts.get(name)
        if script is None:
            return JSONResponse({"error": {"message": f"no script {name!r}"}}, 404)
        if http.method in ("GET", "HEAD"):
            return (
                self._models(script, rest)
                if rest.endswith("/models")
                else JSONResponse({"ok": True})
            )
        try:
            body = json.loads(await http.body() or b"{}")
        except ValueError:
            return JSONResponse({"error": {"message": "the body is not JSON"}}, 400)
        if rest.endswith(COUNTS):
            tokens = len(json.dumps(body)) // 4
            return JSONResponse({"input_tokens": tokens, "totalTokens": tokens})
        req = _parsed(rest, body)
        if req is None:
            return JSONResponse({"error": {"message": f"no such endpoint: {rest}"}}, 404)
        return await self._answer(script, name, req, http)

    async def _answer(self, script: Script, name: str, req: Request, http: HttpRequest) -> Response:
        entry: dict[str, Any] = {
            "at": time.time(),
            "protocol": req.protocol,
            "model": req.model,
            "stream": req.stream,
            "path": http.url.path,
            "prompt": next((m.text for m in reversed(req.messages) if m.role == "user"), ""),
            "last_result": next((m.text for m in reversed(req.messages) if m.role == "tool"), None),
            "tools": [t.name for t in req.tools],
            "system": req.system,
            "body": req.body,
            "headers": {
                k: v
                for k, v in http.headers.items()
                if k not in ("authorization", "x-api-key", "x-goog-api-key")
            },
        }
        problem = None
        try:
            reply = script.reply(req)
        except ScriptError as exc:  # the agent is told at once, and the test finds it in the log
            problem = str(exc)
            reply = Reply(
                error={"kind": "bad_request", "message": f"model_stub: {exc}"}, rule="script error"
            )
        entry |= {
            "rule": reply.rule,
            "step": reply.step,
            "problem": problem,
            "error": reply.error,
            "usage": {} if reply.error or reply.hang else reply.usage,
            "reply": {"text": reply.text, "calls": [[c.name, c.args] for c in reply.calls]},
        }
        script.log.append(entry)
        if self.record:
            with self.record.open("a") as out:
                out.write(json.dumps({"script": name, **entry}, ensure_ascii=False) + "\n")
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.hang:
            while not await http.is_disconnected():  # noqa: ASYNC110  (told only when asked)
                await asyncio.sleep(0.1)
            return Response(status_code=499)
        if reply.error:
            return self._error(reply, req)
        if not req.stream:
            return JSONResponse(wire.PROTOCOLS[req.protocol].whole(reply, req))
        return StreamingResponse(
            self._stream(reply, req),
            media_type="text/event-stream",
            headers={"cache-control": "no-cache"},
        )

    def _error(self, reply: Reply, req: Request) -> Response:
        assert reply.error is not None
        status, headers, body = wire.error(reply.error, req.protocol)
        if req.protocol == "responses" and req.stream and reply.error.get("kind") == "overflow":
            failed = wire.responses.whole(
                reply, req, "in_progress"
            )  # this one is told inside the stream
            failed |= {
                "status": "failed",
                "error": {"code": body["error"]["code"], "message": body["error"]["message"]},
            }
            event = {"type": "response.failed", "sequence_number": 0, "response": failed}
            return Response(_sse(("response.failed", event)), media_type="text/event-stream")
        return JSONResponse(body, status, headers)

    async def _stream(self, reply: Reply, req: Request) -> AsyncIterator[bytes]:
        for n, event in enumerate(wire.PROTOCOLS[req.protocol].stream(reply, req)):
            if reply.drop_after is not None and n >= reply.drop_after:
                raise ConnectionResetError("model_stub: dropped as the script says")
            yield _sse(event)
            if reply.chunk_delay:
                await asyncio.sleep(reply.chunk_delay)

    def _models(self, script: Script, rest: str) -> Response:
        if "/v1beta" in rest:
            return JSONResponse(
                {
                    "models": [
                        {
                            "name": f"models/{m}",
                            "displayName": m,
                            "inputTokenLimit": 1000000,
                            "outputTokenLimit": 8192,
                        }
                        for m in script.models
                    ]
                }
            )
        return JSONResponse(
            {
                "object": "list",
                "has_more": False,
                "data": [
                    {
                        "id": m,
                        "object": "model",
                        "type": "model",
                        "display_name": m,
                        "created": 0,
                        "owned_by": "stub",
                    }
                    for m in script.models
                ],
            }
        )

    async def _control(self, http: HttpRequest, name: str, rest: str) -> Response:
        if rest == "/_stub/health":
            return JSONResponse({"ok": True, "scripts": sorted(self.scripts)})
        if rest == "/_stub/script" and http.method in ("PUT", "POST"):
            data = json.loads(await http.body())
            try:
                self.add(
                    name,
                    data.get("script", data),
                    data.get("variables") if "script" in data else None,
                )
            except (ScriptError, re.error) as exc:
                return JSONResponse({"error": str(exc)}, 422)
            return JSONResponse({"ok": True})
        if rest == "/_stub/requests" and name in self.scripts:
            if http.method == "DELETE":
                self.scripts[name].log.clear()
            log = self.scripts[name].log
            if http.query_params.get("brief"):
                log = [
                    {k: v for k, v in e.items() if k not in ("body", "headers", "system")}
                    for e in log
                ]
            return JSONResponse(log)
        return JSONResponse({"error": "no such control"}, 404)


def _parsed(path: str, body: dict[str, Any]) -> Request | None:
    if path.endswith("/chat/completions"):
        return wire.chat.parse(body)
    if path.endswith("/responses"):
        return wire.responses.parse(body)
    if path.endswith("/messages"):
        return wire.anthropic.parse(body)
    if found := _GEMINI.search(path):
        is_streamed = found["act"] == "streamGenerateContent"
        return wire.gemini.parse(body, found["model"], is_streamed)
    return None


def _sse(event: tuple[str | None, Any]) -> bytes:
    name, data = event
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


@contextlib.contextmanager
def serving(stub: ModelStub, port: int = 0, **more: Any) -> Iterator[str]:
    """Serve on loopback in a thread; yields the base URL. Port 0 takes a free one.

    `more` is for uvicorn: a certificate to serve HTTPS with.
    """
    server = uvicorn.Server(
        uvicorn.Config(
            stub.app,
            host="127.0.0.1",
            port=port,
            log_level="warning",
            timeout_graceful_shutdown=1,
            timeout_keep_alive=60,  # as vendors' servers; the library's own 5 s break calls of busy agents
            **more,
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the model stub did not start")
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(5)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.model_stub", description="Serve scripted model answers on loopback."
    )
    parser.add_argument(
        "script", nargs="?", help="a YAML or JSON script; without one every request is answered OK."
    )
    parser.add_argument("--port", type=int, default=8600)
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a variable for ${NAME}"
    )
    parser.add_argument("--record", type=Path, help="append each request, as JSON, to this file")
    args = parser.parse_args()
    variables = dict(item.split("=", 1) for item in args.set)
    stub = ModelStub(load(args.script) if args.script else None, variables, args.record)
    uvicorn.run(stub.app, host="127.0.0.1", port=args.port, log_level="warning")


if __name__ == "__main__":
    main()
