"""What an agent that asks permission is answered by policy, and what only a person can answer.

Kinds and options are ACP's. A session that only reads looks and changes nothing, whoever is asked.
Others work in a worktree of their own: where a sandbox holds them there, what stays inside is allowed
once, and what reaches out (tools of other servers, modes, what nobody knows) is asked. `allow_always`
is never chosen by policy: it may outlive the session.
"""

import re
import shlex
from collections.abc import Sequence
from enum import StrEnum

from domain.agents.agents import READERS, SessionRole
from domain.agents.limits.tool_filters import OWN, ToolFilter, mcp_name
from domain.agents.updates import EXECUTE, READING, TOOL_KINDS
from domain.core.wire import Wire

ALLOW_ONCE = "allow_once"
REJECT_ONCE = "reject_once"
MAX_SCOPE = 500

_GIT = frozenset({"blame", "diff", "grep", "log", "ls-files", "rev-parse", "show", "status"})
_PROGRAMS = frozenset({"cat", "find", "grep", "head", "ls", "pwd", "rg", "stat", "tail"})
_PLAIN = re.compile(r"[\w\s./,:=@+%^~\"'*?-]+", re.ASCII)
_ACTING = re.compile(
    r"-o|-O|-c|--ou|--op|--pre|--ext|--text|--config|--host|-exec|-ok|-delete|-fprint|-fls"
)
"""How options of these programs begin that write a file or start another program."""


class PermissionOption(Wire):
    """One of the answers that the agent offers."""

    option_id: str
    kind: str = ""


class PermissionMode(StrEnum):
    """When a person is asked: where policy does not tell, for all that acts, or never."""

    POLICY = "policy"
    ASK = "ask"
    ALLOW = "allow"


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
    """What a session may do; `own` are the tools of ours that it was given.

    Of those, `commanding` take an argument called `command`.
    """

    role: SessionRole
    tools: ToolFilter = ToolFilter()
    own: frozenset[str] = frozenset()
    commanding: frozenset[str] = frozenset()
    is_confined: bool = True
    mode: PermissionMode = PermissionMode.POLICY

    @property
    def asks(self) -> bool:
        """Whether a person is asked for what acts, so that the agent has to ask for it."""
        if self.mode is PermissionMode.POLICY:
            return not self.is_confined
        return self.mode is PermissionMode.ASK

    def allow(self, use: ToolUse) -> bool | None:
        """Tell whether a tool may be used; None where a person must be asked."""
        title = use.title.strip()
        is_shell = use.kind == EXECUTE and use.command != ""
        if is_shell and (title in self.own or mcp_name(title)):
            title = ""  # some agents title a shell's call by the words of their model
        if self._is_own(title, has_command=use.command != ""):
            return True
        if not self.tools.may_use(use.kind, title):
            return False
        looks = use.kind in READING or (use.kind == EXECUTE and is_looking(use.command or title))
        if self.role in READERS:
            return looks
        if self.mode is PermissionMode.ALLOW:
            return True
        if mcp_name(title):
            return None
        is_inside = self.is_confined and self.mode is PermissionMode.POLICY
        return True if looks or (is_inside and use.kind in TOOL_KINDS) else None

    def _is_own(self, title: str, *, has_command: bool) -> bool:
        """Tell whether a call is one of ours, by its exact name with our server's.

        One with a command is ours only where that tool takes one, and is spelled as our server's: the
        shell of an agent has a command too, and the bare name could be its own.
        """
        name = mcp_name(title)
        if has_command:
            return name.startswith(OWN) and name.removeprefix(OWN) in self.own & self.commanding
        return (title if title in self.own else name.removeprefix(OWN)) in self.own


def answer_permission(
    rights: Rights, use: ToolUse, options: Sequence[PermissionOption]
) -> PermissionAnswer | None:
    """Choose an answer; None where a person must be asked.

    Where it is allowed and the agent does not offer to allow it once, a person chooses as well.
    """
    may = rights.allow(use)
    if may is False:
        return PermissionAnswer(option_id=_first(options, REJECT_ONCE), is_allowed=False)
    chosen = _first(options, ALLOW_ONCE) if may else None
    if chosen is not None:
        return PermissionAnswer(option_id=chosen, is_allowed=True)
    if rights.role in READERS:
        return PermissionAnswer(option_id=_first(options, REJECT_ONCE), is_allowed=False)
    return None


def scope_of(use: ToolUse) -> str:
    """Return for what exactly an answer can be remembered, empty where it can't be.

    That is a tool of an MCP server with any arguments, one command as it stands, or else one call
    as it is titled.
    """
    if use.command:
        scope = f"{use.kind or 'execute'}: {use.command}"
    elif name := mcp_name(use.title):
        scope = name
    else:
        scope = f"{use.kind or 'other'}: {use.title.strip()}" if use.title.strip() else ""
    return scope if len(scope) <= MAX_SCOPE else ""


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
