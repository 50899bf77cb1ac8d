"""Events as lines of a log, as `treadle logs` prints them."""

from datetime import UTC, datetime
from typing import Any

from rich.table import Table
from rich.text import Text

from cli.core.console import plain, quoted, rows
from cli.transcript import updates
from domain.agents.updates import (
    ENDED,
    FAILED,
    MESSAGE,
    THOUGHT,
    TOOL_CALLS,
    kind_of,
    status_of,
    text_of,
)
from domain.core.event_text import EventText, Tone, cut
from domain.core.ids import is_terminal
from domain.core.task_names import place_in_thread

_TITLE_LENGTH = 200
_TALK = {MESSAGE: "", THOUGHT: "dim"}
_QUIET_UPDATES = frozenset(
    {
        "available_commands_update",
        "config_option_update",
        "session_info_update",
        "usage_update",
        "user_message_chunk",
    }
)
"""Updates that `treadle logs` leaves out; `--json` and exports have them."""

_SHOWN_BY_STEP = frozenset(
    {"conversation_opened", "message_queued", "turn_started", "verification_step_ended"}
)
"""Events of a flow run that repeat the events of their step."""

_STYLES = {
    Tone.HIGHLIGHT: "bold",
    Tone.SUCCESS: "green",
    Tone.WARNING: "yellow",
    Tone.ERROR: "red",
}


class Transcript:
    """Draws events; remembers the titles of tool calls, which updates leave out."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def draw(self, row: dict[str, Any]) -> Table | None:
        """Draw an event of the API: time, stream, text; None for one without text."""
        stream, body = str(row["event"]["stream"]), row["event"]["body"]
        if is_terminal(stream) and "/session-" not in stream:
            return None  # its task has an event of it
        if stream.startswith("flow-") and body["kind"] in _SHOWN_BY_STEP:
            return None
        text = self._text(body, row.get("text"))
        if not text.plain.strip():
            return None
        at = datetime.fromisoformat(row["event"]["at"])
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="dim")
        table.add_column(no_wrap=True, style="cyan")
        table.add_column(overflow="fold")
        own = "flow" if stream.startswith("flow-") else "thread"
        place = place_in_thread(stream) or own
        table.add_row(f"{at.astimezone():%H:%M:%S}", plain(f"{place:<18}"), text)
        return table

    def _text(self, body: dict[str, Any], text: dict[str, Any] | None) -> Text:
        if text is not None:
            return draw_text(EventText.model_validate(text))
        return self._update(body["update"]) if body["kind"] == "agent_update" else Text()

    def _update(self, update: dict[str, Any]) -> Text:
        kind = kind_of(update)
        if kind in _TALK:
            return quoted(text_of(update.get("content")).strip("\n"), _TALK[kind])
        if kind in TOOL_CALLS:
            return self._tool(update)
        return plain("") if kind in _QUIET_UPDATES else updates.render_update(update)

    def _tool(self, update: dict[str, Any]) -> Text:
        call = str(update.get("toolCallId", ""))
        is_known = call in self._titles
        title = str(update.get("title") or self._titles.get(call) or "tool call")
        self._titles[call] = title
        status = status_of(update)
        if is_known and status not in ENDED:
            return plain("")
        title = cut(" ".join(title.split()), _TITLE_LENGTH)
        line = f"tool: {title}" + (f" ({status.replace('_', ' ')})" if status else "")
        lines = [line, *(f"  {line}" for line in updates.doings(update))]
        return rows(lines, "red" if status == FAILED else "blue")


def draw_text(text: EventText) -> Text:
    """Draw an event's text in the style of its tone, with its details quoted."""
    details = f"\n{text.details}" if text.details else ""
    return quoted(f"{text.summary}{details}", _STYLES.get(text.tone, ""))
