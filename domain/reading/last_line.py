"""What an agent did last, in one line: the newest tool call, or the end of what it says."""

from typing import Any, cast

from domain.conversations.events import AgentUpdate

MAX_CHARACTERS = 160


def last_line_of(body: object) -> str:
    """Return the line that an event adds; empty where it is nothing that an agent does or says."""
    if not isinstance(body, AgentUpdate):
        return ""
    update = body.update
    if update.get("sessionUpdate") == "tool_call":
        return _line(update.get("title"))
    if update.get("sessionUpdate") != "agent_message_chunk":
        return ""
    content = update.get("content")
    text = cast("dict[str, Any]", content).get("text") if isinstance(content, dict) else None
    lines = text.strip().splitlines() if isinstance(text, str) else []
    return _line(lines[-1] if lines else "")


def _line(text: Any) -> str:
    return " ".join(text.split())[:MAX_CHARACTERS] if isinstance(text, str) else ""
