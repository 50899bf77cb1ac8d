"""The page of the tools that `treadle mcp` has."""

from typing import Any

from cli.mcp.catalogue import TOOLS
from cli.mcp.resources import PROMPTS, TEMPLATES
from cli.mcp.tool import Tool

HEAD = """# MCP tools

What `treadle mcp` offers to [editors and other agents](../how-to/mcp.md). None of these tools can approve, answer, merge, publish or change
settings, and neither can the token that they use.

A failed call has `isError`, and its text starts with the type of the [error](errors.md). Additional types are `invalid` (invalid
arguments), `unreachable` (no engine answers), `busy` (too many calls are waiting) and `internal`.
"""


def page(generated: str) -> str:
    """Return the page."""
    return "\n".join((HEAD, generated, "", *map(_tool, TOOLS), _resources(), _prompts()))


def _tool(tool: Tool) -> str:
    kind = "Read-only." if tool.is_reading else "Not read-only, never destructive."
    takes = tool.takes.model_json_schema()
    rows = [
        (f"`{name}`", _default(name, field, takes), field.get("description", ""))
        for name, field in takes.get("properties", {}).items()
    ]
    gives = ", ".join(f"`{name}`" for name in tool.gives.model_json_schema()["properties"])
    table = _table(("argument", "default", "meaning"), rows) if rows else ""
    return f"## {tool.name}\n\n{tool.description} {kind}\n\n{table}\nReturns {gives}.\n"


def _default(name: str, field: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema.get("required", ()):
        return "required"
    found = field.get("default")
    if isinstance(found, list):
        return ", ".join(f"`{each}`" for each in found)  # pyright: ignore[reportUnknownVariableType]
    return (
        f"`{str(found).lower() if isinstance(found, bool) else found}`"
        if found not in {None, ""}
        else ""
    )


def _resources() -> str:
    rows = [(f"`{each.address}`", each.title, each.mime_type) for each in TEMPLATES]
    return f"## Resources\n\n{_table(('address', 'what', 'type'), rows)}"


def _prompts() -> str:
    rows = [
        (f"`{each.name}`", each.title, ", ".join(f"`{name}`" for name, _ in each.arguments))
        for each in PROMPTS
    ]
    return f"## Prompts\n\n{_table(('prompt', 'what', 'arguments'), rows)}"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
