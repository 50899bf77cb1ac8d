"""What doors show of a session: its agent, what that offers, how it is confined, and what it took."""

from datetime import datetime
from typing import Any

from domain.events import EventBody
from domain.events.session import (
    AgentSessionOpened,
    SandboxApplied,
    ToolCalled,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from domain.offers import OfferedOption
from domain.tasks.stats import TaskStats
from domain.wire import Wire

_GOES_ON = {"waits_until": None, "waits_for": ""}


class SessionFacts(Wire):
    """Folded from the session's own stream; `tool_calls` are those of Treadle's tools.

    A turn that its provider refused `waits_until` a time, and `waits_for` that reason.
    """

    turns: int = 0
    is_working: bool = False
    tool_calls: int = 0
    waits_until: datetime | None = None
    waits_for: str = ""
    sandbox: str = ""
    version: str = ""
    options: tuple[OfferedOption, ...] = ()
    commands: tuple[str, ...] = ()
    stats: TaskStats = TaskStats()

    @property
    def shown(self) -> dict[str, Any]:
        """The fields of a session's view that are told here alone."""
        return {
            "waits_until": self.waits_until,
            "waits_for": self.waits_for,
            "sandbox": self.sandbox,
            "version": self.version,
            "options": {o.category or o.option_id: o.current for o in self.options},
            "stats": self.stats,
        }

    def after(self, body: EventBody) -> "SessionFacts":
        """Return what is known after one more event of the stream."""
        match body:
            case TurnStarted():
                changes = {"turns": body.number, "is_working": True}
            case TurnEnded(result=result):
                stats = self.stats.after(
                    result.usage, result.tool_calls, result.tool_failures, result.duration_ms
                )
                changes = {"is_working": False, "stats": stats, **_GOES_ON}
            case TurnDelayed():
                changes = {"waits_until": body.until, "waits_for": body.reason}
            case TurnResumed():
                changes = _GOES_ON
            case ToolCalled():
                changes = {"tool_calls": self.tool_calls + 1}
            case SandboxApplied():
                changes = {"sandbox": body.summary}
            case AgentSessionOpened():
                names = ("version", "options", "commands")
                changes = {name: getattr(body, name) for name in names}
            case _:
                return self
        return self.model_copy(update=changes)
