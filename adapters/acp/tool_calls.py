"""What is known of a session's tool calls, and whether the agent may make them."""

from collections.abc import Sequence
from typing import Any

from adapters.acp.limits import clipped
from adapters.tolerant import as_dict, as_list, as_text
from domain.permissions import (
    PermissionAnswer,
    PermissionOption,
    Rights,
    ToolUse,
    answer_permission,
)

MAX_KNOWN_CALLS = 1000
MAX_TITLE_BYTES = 200


class ToolCalls:
    """The calls of one session; `rights` are those of its running turn."""

    def __init__(self, rights: Rights) -> None:
        self.rights = rights
        self._calls: dict[str, ToolUse] = {}
        self._asked: set[str] = set()

    def violation(self, update: dict[str, Any]) -> str:
        """Learn of a call by an update; says which tool ran unasked that may not be used."""
        call_id = _id_of(update)
        use = self._know(call_id, update)
        if update.get("status") != "completed" or call_id in self._asked:
            return ""
        if not self.rights.tools.forbids(use.kind, use.title):
            return ""
        return f"it used {use.title or use.kind!r} unasked, which is not allowed here"

    def answer(self, params: dict[str, Any]) -> tuple[PermissionAnswer, str]:
        """Answer a question for permission; returns with it what to note."""
        call = as_dict(params.get("toolCall"))
        call_id = _id_of(call)
        use = self._know(call_id, call)
        self._asked.add(call_id)
        answer = answer_permission(self.rights, use, _options(params.get("options")))
        outcome = "allowed once" if answer.is_allowed else "refused"
        return answer, f"permission for {use.title or use.kind or 'a tool call'!r}: {outcome}"

    def _know(self, call_id: str, call: dict[str, Any]) -> ToolUse:
        """Remember what a tool call is, as later messages leave that out; returns it."""
        known = self._calls.get(call_id, ToolUse())
        if len(self._calls) >= MAX_KNOWN_CALLS:
            self._calls.clear()
            self._asked.clear()
        use = ToolUse(
            kind=clipped(as_text(call.get("kind")) or known.kind, MAX_TITLE_BYTES),
            title=clipped(as_text(call.get("title")) or known.title, MAX_TITLE_BYTES),
            command=_command(call.get("rawInput")) or known.command,
        )
        if call_id:
            self._calls[call_id] = use
        return use


def _id_of(call: dict[str, Any]) -> str:
    return clipped(as_text(call.get("toolCallId")), MAX_TITLE_BYTES)


def _command(raw: Any) -> str:
    """Return the shell line of a tool call's input; one that was cut is marked, so no plain line."""
    line = as_dict(raw).get("command")
    words = as_list(line)
    return clipped(" ".join(map(str, words)) if words else as_text(line))


def _options(raw: Any) -> Sequence[PermissionOption]:
    offered = [as_dict(option) for option in as_list(raw)]
    return [
        PermissionOption(option_id=option["optionId"], kind=as_text(option.get("kind")))
        for option in offered
        if as_text(option.get("optionId"))
    ]
