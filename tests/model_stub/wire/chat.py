"""OpenAI Chat Completions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from tests.model_stub.shapes import Message, Reply, Request, Tool
from tests.model_stub.wire.common import Event, split, text_of, to_json


def parse(body: dict[str, Any]) -> Request:
    messages, system = [], []
    for m in body.get("messages") or []:
        role = m.get("role")
        if role in ("system", "developer"):
            system.append(text_of(m.get("content")))
        elif role == "tool":
            messages.append(
                Message("tool", text_of(m.get("content")), [m.get("tool_call_id") or ""])
            )
        else:
            ids = [c.get("id") or "" for c in m.get("tool_calls") or []]
            messages.append(Message(role or "user", text_of(m.get("content")), ids))
    tools = [
        Tool(t["function"]["name"], t["function"].get("parameters") or {})
        for t in body.get("tools") or []
        if t.get("type") == "function"
    ]
    return Request(
        "chat",
        body.get("model", ""),
        bool(body.get("stream")),
        "\n".join(system),
        messages,
        tools,
        body,
    )


def _chat_usage(r: Reply) -> dict[str, Any]:
    u = r.usage
    return {
        "prompt_tokens": u["input"],
        "completion_tokens": u["output"],
        "total_tokens": u["input"] + u["output"],
        "prompt_tokens_details": {"cached_tokens": u["cached"]},
        "completion_tokens_details": {"reasoning_tokens": u["reasoning"]},
    }


def _chat_stop(r: Reply) -> str:
    if r.stop:
        return {"refusal": "content_filter"}.get(r.stop, r.stop)
    return "tool_calls" if r.calls else "stop"


def whole(r: Reply, req: Request) -> dict[str, Any]:
    msg: dict[str, Any] = {"role": "assistant", "content": r.text or None}
    if r.think:
        msg["reasoning_content"] = r.think
    if r.calls:
        msg["tool_calls"] = [
            {
                "id": "call_" + c.id,
                "type": "function",
                "function": {"name": c.name, "arguments": to_json(c.args)},
            }
            for c in r.calls
        ]
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": req.model,
        "choices": [{"index": 0, "message": msg, "finish_reason": _chat_stop(r), "logprobs": None}],
        "usage": _chat_usage(r),
    }


def stream(r: Reply, req: Request) -> Iterator[Event]:
    base = {
        "id": "chatcmpl-stub",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": req.model,
    }

    def chunk(delta: dict[str, Any], stop: str | None = None) -> Event:
        return None, {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]}

    yield chunk({"role": "assistant", "content": ""})
    for part in split(r.think, r.chunks):
        yield chunk({"reasoning_content": part})
    for part in split(r.text, r.chunks):
        yield chunk({"content": part})
    for i, c in enumerate(r.calls):
        yield chunk(
            {
                "tool_calls": [
                    {
                        "index": i,
                        "id": "call_" + c.id,
                        "type": "function",
                        "function": {"name": c.name, "arguments": ""},
                    }
                ]
            }
        )
        for part in split(to_json(c.args), r.chunks):
            yield chunk({"tool_calls": [{"index": i, "function": {"arguments": part}}]})
    yield chunk({}, _chat_stop(r))
    if (req.body.get("stream_options") or {}).get("include_usage"):
        yield None, {**base, "choices": [], "usage": _chat_usage(r)}
    yield None, "[DONE]"
