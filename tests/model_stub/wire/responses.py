"""OpenAI Responses."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from tests.model_stub.shapes import Message, Reply, Request, Tool
from tests.model_stub.wire.common import Event, split, text_of, to_json


def _response_tools(items: list[dict[str, Any]], namespace: str | None = None) -> Iterator[Tool]:
    for t in items:
        if t.get("type") == "namespace":
            yield from _response_tools(t.get("tools") or [], t.get("name"))
        elif t.get("type") == "function":
            yield Tool(t["name"], t.get("parameters") or {}, namespace=namespace)
        elif t.get("type") == "custom":
            yield Tool(t["name"], {}, freeform=True, namespace=namespace)


def parse(body: dict[str, Any]) -> Request:
    messages, system = [], [body.get("instructions") or ""]
    items = body.get("input") or []
    if isinstance(items, str):
        items = [{"role": "user", "content": items}]
    for it in items:
        kind, role = it.get("type", "message"), it.get("role")
        if kind.endswith("_call_output"):
            messages.append(Message("tool", text_of(it.get("output")), [it.get("call_id") or ""]))
        elif kind.endswith("_call"):
            messages.append(Message("assistant", "", [it.get("call_id") or ""]))
        elif kind == "message" and role in ("system", "developer"):
            system.append(text_of(it.get("content")))
        elif kind == "message":
            messages.append(Message(role or "user", text_of(it.get("content"))))
    tools = list(_response_tools(body.get("tools") or []))
    return Request(
        "responses",
        body.get("model", ""),
        bool(body.get("stream")),
        "\n".join(system),
        messages,
        tools,
        body,
    )


def _response_items(r: Reply) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    if r.think:
        out.append(
            {
                "type": "reasoning",
                "id": f"rs_{r.step}",
                "summary": [{"type": "summary_text", "text": r.think}],
                "encrypted_content": "c3R1Yg==",
            }
        )
    if r.text:
        out.append(
            {
                "type": "message",
                "id": f"msg_{r.step}",
                "role": "assistant",
                "status": "completed",
                "content": [
                    {"type": "output_text", "text": r.text, "annotations": [], "logprobs": []}
                ],
            }
        )
    for c in r.calls:
        item: dict[str, Any] = {
            "id": "fc_" + c.id,
            "call_id": "call_" + c.id,
            "name": c.name,
            "status": "completed",
        }
        if c.namespace:
            item["namespace"] = c.namespace
        if c.freeform:
            out.append({**item, "type": "custom_tool_call", "input": to_json(c.args)})
        else:
            out.append({**item, "type": "function_call", "arguments": to_json(c.args)})
    return out


def whole(r: Reply, req: Request, status: str = "completed") -> dict[str, Any]:
    u = r.usage
    done = status != "in_progress"
    if done and r.stop == "length":
        status = "incomplete"
    return {
        "id": f"resp_{r.step}",
        "object": "response",
        "created_at": int(time.time()),
        "model": req.model,
        "status": status,
        "output": _response_items(r) if done else [],
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": u["input"],
            "input_tokens_details": {"cached_tokens": u["cached"]},
            "output_tokens": u["output"],
            "output_tokens_details": {"reasoning_tokens": u["reasoning"]},
            "total_tokens": u["input"] + u["output"],
        }
        if done
        else None,
    }


EMPTY = {"message": "content", "reasoning": "summary", "function_call": "arguments"}
"""What of an item its stream begins without; of any other kind it is `input`."""


def stream(r: Reply, req: Request) -> Iterator[Event]:
    for number, (kind, data) in enumerate(_events(r, req)):
        yield kind, {"type": kind, "sequence_number": number, **data}


def _events(r: Reply, req: Request) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "response.created", {"response": whole(r, req, "in_progress")}
    yield "response.in_progress", {"response": whole(r, req, "in_progress")}
    for i, item in enumerate(_response_items(r)):
        field = EMPTY.get(item["type"], "input")
        empty = {**item, "status": "in_progress", field: type(item[field])()}
        yield "response.output_item.added", {"output_index": i, "item": empty}
        at = {"item_id": item["id"], "output_index": i}
        for kind, data in _PARTS.get(item["type"], _call)(item, r):
            yield f"response.{kind}", {**at, **data}
        yield "response.output_item.done", {"output_index": i, "item": item}
    final = whole(r, req)
    yield f"response.{final['status']}", {"response": final}


def _reasoning(item: dict[str, Any], r: Reply) -> Iterator[tuple[str, dict[str, Any]]]:
    at, empty = {"summary_index": 0}, {"type": "summary_text", "text": ""}
    yield "reasoning_summary_part.added", {**at, "part": empty}
    for part in split(r.think, r.chunks):
        yield "reasoning_summary_text.delta", {**at, "delta": part}
    yield "reasoning_summary_text.done", {**at, "text": r.think}
    yield "reasoning_summary_part.done", {**at, "part": item["summary"][0]}


def _message(item: dict[str, Any], r: Reply) -> Iterator[tuple[str, dict[str, Any]]]:
    at, empty = {"content_index": 0}, {"type": "output_text", "text": "", "annotations": []}
    yield "content_part.added", {**at, "part": empty}
    for part in split(r.text, r.chunks):
        yield "output_text.delta", {**at, "delta": part, "logprobs": []}
    yield "output_text.done", {**at, "text": r.text, "logprobs": []}
    yield "content_part.done", {**at, "part": item["content"][0]}


def _call(item: dict[str, Any], r: Reply) -> Iterator[tuple[str, dict[str, Any]]]:
    is_plain = item["type"] == "function_call"
    name = "function_call_arguments" if is_plain else "custom_tool_call_input"
    field = "arguments" if is_plain else "input"
    for part in split(item[field], r.chunks):
        yield f"{name}.delta", {"delta": part}
    yield f"{name}.done", {field: item[field]}


_PARTS = {"reasoning": _reasoning, "message": _message}
