"""Gemini generateContent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.model_stub.shapes import Message, Reply, Request, Tool
from tests.model_stub.wire.common import Event, split, text_of, to_json


def parse(body: dict[str, Any], model: str, stream: bool) -> Request:
    messages = []
    for c in body.get("contents") or []:
        parts = c.get("parts") or []
        results = [p["functionResponse"] for p in parts if p.get("functionResponse")]
        messages.extend(
            Message("tool", to_json(r.get("response")), [r.get("id") or "?"]) for r in results
        )
        said = "\n".join(p.get("text", "") for p in parts if "text" in p and not p.get("thought"))
        ids = [p["functionCall"].get("id") or "?" for p in parts if "functionCall" in p]
        if said or ids:
            messages.append(Message("assistant" if c.get("role") == "model" else "user", said, ids))
    tools = [
        Tool(
            f["name"],
            f.get("parametersJsonSchema")
            or f.get("parameters_json_schema")
            or f.get("parameters")
            or {},
        )
        for t in body.get("tools") or []
        for f in t.get("functionDeclarations") or []
    ]
    system = text_of((body.get("systemInstruction") or {}).get("parts"))
    return Request("gemini", model, stream, system, messages, tools, body)


def _gemini(r: Reply, req: Request, parts: list[dict[str, Any]], last: bool) -> dict[str, Any]:
    cand: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    out: dict[str, Any] = {
        "candidates": [cand],
        "modelVersion": req.model,
        "responseId": f"stub-{r.step}",
    }
    if last:
        cand["finishReason"] = {"length": "MAX_TOKENS", "refusal": "SAFETY"}.get(
            r.stop or "", r.stop or "STOP"
        )
        u = r.usage
        out["usageMetadata"] = {
            "promptTokenCount": u["input"],
            "candidatesTokenCount": u["output"],
            "thoughtsTokenCount": u["reasoning"],
            "cachedContentTokenCount": u["cached"],
            "totalTokenCount": u["input"] + u["output"],
        }
    return out


def _gemini_calls(r: Reply) -> list[dict[str, Any]]:
    return [
        {
            "functionCall": {"id": c.id, "name": c.name, "args": c.args},
            "thoughtSignature": "c3R1Yg==",
        }
        for c in r.calls
    ]


def whole(r: Reply, req: Request) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": r.think, "thought": True}] if r.think else []
    parts += [{"text": r.text}] if r.text or not r.calls else []
    return _gemini(r, req, parts + _gemini_calls(r), True)


def stream(r: Reply, req: Request) -> Iterator[Event]:
    for p in split(r.think, r.chunks):
        yield None, _gemini(r, req, [{"text": p, "thought": True}], False)
    for p in split(r.text, r.chunks):
        yield None, _gemini(r, req, [{"text": p}], False)
    yield None, _gemini(r, req, _gemini_calls(r) or [{"text": ""}], True)
