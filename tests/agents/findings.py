"""What the matrix found: kept in results.json, told in docs/reference/agents.md."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from domain.agents.checks import Capabilities

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parents[1] / "docs/reference/agents.md"
BEGIN, END = "<!-- matrix: written by `make agents` -->", "<!-- end of the matrix -->"

ORDER = (
    *("install", "try", "edit", "command", "tool of ours", "mend", "learning", "decision"),
    *("terminal", "planning", "chat", "switch", "shell", "usage", "usage, stopped", "cancel"),
    *("agent killed", "quota", "overflow", "worker killed", "question"),
)
"""The scenarios as the table has them."""


class Finding(BaseModel):
    """How one scenario went; `note` says what is worth telling of it, or how it failed."""

    is_passed: bool
    note: str = ""
    seconds: float = 0


class Row(BaseModel):
    """What was found of one agent; `not_run` says why nothing was."""

    agent: str
    package: str
    version: str = ""
    capabilities: Capabilities = Capabilities()
    findings: dict[str, Finding] = {}
    not_run: str = ""


def read_rows() -> list[Row]:
    """Return the rows that were found last, in the order of the table."""
    if not RESULTS.exists():
        return []
    return [Row.model_validate(row) for row in json.loads(RESULTS.read_text())]


def keep(row: Row, order: list[str]) -> None:
    """Put an agent's row in the place of its earlier one, and write the page's table anew."""
    rows = {one.agent: one for one in read_rows()} | {row.agent: row}
    kept = [rows[name] for name in order if name in rows]
    words = [one.model_dump(mode="json") for one in kept]
    RESULTS.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n")
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(kept)}\n{END}{after}")


def shown() -> str:
    """Return the table as the page has it."""
    _, _, rest = PAGE.read_text().partition(BEGIN)
    return rest.partition(END)[0].strip()


def table(rows: list[Row]) -> str:
    """Write capabilities, then scenarios, then the notes that the scenarios refer to."""
    ran = [row for row in rows if not row.not_run]
    notes: list[str] = []
    lines = [
        "| agent | version it tells | package | load / resume / list / close / fork | MCP by HTTP / SSE | images / embedded |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_capabilities(row) for row in rows),
        "",
        "| | " + " | ".join(f"`{row.agent}`" for row in ran) + " |",
        "| --- |" + " --- |" * len(ran),
    ]
    for name in ORDER:
        cells = [_cell(row.findings.get(name), row.agent, notes) for row in ran]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", *(f"{number}. {note}" for number, note in enumerate(notes, 1)), ""]
    return "\n".join(lines)


def _capabilities(row: Row) -> str:
    if row.not_run:
        return f"| `{row.agent}` | not run: {row.not_run} | `{row.package}` | | | |"
    can = row.capabilities
    ways = " ".join(_marks(can.load, can.resume, can.list, can.close, can.fork))
    servers = " ".join(_marks(can.mcp_http, can.mcp_sse))
    contents = " ".join(_marks(can.image, can.embedded_context))
    return f"| `{row.agent}` | {row.version} | `{row.package}` | {ways} | {servers} | {contents} |"


def _marks(*capabilities: bool) -> Iterator[str]:
    return ("✓" if has else "–" for has in capabilities)


def _cell(finding: Finding | None, agent: str, notes: list[str]) -> str:
    if finding is None:
        return ""
    mark = "✓" if finding.is_passed else "✗"
    if not finding.note:
        return mark
    note = re.sub(r"\s+", " ", finding.note).replace("|", "/")
    note = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", note)
    told = f"`{agent}`: {note}"
    if told not in notes:
        notes.append(told)
    return f"{mark} {notes.index(told) + 1}"
