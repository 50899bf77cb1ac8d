"""ACP's words in the updates of a session: their kinds, and the kinds and statuses of tool calls."""

from typing import Any

MESSAGE, THOUGHT = "agent_message_chunk", "agent_thought_chunk"
CHUNKS = frozenset({MESSAGE, THOUGHT})
"""Updates that carry a piece of the agent's text."""

TOOL_CALL, TOOL_CALL_UPDATE = "tool_call", "tool_call_update"
TOOL_CALLS = frozenset({TOOL_CALL, TOOL_CALL_UPDATE})

COMPLETED, FAILED = "completed", "failed"
ENDED = frozenset({COMPLETED, FAILED})
"""The statuses of a tool call that is over."""

EXECUTE, THINK = "execute", "think"
READING = frozenset({"read", "search", "fetch", THINK})
TOOL_KINDS = READING | {"edit", "delete", "move", EXECUTE}
"""The kinds of tool calls whose reach is known; `READING` are those that change nothing."""


def kind_of(update: dict[str, Any]) -> str:
    """Return an update's kind, an empty text where it has none."""
    return _word(update.get("sessionUpdate"))


def status_of(call: dict[str, Any]) -> str:
    """Return a tool call's status, an empty text where it has none."""
    return _word(call.get("status"))


def text_of(content: Any) -> str:
    """Return the text of a content block; other blocks are named, as in `[image]`."""
    if not isinstance(content, dict):
        return ""
    block: dict[str, Any] = content  # pyright: ignore[reportUnknownVariableType]  (ACP, as it came)
    return str(block.get("text") or f"[{block.get('type', 'content')}]")


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
