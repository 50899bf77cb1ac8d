"""What doors show of a session: its agent, what that offers, how it is confined, and what it took."""

from datetime import datetime
from functools import reduce
from typing import Any

from domain.agents.agents import TurnResult
from domain.agents.limits.money import HOLDS, OVER_LIMIT
from domain.agents.offers import OfferedOption
from domain.agents.spending import Taken, taken_by
from domain.conversations.events import (
    AgentSessionOpened,
    RoleChanged,
    SandboxApplied,
    ToolCalled,
    TurnConcern,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
    TurnUsageUpdated,
)
from domain.conversations.stats import TaskStats
from domain.core.event import EventBody
from domain.core.ids import TurnId
from domain.core.wire import Wire
from domain.core.workspaces import listed

MODE = "mode"
"""The category of the option that says what an agent may do."""

_NONE: dict[str, TurnConcern] = {}
_GOES_ON = {"waits_until": None, "waits_for": "", "refusals": 0, "is_over_limit": False}


class SessionFacts(Wire):
    """Folded from the session's own stream; `tool_calls` are those of Treadle's tools.

    A turn that its provider refused so many times `waits_until` a time, and `waits_for` that reason; one that it
    never refused waits for a spending limit, which a person is asked to raise where it `is_over_limit`.
    `concerns` are those of the running turn, by what was counted; `running` is what its parts took so
    far, `by_agent` what turns that ended took, by whose they were. `files` are those that its turns
    changed. One that `has_new_role` has its mode and its sandbox once its agent is opened for it.
    """

    turns: int = 0
    is_working: bool = False
    tool_calls: int = 0
    waits_until: datetime | None = None
    waits_for: str = ""
    refusals: int = 0
    is_over_limit: bool = False
    sandbox: str = ""
    version: str = ""
    options: tuple[OfferedOption, ...] = ()
    commands: tuple[str, ...] = ()
    stats: TaskStats = TaskStats()
    concerns: dict[str, TurnConcern] = {}
    running: dict[str, Taken] = {}
    by_agent: dict[str, TaskStats] = {}
    files: tuple[str, ...] = ()
    has_new_role: bool = False

    @property
    def shown(self) -> dict[str, Any]:
        """The fields of a session's view that are told here alone."""
        return {
            "waits_until": self.waits_until,
            "waits_for": self.waits_for,
            "refusals": self.refusals,
            "is_over_limit": self.is_over_limit,
            "sandbox": self.sandbox,
            "version": self.version,
            "options": {
                option.category or option.option_id: option.current
                for option in self.options
                if not (self.has_new_role and option.category == MODE)
            },
            "stats": self.stats,
            "concerns": tuple(self.concerns.values()),
            "so_far": reduce(TaskStats.plus, self.running.values(), TaskStats()),
            "by_agent": self.by_agent,
            "files": self.files,
        }

    def after(self, body: EventBody) -> "SessionFacts":
        """Return what is known after one more event of the stream."""
        match body:
            case TurnStarted():
                changes = {"turns": body.number, "is_working": True}
            case TurnEnded(result=result):
                changes = {
                    "is_working": False,
                    "concerns": _NONE,
                    **_GOES_ON,
                    **self._ended(result),
                }
            case TurnUsageUpdated(taken=taken):
                changes = {"running": {**self.running, _part(body): taken}}
            case TurnDelayed():
                refusals = 0 if body.provider in HOLDS else body.refusals - body.pauses
                waits = {"waits_until": body.until, "waits_for": body.reason}
                waits |= {"refusals": refusals, "is_over_limit": body.provider == OVER_LIMIT}
                changes = {**waits, "concerns": _NONE}
            case TurnConcern(bound=bound):
                own = {bound: body} if body.message else {}
                others = {name: it for name, it in self.concerns.items() if name != bound}
                changes = {"concerns": {**others, **own}}
            case TurnResumed():
                changes = _GOES_ON
            case ToolCalled():
                changes = {"tool_calls": self.tool_calls + 1}
            case SandboxApplied() | AgentSessionOpened() | RoleChanged():
                changes = _opened(body)
            case _:
                return self
        return self.model_copy(update=changes)

    @property
    def settled(self) -> "SessionFacts":
        """What is known once no turn runs any more, whether its end was journaled or not."""
        lost = TurnResult(turn_id=TurnId(""))
        return self.model_copy(update=self._ended(lost)) if self.running else self

    def _ended(self, result: TurnResult) -> dict[str, Any]:
        """Return what all parts of a turn add; without an agent the result is not of the one that ran."""
        is_reported = bool(result.agent) or not self.running
        last = _part(result) if is_reported else ""
        parts = [taken for part, taken in self.running.items() if part != last]
        parts += [taken_by(result)] if is_reported else []
        by_agent = dict(self.by_agent)
        for taken in parts:
            if taken.agent:
                by_agent[taken.by] = by_agent.get(taken.by, TaskStats()).plus(taken)
        stats = reduce(TaskStats.plus, parts, self.stats)
        changed = result.snapshot.of_turn if result.snapshot else ()
        files = listed(dict.fromkeys((*self.files, *changed)))
        return {"stats": stats, "by_agent": by_agent, "running": {}, "files": files}


def _opened(body: SandboxApplied | AgentSessionOpened | RoleChanged) -> dict[str, Any]:
    """Return what is known of how an agent is opened; with another role it is opened anew."""
    match body:
        case SandboxApplied():
            return {"sandbox": body.summary}
        case RoleChanged():
            return {"has_new_role": True, "sandbox": ""}
        case AgentSessionOpened():
            names = ("version", "options", "commands")
            return {name: getattr(body, name) for name in names} | {"has_new_role": False}


def _part(of: TurnUsageUpdated | TurnResult) -> str:
    return f"{of.turn_id} {of.part}"
