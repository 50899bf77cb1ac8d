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


def stream(r: Reply, req: Request) -> Iterator[Event]:
    number = -1

    def event(kind: str, **data: Any) -> Event:
        nonlocal number
        number += 1
        return kind, {"type": kind, "sequence_number": number, **data}

    yield event("response.created", response=whole(r, req, "in_progress"))
    yield event("response.in_progress", response=whole(r, req, "in_progress"))
    for i, item in enumerate(_response_items(r)):
        kind, at = item["type"], {"item_id": item["id"], "output_index": i}
        empty = {**item, "status": "in_progress"}
        if kind == "message":
            empty["content"] = []
        elif kind == "function_call":
            empty["arguments"] = ""
        elif kind == "custom_tool_call":
            empty["input"] = ""
        else:
            empty["summary"] = []
        yield event("response.output_item.added", output_index=i, item=empty)
        if kind == "reasoning":
            yield event(
                "response.reasoning_summary_part.added",
                **at,
                summary_index=0,
                part={"type": "summary_text", "text": ""},
            )
            for part in split(r.think, r.chunks):
                yield event(
                    "response.reasoning_summary_text.delta", **at, summary_index=0, delta=part
                )
            yield event("response.reasoning_summary_text.done", **at, summary_index=0, text=r.think)
            yield event(
                "response.reasoning_summary_part.done",
                **at,
                summary_index=0,
                part=item["summary"][0],
            )
        elif kind == "message":
            yield event(
                "response.content_part.added",
                **at,
                content_index=0,
                part={"type": "output_text", "text": "", "annotations": []},
            )
            for part in split(r.text, r.chunks):
                yield event(
                    "response.output_text.delta", **at, content_index=0, delta=part, logprobs=[]
                )
            yield event(
                "response.output_text.done", **at, content_index=0, text=r.text, logprobs=[]
            )
            yield event(
                "response.content_part.done", **at, content_index=0, part=item["content"][0]
            )
        else:
            name, field = (
                ("function_call_arguments", "arguments")
                if kind == "function_call"
                else ("custom_tool_call_input", "input")
            )
            for part in split(item[field], r.chunks):
                yield event(f"response.{name}.delta", **at, delta=part)
            yield event(f"response.{name}.done", **at, **{field: item[field]})
        yield event("response.output_item.done", output_index=i, item=item)
    final = whole(r, req)
    yield event(f"response.{final['status']}", response=final)
