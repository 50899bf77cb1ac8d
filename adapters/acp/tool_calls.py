"""What is known of a session's tool calls, and what policy answers to those that ask."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adapters.acp.limits import clipped, fitted
from adapters.tolerant import as_dict, as_list, as_text
from domain.agents.limits.tool_filters import mcp_name
from domain.agents.permissions import (
    PermissionAnswer,
    PermissionOption,
    Rights,
    ToolUse,
    answer_permission,
)
from domain.agents.updates import COMPLETED, ENDED, status_of

MAX_KNOWN_CALLS = 1000
MAX_KEPT_CALLS = 32
MAX_TITLE_BYTES = 200


@dataclass(frozen=True)
class Request:
    """A request for permission: what is to be done, and the answers that the agent offers.

    `call` is all that the agent told of the tool call, in this request and before.
    """

    use: ToolUse
    call: dict[str, Any]
    options: Sequence[dict[str, Any]]
    answer: PermissionAnswer | None

    @property
    def name(self) -> str:
        """What it is called in the transcript."""
        return self.use.title or self.use.kind or "a tool call"


class ToolCalls:
    """The calls of one session; `rights` are those of its running turn."""

    def __init__(self, rights: Rights) -> None:
        self.rights = rights
        self._calls: dict[str, ToolUse] = {}
        self._details: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._asked: set[str] = set()

    def violation(self, update: dict[str, Any]) -> str:
        """Learn of a call by an update; says which tool ran unasked that may not be used."""
        call_id = _id_of(update)
        use = self._know(call_id, update)
        if status_of(update) in ENDED:
            self._details.pop(call_id, None)
        if status_of(update) != COMPLETED or call_id in self._asked:
            return ""
        if not self.rights.tools.forbids(use.kind, use.title):
            return ""
        return f"it used {use.title or use.kind!r} unasked, which is not allowed here"

    def read(self, params: dict[str, Any]) -> Request:
        """Read a request for permission, with what policy answers; None where a person must."""
        call = as_dict(params.get("toolCall"))
        call_id = _id_of(call)
        use = self._know(call_id, call)
        self._asked.add(call_id)
        offered = _options(params.get("options"))
        options = [
            PermissionOption(option_id=option["optionId"], kind=as_text(option.get("kind")))
            for option in offered
        ]
        answer = answer_permission(self.rights, use, options)
        known = {**self._details.get(call_id, {}), **call}
        return Request(use=use, call=known, options=offered, answer=answer)

    def _know(self, call_id: str, call: dict[str, Any]) -> ToolUse:
        """Remember what a tool call is, as later messages leave that out; returns it."""
        known = self._calls.get(call_id, ToolUse())
        if len(self._calls) >= MAX_KNOWN_CALLS:
            self._calls.clear()
            self._asked.clear()
        use = ToolUse(
            kind=clipped(as_text(call.get("kind")) or known.kind, MAX_TITLE_BYTES),
            title=_title(clipped(as_text(call.get("title")), MAX_TITLE_BYTES), known.title),
            command=_command(call.get("rawInput")) or known.command,
        )
        if call_id and (call_id in self._calls or "toolCallId" in call):
            self._calls[call_id] = use
            self._keep(call_id, call)
        return use

    def _keep(self, call_id: str, call: dict[str, Any]) -> None:
        """Keep what a call that is under way was told with; a request may only name it."""
        details = {
            name: call[name] for name in ("rawInput", "locations", "content") if name in call
        }
        if details:
            self._details[call_id] = fitted({**self._details.get(call_id, {}), **details})[0]
            self._details.move_to_end(call_id)
        while len(self._details) > MAX_KEPT_CALLS:
            self._details.popitem(last=False)


def _title(told: str, known: str) -> str:
    """Return a call's newest title; one that only leaves out the name of the tool's server does not count."""
    is_shortened = bool(told) and mcp_name(known).rpartition("/")[2] == told.strip().lower()
    return known if is_shortened else told or known


def _id_of(call: dict[str, Any]) -> str:
    return clipped(as_text(call.get("toolCallId")), MAX_TITLE_BYTES)


def _command(raw: Any) -> str:
    """Return the shell line of a tool call's input; one that was cut is marked, so no plain line."""
    line = as_dict(raw).get("command")
    words = as_list(line)
    return clipped(" ".join(map(str, words)) if words else as_text(line))


def _options(raw: Any) -> Sequence[dict[str, Any]]:
    """Return the options that can be chosen: of those with one id the first.

    None of them where they are of several kinds: an agent could take a no for the yes of that id.
    """
    offered: dict[str, list[dict[str, Any]]] = {}
    for option in map(as_dict, as_list(raw)):
        if option_id := as_text(option.get("optionId")):
            offered.setdefault(option_id, []).append(option)
    kinds = {name: {as_text(o.get("kind")) for o in options} for name, options in offered.items()}
    return [options[0] for name, options in offered.items() if len(kinds[name]) == 1]
