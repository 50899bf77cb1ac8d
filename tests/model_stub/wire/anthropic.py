"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.model_stub.shapes import Message, Reply, Request, Tool
from tests.model_stub.wire.common import Event, split, text_of, to_json


def parse(body: dict[str, Any]) -> Request:
    messages = []
    for m in body.get("messages") or []:
        content = m.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        results = [b for b in blocks if b.get("type") == "tool_result"]
        messages.extend(
            Message("tool", text_of(b.get("content")), [b.get("tool_use_id") or ""])
            for b in results
        )
        said = "\n".join(b.get("text", "") for b in blocks if b.get("type") == "text")
        ids = [b.get("id") or "" for b in blocks if b.get("type") == "tool_use"]
        if said or ids or not results:
            messages.append(
                Message("system" if m.get("role") == "system" else m.get("role", "user"), said, ids)
            )
    tools = [
        Tool(t["name"], t.get("input_schema") or {}) for t in body.get("tools") or [] if "name" in t
    ]
    return Request(
        "anthropic",
        body.get("model", ""),
        bool(body.get("stream")),
        text_of(body.get("system")),
        messages,
        tools,
        body,
    )


def _anthropic_blocks(r: Reply) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    if r.think:
        out.append({"type": "thinking", "thinking": r.think, "signature": "c3R1Yg=="})
    if r.text or not r.calls:
        out.append({"type": "text", "text": r.text})
    out += [
        {"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": c.args}
        for c in r.calls
    ]
    return out


def whole(r: Reply, req: Request) -> dict[str, Any]:
    stop = {"length": "max_tokens"}.get(r.stop or "", r.stop) or (
        "tool_use" if r.calls else "end_turn"
    )
    u = r.usage
    return {
        "id": f"msg_stub_{r.step}",
        "type": "message",
        "role": "assistant",
        "model": req.model,
        "content": _anthropic_blocks(r),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": u["input"] - u["cached"] - u["written"],
            "cache_creation_input_tokens": u["written"],
            "cache_read_input_tokens": u["cached"],
            "output_tokens": u["output"],
        },
    }


def stream(r: Reply, req: Request) -> Iterator[Event]:
    final = whole(r, req)
    start = {
        **final,
        "content": [],
        "stop_reason": None,
        "usage": {**final["usage"], "output_tokens": 1},
    }
    yield "message_start", {"type": "message_start", "message": start}
    for i, block in enumerate(final["content"]):
        kind = block["type"]
        empty = dict(block)
        if kind == "text":
            empty["text"], deltas = (
                "",
                [{"type": "text_delta", "text": p} for p in split(block["text"], r.chunks)],
            )
        elif kind == "thinking":
            empty["thinking"], empty["signature"] = "", ""
            deltas = [
                {"type": "thinking_delta", "thinking": p}
                for p in split(block["thinking"], r.chunks)
            ]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        else:
            empty["input"] = {}
            deltas = [
                {"type": "input_json_delta", "partial_json": p}
                for p in split(to_json(block["input"]), r.chunks)
            ]
        yield (
            "content_block_start",
            {"type": "content_block_start", "index": i, "content_block": empty},
        )
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": i, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": i}
    yield (
        "message_delta",
        {
            "type": "message_delta",
            "usage": final["usage"],
            "delta": {"stop_reason": final["stop_reason"], "stop_sequence": None},
        },
    )
    yield "message_stop", {"type": "message_stop"}
