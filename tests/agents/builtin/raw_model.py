"""A model server that answers what it is told to, byte for byte: what no well-behaved one would say."""

import asyncio
import contextlib
import json

CUT = None
"""Among the chunks of an answer: the connection breaks off."""


class RawModel:
    """Answers each request with the next of `answers`: a status, and chunks of a body."""

    def __init__(self):
        self.answers = []
        self.asked = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_error):
        self._server.close()

    def play(self, *answers):
        """Answer the next requests so."""
        self.answers, self.asked = [*answers], []

    async def _serve(self, reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length:")[2].split(b"\r\n")[0]
        self.asked.append(json.loads(await reader.readexactly(int(length or 0)) or "{}"))
        status, chunks = self.answers.pop(0)
        kind = "text/event-stream" if self.asked[-1].get("stream") else "application/json"
        told = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(told.encode())
        for chunk in chunks:
            if chunk is CUT:
                raise ConnectionError
            writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def event(delta, finish=None):
    """One event of Chat Completions, as the bytes of its line; escapes of JSON may stand in it."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def answer(*deltas, finish="stop"):
    """A whole answer; without a finish it breaks off without a word."""
    return 200, [*map(event, deltas), *([event({}, finish)] if finish else [])]


def calling(*calls, finish="tool_calls"):
    """An answer of tool calls: name, arguments as they are written, id."""
    told = [
        {"index": n, "id": call_id, "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments, call_id) in enumerate(calls)
    ]
    return answer({"tool_calls": told}, finish=finish)


def refusing(status, message):
    """A refusal."""
    return status, [json.dumps({"error": {"message": message}}).encode()]


def summary(words):
    """A whole answer to a request that wants no stream, as those for a summary do."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": words},
        "finish_reason": "stop",
    }
    told = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return 200, [json.dumps(told).encode()]


def text(words, finish="stop"):
    """An answer of one text."""
    return answer({"content": words}, finish=finish)
