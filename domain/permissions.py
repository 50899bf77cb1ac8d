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
LOOKING = frozenset({"read", "search", "fetch", "think"})
OUR_TOOL = re.compile(
    r"(mcp[._]{1,2})?treadle([._]{1,2}|: ?)[a-z_]+|propose_plan( \(treadle MCP Server\))?",
    re.IGNORECASE,
)
"""A tool of ours, by its title in Claude Code, Codex, OpenCode, Gemini and the like. Some call it
`execute`; a shell line can't be read so, as it must match whole."""


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
    return kind in LOOKING or OUR_TOOL.fullmatch(title.strip()) is not None


def _first(options: Sequence[PermissionOption], kind: str) -> str | None:
    return next((option.option_id for option in options if option.kind == kind), None)
