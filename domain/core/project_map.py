"""What planners know of a project before they look: its map file, and facts of its repository.

The map is TREADLE.md, FLOWGENTIC.md, else AGENTS.md or CLAUDE.md.
"""

import re
from pathlib import PurePosixPath

from pydantic import Field

from domain.core.wire import Wire

MAP_FILES = ("TREADLE.md", "FLOWGENTIC.md", "AGENTS.md", "CLAUDE.md")
FOLDER_FILES = frozenset({"TREADLE.md", "FLOWGENTIC.md"})
"""The maps whose entries name folders; in the others such a line is prose."""

_ENTRY = re.compile(r"^\s*[-*]\s*(?P<name>[^:`*]+?)\s*:\s*`?(?P<path>[^`\s]+)`?\s*$")
_MAX_PATH = 200


class PlanFolders(Wire):
    """Where plans are kept as files: those under way, and those that are done."""

    active: str
    completed: str


class ProjectSurvey(Wire):
    """Facts of a repository at its head, each list cut to what a planner reads."""

    map_file: str = ""
    languages: tuple[str, ...] = ()
    top_level: tuple[str, ...] = ()
    file_count: int = 0
    test_commands: tuple[str, ...] = ()
    recent_commits: tuple[str, ...] = ()
    agents_link: str = Field(default="", exclude_if=lambda path: not path)
    """The file of the repository that AGENTS.md is a link to."""

    @property
    def text(self) -> str:
        """The facts as a planner reads them."""
        facts = {
            "Files": f"{self.file_count} tracked" if self.file_count else "",
            "Languages": ", ".join(self.languages),
            "Top level": ", ".join(f"`{name}`" for name in self.top_level),
            "Test commands found (not tried)": ", ".join(f"`{c}`" for c in self.test_commands),
            "Recent commits": "".join(f"\n  - {commit}" for commit in self.recent_commits),
        }
        return "\n".join(f"- {name}: {fact}" for name, fact in facts.items() if fact)


def map_of_agents(map_file: str, text: str) -> str:
    """Return what agents that work are told of the map: TREADLE.md and FLOWGENTIC.md as they are.

    The others speak to agents themselves, and many read them unasked, so they are only named.
    """
    if map_file in FOLDER_FILES or not map_file:
        return text
    return f"Read `{map_file}` at the top of your checkout."


def plan_folders(map_file: str, text: str) -> PlanFolders | None:
    """Return the folders that a project map names for plans, None where it does not name both.

    An entry reads `- Active plans: docs/plans/active/`; a path that leads out of the repository is
    none.
    """
    if map_file not in FOLDER_FILES:
        return None
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = _ENTRY.match(line)
        name = match["name"].strip().casefold() if match else ""
        if match and name in {"active plans", "completed plans"} and _is_inside(match["path"]):
            found.setdefault(name.split()[0], str(PurePosixPath(match["path"])))
    if len(found) < len(PlanFolders.model_fields) or found["active"] == found["completed"]:
        return None
    return PlanFolders(**found)


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    is_plain = path.isprintable() and len(path) <= _MAX_PATH and "\\" not in path
    is_apart = bool(parts) and ".." not in parts and ".git" not in {p.lower() for p in parts}
    return is_plain and is_apart and not path.startswith(("/", "~", "-"))
