"""What an agent that asks permission is answered: a policy by role, tool filter and call.

Kinds and options are ACP's. A session that only reads looks and changes nothing; everyone else works
in a worktree of its own. `allow_always` is never chosen: it may outlive the session (facts/acp.md,
rule 14).
"""

import re
import shlex
from collections.abc import Sequence

from domain.agents import READERS, SessionRole
from domain.limits.tool_filters import OWN, ToolFilter, mcp_name
from domain.wire import Wire

ALLOW_ONCE = "allow_once"
REJECT_ONCE = "reject_once"
LOOKING = frozenset({"read", "search", "fetch", "think"})

_GIT = frozenset({"blame", "diff", "grep", "log", "ls-files", "rev-parse", "show", "status"})
_PROGRAMS = frozenset({"cat", "file", "find", "grep", "head", "ls", "pwd", "rg", "stat", "tail"})
_PLAIN = re.compile(r"[\w\s./,:=@+%^~\"'*?-]+", re.ASCII)
_ACTING = re.compile(
    r"-o|-O|-c|--output|--open|--pre|--ext|--text|--config|-exec|-ok|-delete|-fprint|-fls"
)
"""How options of these programs begin that write a file or start another program."""


class PermissionOption(Wire):
    """One of the answers that the agent offers."""

    option_id: str
    kind: str = ""


class PermissionAnswer(Wire):
    """The chosen option, None where none of the offered ones may be chosen."""

    option_id: str | None
    is_allowed: bool


class ToolUse(Wire):
    """A tool call as ACP shows it; what the agent left out is empty."""

    kind: str = ""
    title: str = ""
    command: str = ""


class Rights(Wire):
    """What a session may do; `own` are the tools of ours that it was given."""

    role: SessionRole
    tools: ToolFilter = ToolFilter()
    own: frozenset[str] = frozenset()

    def allow(self, use: ToolUse) -> bool:
        """Tell whether a tool may be used."""
        title = use.title.strip()
        own = title if title in self.own else mcp_name(title).removeprefix(OWN)
        if own in self.own:
            return True
        if not self.tools.may_use(use.kind, title):
            return False
        if self.role not in READERS:
            return True
        return use.kind in LOOKING or (use.kind == "execute" and is_looking(use.command or title))


def answer_permission(
    rights: Rights, use: ToolUse, options: Sequence[PermissionOption]
) -> PermissionAnswer:
    """Choose an answer."""
    chosen = _first(options, ALLOW_ONCE) if rights.allow(use) else None
    if chosen is not None:
        return PermissionAnswer(option_id=chosen, is_allowed=True)
    return PermissionAnswer(option_id=_first(options, REJECT_ONCE), is_allowed=False)


def is_looking(command: str) -> bool:
    """Tell whether a shell line is one command that only reads, without anything of a shell's."""
    line = command.strip().strip("`")
    if not _PLAIN.fullmatch(line) or "\n" in line:
        return False
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    if words[:1] == ["git"]:
        words = words[1:]
        is_known = words[:1] != [] and words[0] in _GIT
    else:
        is_known = words[:1] != [] and words[0] in _PROGRAMS
    return is_known and not any(_ACTING.match(word) for word in words[1:])


def _first(options: Sequence[PermissionOption], kind: str) -> str | None:
    return next((option.option_id for option in options if option.kind == kind), None)
