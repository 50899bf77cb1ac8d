"""Updates of agents as lines of a log: plans, modes, notices and tool calls."""

import difflib
from collections.abc import Iterator
from typing import Any

from rich.text import Text

from cli.core.console import plain, quoted, rows
from domain.agents.updates import kind_of

MAX_LINES = 20
MAX_ENTRY = 160
MAX_DIFF_LINES = 5_000
MARKS = {"completed": "✔", "in_progress": "▸"}
SEVERE = {"error": "red", "warning": "yellow"}


def render_update(update: dict[str, Any]) -> Text:
    """Draw an update that is neither talk nor a tool call; an unknown one by its name."""
    kind = kind_of(update)
    match kind:
        case "plan" | "plan_update":
            return rows(("plan:", *_entries(update)))
        case "plan_removed":
            return plain("plan: withdrawn")
        case "current_mode_update":
            return plain(f"mode: {update.get('currentModeId', '')}")
        case "notice":
            severity = str(update.get("severity", ""))
            return plain(f"notice: {_text(update.get('title'))}", SEVERE.get(severity, ""))
        case "compaction_update":
            error = _text(update.get("error"))
            return plain(f"context compacted: {_text(update.get('status'))} {error}".rstrip())
        case "compaction_summary_chunk" | "user_message_chunk" | "session_message_chunk":
            return quoted(_text(_dict(update.get("content")).get("text")), "dim")
        case "terminal_output":
            return _terminal(update)
        case _:
            return plain(kind.replace("_", " "))


def doings(update: dict[str, Any]) -> list[str]:
    """Return the changed files of a tool call, or the places it read, one line each."""
    content = [_dict(part) for part in _list(update.get("content"))]
    diffs = [part for part in content if part.get("type") == "diff"]
    if diffs:
        return [_changed(part) for part in diffs[:MAX_LINES]]
    places = [_dict(place) for place in _list(update.get("locations"))]
    return [_place(place) for place in places[:MAX_LINES] if place.get("path")]


def _entries(update: dict[str, Any]) -> Iterator[str]:
    plan = _dict(update.get("plan")) or update
    entries = [_dict(entry) for entry in _list(plan.get("entries") or plan.get("items"))]
    for entry in entries[:MAX_LINES]:
        mark = MARKS.get(str(entry.get("status")), "·")
        yield f"  {mark} {_text(entry.get('content'))[:MAX_ENTRY]}"
    if len(entries) > MAX_LINES:
        yield f"  … and {len(entries) - MAX_LINES} more"


def _changed(diff: dict[str, Any]) -> str:
    old, new = (_text(diff.get(name)).splitlines() for name in ("oldText", "newText"))
    path = _text(diff.get("path"))
    if max(len(old), len(new)) > MAX_DIFF_LINES:
        return f"{path} ({len(old)} lines before, {len(new)} after)"
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return f"{path} (+{added} -{removed})"


def _place(place: dict[str, Any]) -> str:
    line = place.get("line")
    return f"{_text(place.get('path'))}:{line}" if isinstance(line, int) else _text(place["path"])


def _terminal(update: dict[str, Any]) -> Text:
    status = _dict(update.get("exitStatus"))
    how = status.get("signal") or status.get("exitCode")
    lines = _text(update.get("output")).rstrip().splitlines()
    kept = [*(["…"] if len(lines) > MAX_LINES else []), *lines[-MAX_LINES:]]
    return quoted("\n".join([f"{update.get('terminalId', 'terminal')} ended: {how}", *kept]), "dim")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]  (ACP, as it came)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]  (ACP, as it came)
