"""What the editor shows of a thread besides its transcript: told again only where it has changed."""

from collections.abc import Iterator
from typing import Any

from acp import helpers, schema

from cli.acp.plans import call_of, entries_of
from cli.acp.slash import commands
from domain.reading.views import ThreadView


class Shown:
    """What one session of the editor was told last."""

    def __init__(self) -> None:
        self._title = ""
        self._entries: list[schema.PlanEntry] = []
        self._calls: dict[str, schema.ToolCallStart] = {}
        self._commands: list[schema.AvailableCommand] | None = None

    def news(self, view: ThreadView) -> Iterator[Any]:
        """Yield what has changed: the title, the plan, and the tasks that began."""
        title = view.topic or view.goal
        if title != self._title:
            self._title = title
            yield schema.SessionInfoUpdate(session_update="session_info_update", title=title)
        entries = entries_of(view)
        if entries != self._entries:
            self._entries = entries
            yield helpers.update_plan(entries)
        for task in view.works:
            call = call_of(view, task)
            if call is not None and call != self._calls.get(call.tool_call_id):
                is_new = call.tool_call_id not in self._calls
                self._calls[call.tool_call_id] = call
                yield call if is_new else _changed(call)

    def offer(self, names: list[str]) -> Iterator[Any]:
        """Yield the commands that can be given, where they have changed; `names` are the agent's own."""
        found = commands(names)
        if found != self._commands:
            self._commands = found
            yield helpers.update_available_commands(found)


def _changed(call: schema.ToolCallStart) -> schema.ToolCallProgress:
    return helpers.update_tool_call(
        call.tool_call_id, title=call.title, status=call.status, content=call.content
    )
