"""The page of agents lists every tool, and whose it is."""

import re
from pathlib import Path

from adapters.tools.catalogue import TOOLS

PAGE = Path(__file__).parents[2] / "docs/reference/agents.md"
ROW = re.compile(r"^\| `([a-z_]+)` \| ([a-z, ]+) \| [^|]+ \|$", re.MULTILINE)


def test_the_page_has_every_tool_with_the_roles_that_get_it():
    offered: dict[str, set[str]] = {}
    for tool in TOOLS:
        roles = {role.replace("_", " ") for role in tool.roles}
        offered.setdefault(tool.name, set()).update(roles)

    section = PAGE.read_text().partition("## Treadle's tools")[2].partition("\n## ")[0]
    listed = {name: set(roles.split(", ")) for name, roles in ROW.findall(section)}

    assert listed == offered
    assert list(listed) == list(offered), "in the order in which they are offered"
