"""Counts what an agent tells of a turn: its tool calls, how full its context is, its own commands."""

from typing import Any

from adapters.acp.usage import MAX_COUNT, Meter, usage_of
from adapters.tolerant import as_dict, as_list, as_text, at
from domain.agents.agents import ContextFill, Usage, UsageSource
from domain.agents.updates import FAILED, TOOL_CALLS, kind_of, status_of

MAX_CALLS = 10_000


class Tally:
    """One session's count; commands and context stay over turns, tool calls are one turn's.

    `by_calls` are the turn's tokens by what the agent told after each call of the model.
    """

    def __init__(self) -> None:
        self.context: ContextFill | None = None
        self.by_calls: Usage | None = None
        self.meter = Meter()
        self._commands: frozenset[str] = frozenset()
        self._calls: dict[str, bool] = {}

    @property
    def tool_calls(self) -> int:
        """How many tools were called."""
        return len(self._calls)

    @property
    def cost(self) -> float | None:
        """What the turn has cost so far, None where the agent tells no cost."""
        usage = self.meter.metered(None)
        return usage.cost if usage else None

    @property
    def tool_failures(self) -> int:
        """How many of them failed."""
        return sum(self._calls.values())

    def begin(self, *, is_fresh: bool) -> None:
        """Begin a turn, the first one of a fresh session perhaps."""
        self._calls.clear()
        self.by_calls = None
        self.meter.begin(is_fresh=is_fresh)

    @property
    def commands(self) -> tuple[str, ...]:
        """The names of the agent's own commands, sorted."""
        return tuple(sorted(self._commands))

    def offers(self, command: str) -> bool:
        """Tell whether the agent has such a command."""
        return command in self._commands

    def know(self, update: dict[str, Any]) -> None:
        """Learn what holds beyond a turn; updates between turns count as well."""
        kind = kind_of(update)
        if kind == "available_commands_update":
            offered = map(as_dict, as_list(update.get("availableCommands"))[:1_000])
            self._commands = frozenset(as_text(command.get("name")) for command in offered)
        elif kind == "usage_update":
            used, size = _count(update.get("used")), _count(update.get("size"))
            if size and used is not None:
                self.context = ContextFill(used=used, size=size)
            self.meter.know(update)

    def count(self, update: dict[str, Any]) -> None:
        """Count a call of a tool, or of the model, in the running turn."""
        if usage := usage_of({"usage": at(update, "_meta.usage")}):
            usage = usage.model_copy(update={"source": UsageSource.CALLS})
            self.by_calls = self.by_calls.plus(usage) if self.by_calls else usage
        call_id = as_text(update.get("toolCallId"))
        is_call = kind_of(update) in TOOL_CALLS and call_id
        if is_call and (call_id in self._calls or len(self._calls) < MAX_CALLS):
            is_failed = status_of(update) == FAILED
            self._calls[call_id] = self._calls.get(call_id, False) or is_failed


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= MAX_COUNT else None
