"""What an agent that asks permission is answered: a policy by role and kind, never by a person yet.

Kinds and options are ACP's. A planner looks and changes nothing; everyone else works in a worktree
of its own. `allow_always` is never chosen: it may outlive the session (facts/acp.md, rule 14).
"""

import re
from collections.abc import Sequence

from domain.agents import SessionRole
from domain.wire import Wire

ALLOW_ONCE = "allow_once"
REJECT_ONCE = "reject_once"
LOOKING = frozenset({"read", "search", "fetch", "think", "switch_mode"})
CHANGING = frozenset({"edit", "delete", "move", "execute"})
OUR_TOOL = re.compile(
    r"(?<![a-z0-9])(mcp[_.]+)?treadle(?![a-z0-9-])|\bpropose_plan\b", re.IGNORECASE
)


class PermissionOption(Wire):
    """One of the answers that the agent offers."""

    option_id: str
    kind: str = ""


class PermissionAnswer(Wire):
    """The chosen option, None where none of the offered ones may be chosen."""

    option_id: str | None
    is_allowed: bool


def answer_permission(
    role: SessionRole, kind: str, title: str, options: Sequence[PermissionOption]
) -> PermissionAnswer:
    """Choose an answer; `kind` and `title` are the tool call's, empty where the agent gave none."""
    is_allowed = _may(role, kind, title)
    chosen = _first(options, ALLOW_ONCE) if is_allowed else None
    if chosen is not None:
        return PermissionAnswer(option_id=chosen, is_allowed=True)
    return PermissionAnswer(option_id=_first(options, REJECT_ONCE), is_allowed=False)


def _may(role: SessionRole, kind: str, title: str) -> bool:
    if role is not SessionRole.PLANNER:
        return True
    return kind in LOOKING or (kind not in CHANGING and bool(OUR_TOOL.search(title)))


def _first(options: Sequence[PermissionOption], kind: str) -> str | None:
    return next((option.option_id for option in options if option.kind == kind), None)
