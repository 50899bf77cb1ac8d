"""What an agent says in a turn, as Markdown: words, thoughts, plans, tool calls with their diffs."""

import difflib
from collections.abc import Iterator
from typing import Any

from domain.agents.updates import (
    COMPLETED,
    ENDED,
    MESSAGE,
    THOUGHT,
    TOOL_CALLS,
    kind_of,
    status_of,
    text_of,
)
from domain.core.markdown import code, fenced

_TALK = {MESSAGE: "The agent", THOUGHT: "The agent thinks"}
_SHOWN = 10_000
"""Characters of a tool call's input, output or diff."""


class Transcript:
    """Tells updates of a session (ACP); neighbouring pieces of one message become one block."""

    def __init__(self) -> None:
        self._kind = ""
        self._words: list[str] = []
        self._titles: dict[str, str] = {}

    def tell(self, update: dict[str, Any]) -> Iterator[str]:
        """Return what an update says, once it is known to be whole."""
        kind = kind_of(update)
        if kind in _TALK:
            if kind != self._kind:
                yield from self.end()
            self._kind = kind
            self._words.append(text_of(update.get("content")))
        elif kind in TOOL_CALLS:
            yield from self.end()
            yield from self._tool(update)
        elif kind == "plan":
            yield from self.end()
            yield from _plan(update)

    def end(self) -> Iterator[str]:
        """Return the message that was being said."""
        text, kind = "".join(self._words).strip("\n"), self._kind
        self._kind, self._words = "", []
        if text:
            yield f"\n{_TALK[kind]}:\n\n{fenced(text)}\n"

    def _tool(self, update: dict[str, Any]) -> Iterator[str]:
        call = str(update.get("toolCallId", ""))
        is_known, status = call in self._titles, status_of(update)
        title = str(update.get("title") or self._titles.get(call) or "tool call")
        self._titles[call] = title
        if is_known and status not in ENDED and not update.get("content"):
            return
        yield f"- tool {code(title, 300)} {status.replace('_', ' ')}\n"
        for name, info in (("rawInput", "json"), ("rawOutput", "text")):
            if value := update.get(name):
                yield f"\n{fenced(str(value), info if isinstance(value, str) else 'text', _SHOWN)}\n"
        for block in _blocks(update.get("content")):
            yield from _block(block)


def _plan(update: dict[str, Any]) -> Iterator[str]:
    """Return the agent's own plan as a list of what is done and what is not."""
    for entry in _blocks(update.get("entries")):
        mark = "x" if status_of(entry) == COMPLETED else " "
        yield f"- plan [{mark}] {code(str(entry.get('content') or ''), 300)}\n"


def _blocks(content: Any) -> list[dict[str, Any]]:
    if not isinstance(content, list):
        return []
    items: list[Any] = content  # pyright: ignore[reportUnknownVariableType]  (ACP, as it came)
    return [item for item in items if isinstance(item, dict)]


def _block(block: dict[str, Any]) -> Iterator[str]:
    if block.get("type") == "diff":
        path = str(block.get("path", ""))
        before, after = (str(block.get(name) or "").splitlines() for name in ("oldText", "newText"))
        lines = difflib.unified_diff(before[:2000], after[:2000], path, path, lineterm="")
        yield f"\n{fenced(chr(10).join(lines), 'diff', _SHOWN)}\n"
    elif text := text_of(block.get("content")):
        yield f"\n{fenced(text, limit=_SHOWN)}\n"
