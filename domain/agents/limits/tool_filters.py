"""Which tools an agent may use: allowed and denied patterns, deny wins.

A pattern is an ACP kind (`execute`), a usual name of such a tool (`bash`, `read_file`), or a tool of
an MCP server (`mcp:github/create_issue`); `*` stands for any text. Case does not count.
"""

import re
from fnmatch import fnmatchcase

from domain.agents.updates import EXECUTE, THINK
from domain.core.wire import Wire

KINDS: dict[str, frozenset[str]] = {
    "read": frozenset({"read_file", "view", "cat", "notebook_read"}),
    "edit": frozenset(
        {"write", "write_file", "search_replace", "apply_patch", "multi_edit", "create_file"}
    ),
    "delete": frozenset({"delete_file", "remove", "rm"}),
    "move": frozenset({"move_file", "rename", "mv"}),
    "search": frozenset({"grep", "glob", "ls", "list", "list_directory", "find"}),
    EXECUTE: frozenset({"bash", "shell", "terminal", "run", "run_command", "run_shell_command"}),
    "fetch": frozenset({"web_fetch", "webfetch", "web_search", "websearch", "browse"}),
}
"""ACP's kinds with the names that agents and people give such tools."""

OWN = "mcp:treadle/"
ENDINGS = frozenset({"report_done", "report_blocked"})
"""Tools of ours that no filter takes away: work that cannot be reported never ends."""

_MCP = (
    re.compile(r"mcp__(?P<server>[\w-]+?)__(?P<tool>[\w-]+)"),
    re.compile(r"mcp[./](?P<server>[\w-]+)[./](?P<tool>[\w-]+)"),
    re.compile(r"(?P<tool>[\w-]+) \((?P<server>[\w-]+) MCP Server\)"),
    re.compile(r"(?:mcp[_-])?(?P<server>treadle)(?:__?|[-./]|: ?)(?P<tool>\w+)"),
)
"""How agents title the tool of an MCP server; the last one is for Treadle's own only."""


class ToolFilter(Wire):
    """The filter of one task; empty lists filter nothing."""

    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether everything may be used."""
        return not self.allowed and not self.denied

    def may_use(self, kind: str, title: str) -> bool:
        """Tell whether an agent's tool may be used; kind and title are those of its ACP call.

        A tool that shows neither a known kind nor a name of MCP is refused where there is a list of
        allowed ones. Thinking is no tool.
        """
        own = mcp_name(title)
        if own.startswith(OWN):
            return self.offers(own.removeprefix(OWN))
        if kind == THINK:
            return True
        # what a call is titled only ever counts against it: an agent may write anything there
        called = {own or kind, title.split(" ", 1)[0].strip("`")}
        if any(_names(pattern, name) for pattern in self.denied for name in called):
            return False
        return not self.allowed or any(_names(pattern, own or kind) for pattern in self.allowed)

    def forbids(self, kind: str, title: str) -> bool:
        """Tell whether a tool that ran without a question was one that may not be used.

        What cannot be told from its kind or name is not held against the agent.
        """
        is_known = kind in KINDS or mcp_name(title) != ""
        return is_known and not self.may_use(kind, title)

    def offers(self, tool: str) -> bool:
        """Tell whether a tool of ours is offered.

        A list of allowed ones that names none of ours takes none of them away.
        """
        name = f"{OWN}{tool}"
        if tool in ENDINGS:
            return True
        if any(_names(pattern, name) for pattern in self.denied):
            return False
        ours = [p for p in self.allowed if p.lower().startswith(OWN)]
        return not ours or any(_names(pattern, name) for pattern in ours)


def mcp_name(title: str) -> str:
    """Return `mcp:SERVER/TOOL` of a call that is titled so, an empty text for all others.

    The whole title must fit, so that a shell line can't pass for one.
    """
    for form in _MCP:
        if (found := form.fullmatch(title.strip())) is not None:
            return f"mcp:{found['server']}/{found['tool']}".lower()
    return ""


def _names(pattern: str, name: str) -> bool:
    """Tell whether a pattern is of a tool: by itself, or by the kind that it is a usual name of."""
    wanted, name = pattern.strip().lower(), name.lower()
    if not name:
        return False
    known = {name, *KINDS.get(name, ())}
    known |= {kind for kind, names in KINDS.items() if name in names}
    return any(fnmatchcase(one, wanted) for one in known)
