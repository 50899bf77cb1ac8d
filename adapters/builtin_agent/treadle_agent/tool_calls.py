"""How tool calls are shown to the client: title, kind, places, differences, results."""

import json
from pathlib import Path
from typing import Any

from pydantic_ai.messages import BinaryContent, ToolCallPart, ToolReturnPart

from treadle_agent.tolerant import as_dict, as_list

SHELL, PLAN = "shell", "update_plan"
WRITE = "write_file"
FILE_TOOLS = ("read_file", "list_files", "grep", WRITE, "edit_file")
EDITS = frozenset({WRITE, "edit_file"})
KINDS = {
    "read_file": "read",
    "list_files": "search",
    "grep": "search",
    WRITE: "edit",
    "edit_file": "edit",
    SHELL: "execute",
    PLAN: "think",
}
MAX_TITLE = 200
MAX_TEXT = 32_000
"""Characters of a result that the client is shown."""


def arguments_of(call: ToolCallPart) -> dict[str, Any]:
    """Return a call's arguments; empty where the model wrote no JSON."""
    if isinstance(call.args, dict):
        return call.args
    try:
        return as_dict(json.loads(call.args or "{}"))
    except ValueError:
        return {}


def described(call: ToolCallPart, cwd: Path) -> dict[str, Any]:
    """Return what is told of a call before it runs: ACP's fields of a tool call."""
    arguments = arguments_of(call)
    shown: dict[str, Any] = {
        "toolCallId": call.tool_call_id,
        "title": _title(call.tool_name, arguments),
        "kind": KINDS.get(call.tool_name, "other"),
        "rawInput": arguments,
    }
    if isinstance(path := arguments.get("path"), str):
        line = arguments.get("offset")
        place: dict[str, Any] = {"path": str(cwd / path)}
        if isinstance(line, int):
            place["line"] = line + 1
        shown["locations"] = [place]
    if call.tool_name in EDITS:
        shown["content"] = _differences(call.tool_name, arguments, cwd)
    return shown


def ended(part: ToolReturnPart, content: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return what is told of a call after it ran; `content` stays shown instead of the result."""
    text = result_text(part)
    is_done = part.outcome == "success"
    shown: dict[str, Any] = {
        "toolCallId": part.tool_call_id,
        "status": "completed" if is_done else "failed",
        "rawOutput": {"output": text},
    }
    if content is None or not is_done:
        shown["content"] = [text_content(text)]
    return shown


def result_text(part: ToolReturnPart) -> str:
    """Return a result as text; images and the like are named only."""
    if any(isinstance(item, BinaryContent) for item in part.content_items()):
        return f"[{part.tool_name} gave a file to the model]"
    text = part.model_response_str(wrap_if_error=False)
    cut = len(text) - MAX_TEXT
    return text if cut <= 0 else f"{text[:MAX_TEXT]} [... {cut} characters cut]"


def text_content(text: str) -> dict[str, Any]:
    """Return a text as the content of a tool call."""
    return {"type": "content", "content": {"type": "text", "text": text}}


def _title(name: str, arguments: dict[str, Any]) -> str:
    if name == SHELL:
        title = f"`{arguments.get('command', '')}`"
    elif name == "grep":
        title = f"grep {arguments.get('pattern', '')}"
    elif name in KINDS and "path" in arguments:
        title = f"{name} {arguments['path']}"
    else:
        title = name
    return title if len(title) <= MAX_TITLE else f"{title[:MAX_TITLE]}…"


def _differences(name: str, arguments: dict[str, Any], cwd: Path) -> list[dict[str, Any]]:
    path = cwd / str(arguments.get("path", ""))
    if name == WRITE:
        try:
            old = path.read_text(errors="replace") if path.is_file() else None
        except OSError:
            old = None
        return [_difference(path, old, arguments.get("content"))]
    pairs = map(as_dict, as_list(arguments.get("replacements")) or [arguments])
    return [_difference(path, pair.get("old_text"), pair.get("new_text")) for pair in pairs]


def _difference(path: Path, old: Any, new: Any) -> dict[str, Any]:
    return {
        "type": "diff",
        "path": str(path),
        "oldText": old if isinstance(old, str) else None,
        "newText": new if isinstance(new, str) else "",
    }
