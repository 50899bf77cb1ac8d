"""The script: which reply a model request gets.

A request of any protocol is first brought to one shape (`Request`). A rule is found by the text of
the prompt, the step inside the rule by the ids of the stub's own earlier tool calls, which every
agent sends back with its history. So a retried request, a restarted agent or a resumed session gets
the reply that fits its history; only errors and the `queue` keep a count here.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.model_stub.acts import deferred, resolve
from tests.model_stub.shapes import Call, Message, Reply, Request, ScriptError

_CALL_ID = re.compile(
    r"stub(\d+)x(\d+)x(\d+)(s?)"
)  # rule, step, call; "s" marks a search, which is no step
_VAR = re.compile(r"\$\{(\w+)\}")


def _fill(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return _VAR.sub(lambda m: str(names.get(m[1], m[0])), value)
    if isinstance(value, list):
        return [_fill(v, names) for v in value]
    if isinstance(value, dict):
        return {k: _fill(v, names) for k, v in value.items()}
    return value


def _follows(earlier: str, messages: list[Message]) -> bool:
    """Tell whether a prompt up to here, this one included, matches a regex; an empty one always does."""
    return any(m.role == "user" and re.search(earlier, m.text, re.S) for m in messages)


class Script:
    """A loaded script, with the counts that it needs while it plays."""

    def __init__(
        self, data: dict[str, Any] | None = None, variables: dict[str, str] | None = None
    ) -> None:
        data = data or {}
        unknown = set(data) - {"rules", "queue", "default", "models", "vars", "usage"}
        if unknown:
            raise ScriptError(f"unknown keys in the script: {sorted(unknown)}")
        self.rules: list[dict[str, Any]] = list(data.get("rules") or [])
        self.queue: list[dict[str, Any]] = list(data.get("queue") or [])
        self.default: dict[str, Any] = data.get("default") or {"text": "OK."}
        self.models: list[str] = data.get("models") or ["stub-1"]
        self.variables = {**(data.get("vars") or {}), **(variables or {})}
        self.usage: dict[str, int] = data.get("usage") or {}
        self.log: list[dict[str, Any]] = []
        self._queued = 0
        self.lifted: set[str] = set()
        """Names of errors that are over."""
        self._errors: dict[tuple[int, int], int] = {}
        for rule in self.rules:
            for key in ("prompt", "after", "system", "model", "protocol"):
                re.compile((rule.get("when") or {}).get(key, ""))

    def _match(self, rule: dict[str, Any], req: Request) -> tuple[int, dict[str, str]] | None:
        """Where in the history the rule starts, and the names that its regex captured."""
        when = rule.get("when") or {}
        if not re.search(when.get("system", ""), req.system, re.S):
            return None
        if not re.search(when.get("model", ""), req.model) or not re.search(
            when.get("protocol", ""), req.protocol
        ):
            return None
        if when.get("tools", bool(req.tools)) != bool(req.tools):
            return None
        if "prompt" not in when:
            return 0, {}
        for at in range(len(req.messages) - 1, -1, -1):
            msg = req.messages[at]
            if msg.role != "user" or not _follows(when.get("after", ""), req.messages[: at + 1]):
                continue
            if m := re.search(when["prompt"], msg.text, re.S):
                return at, {k: v for k, v in m.groupdict().items() if v is not None}
        return None

    def _step(self, number: int, history: list[Message]) -> int:
        steps = [
            int(m[2])
            for msg in history
            for cid in msg.call_ids
            if (m := _CALL_ID.search(cid)) and int(m[1]) == number and not m[4]
        ]
        if steps:
            return max(steps) + 1
        if any(
            msg.call_ids and not any(_CALL_ID.search(c) for c in msg.call_ids) for msg in history
        ):
            return sum(
                1 for msg in history if msg.role == "assistant" and msg.call_ids
            )  # ids were not kept (Gemini)
        return 0

    def reply(self, req: Request) -> Reply:
        """Return the answer that fits a request's history."""
        best: tuple[int, int, dict[str, str]] | None = None
        for number, rule in enumerate(self.rules):
            found = self._match(rule, req)
            # The rule whose prompt came last in the history wins; of equals, the first in the script.
            if found is not None and (best is None or found[0] > best[1]):
                best = (number, *found)
        if best is not None:
            number, at, names = best
            return self._play(number, req, req.messages[at:], names)
        if req.tools and self._queued < len(self.queue):
            self._queued += 1
            return self._build(self.queue[self._queued - 1], req, 900, self._queued - 1, {})
        return self._build(self.default, req, 901, 0, {})

    def _play(
        self, number: int, req: Request, history: list[Message], names: dict[str, str]
    ) -> Reply:
        rule = self.rules[number]
        for name, regex in (rule.get("capture") or {}).items():
            for msg in history:
                if msg.role == "tool" and (m := re.search(regex, msg.text, re.S)):
                    names[name] = m[1] if m.groups() else m[0]
        for name, regex in (rule.get("find") or {}).items():
            for text in (*(msg.text for msg in reversed(req.messages)), req.system):
                if m := re.search(regex, text, re.S):
                    names[name] = m[1] if m.groups() else m[0]
                    break
        turns = rule.get("turns") or [rule.get("reply") or self.default]
        step = self._step(number, history)
        while True:
            turn = self._turn(number, step, turns)
            try:
                return self._build(turn, req, number, step, names)
            except ScriptError:
                if not turn.get("optional"):
                    raise
                step += 1  # this agent offers no such tool here

    def _turn(self, number: int, step: int, turns: list[dict[str, Any]]) -> dict[str, Any]:
        """Return a step's turn, or an error turn before it, which answers `times` requests."""
        plain, skip = [], -1
        for turn in turns:
            if "error" not in turn:
                plain.append(turn)
            elif len(plain) == step:
                error = turn["error"]
                error = error if isinstance(error, dict) else {"kind": error}
                skip += 1
                if until := error.get("until"):
                    if until in self.lifted:
                        continue
                    return {**turn, "error": error}
                key = (number, step * 100 + skip)
                if self._errors.get(key, 0) < error.get("times", 1):
                    self._errors[key] = self._errors.get(key, 0) + 1
                    return {**turn, "error": error}
        return plain[step] if step < len(plain) else self.default

    def _build(
        self, turn: dict[str, Any], req: Request, number: int, step: int, names: dict[str, str]
    ) -> Reply:
        turn = _fill(turn, {**self.variables, **names})
        name = (
            (self.rules[number].get("name") or f"rule {number}")
            if number < 900
            else ("queue", "default")[number - 900]
        )
        error = turn.get("error")
        reply = Reply(
            think=turn.get("think", ""),
            text=turn.get("text", ""),
            delay=float(turn.get("delay", 0)),
            chunk_delay=float(turn.get("chunk_delay", 0)),
            chunks=int(turn.get("chunks", 4)),
            stop=turn.get("stop"),
            error={"kind": error} if isinstance(error, str) else error,
            hang=bool(turn.get("hang")),
            drop_after=turn.get("drop_after"),
            rule=name,
            step=step,
        )
        for k, spec in enumerate(turn.get("calls") or []):
            cid = f"stub{number}x{step}x{k}"
            try:
                tool, args = resolve(spec, req.tools)
            except ScriptError:
                if "mcp" not in spec:
                    raise
                done = any(cid + "s" in c for msg in req.messages for c in msg.call_ids)
                tool, args, search = deferred(spec, req, done)
                cid += "s" if search else ""
            reply.calls.append(Call(cid, tool.name, args, tool.freeform, tool.namespace))
        said = reply.think + reply.text + json.dumps([c.args for c in reply.calls])
        reply.usage = {
            "input": max(1, len(json.dumps(req.body)) // 4),
            "output": max(1, len(said) // 4),
            "cached": 0,
            "written": 0,
            "reasoning": len(reply.think) // 4,
            **self.usage,
            **(turn.get("usage") or {}),
        }
        return reply
