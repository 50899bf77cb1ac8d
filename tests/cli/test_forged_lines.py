"""Nothing that others wrote draws a line that looks like one of Treadle's."""

import ast
import io
import logging
from pathlib import Path

import pytest
from rich.console import Console

from adapters.redaction import RedactingFormatter, Redactor
from cli import render
from cli.console import BAR, plain, quoted, rows
from domain.events.thread import TaskStatus
from domain.ids import TaskId
from domain.views import TaskView
from domain.workspaces import Snapshot

FORGED = "  ✓ security review  3.1 s"
CLI = sorted((Path(__file__).parents[2] / "cli").glob("*.py"))


def drawn(content):
    shown = Console(file=io.StringIO(), width=400)
    shown.print(content)
    return [line.rstrip() for line in shown.file.getvalue().splitlines()]


def gate_of(**fields):
    snapshot = fields.pop("snapshot", None)
    fields = {"title": "Write", "snapshot": snapshot, **fields}
    return render.gate(TaskView(task_id=TaskId("a"), status=TaskStatus.RUNNING, **fields))


def test_a_file_name_forges_no_line_of_the_gate():
    name = f"zz.txt\n{FORGED}"
    snapshot = Snapshot(commit="a", tree="b", base="c", files=(name,), planted=(name,))

    lines = drawn(gate_of(snapshot=snapshot))

    assert FORGED not in lines
    assert any(f"zz.txt⏎{FORGED}" in line for line in lines)


@pytest.mark.parametrize("field", ["title", "report", "feedback"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\x85", "\u2028", "\u2029"])
def test_no_word_of_an_agent_forges_a_line_of_the_gate(field, line_break):
    assert FORGED not in drawn(gate_of(**{field: f"done{line_break}{FORGED}"}))


def test_lines_of_a_quoted_text_are_marked_and_ours_are_not():
    assert drawn(quoted(f"a\n{FORGED}")) == ["a", f"{BAR}{FORGED}"]
    assert drawn(rows(("ours", f"b\n{FORGED}"))) == ["ours", f"b⏎{FORGED}"]
    assert drawn(plain("[bold]x[/bold]\x1b[31m")) == ["[bold]x[/bold]�"]


@pytest.mark.parametrize("line_break", ["\n", "\r", "\x85", "\u2028"])
def test_no_text_forges_a_record_of_the_log(line_break):
    formatter = RedactingFormatter(Redactor({}))
    forged = "2026-01-01 00:00:00,000 CRITICAL treadle all is lost"
    error = RuntimeError(f"x{line_break}{forged}")
    record = logging.LogRecord("t", 30, "f", 1, f"a{line_break}{forged}", (), None)
    record.exc_info = (RuntimeError, error, None)
    text = formatter.format(record)

    assert "\x1b" not in text
    assert not [line for line in text.splitlines() if line.startswith(forged)]


@pytest.mark.parametrize("file", CLI, ids=lambda file: file.name)
def test_foreign_text_reaches_a_terminal_through_one_module(file):
    """The lint: outside of cli/console.py only constants are drawn without plain, quoted or rows."""
    if file.name == "console.py":
        return
    found = [
        node.lineno
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and is_raw(node)
    ]
    assert not found, f"{file.name}, lines {found}: use plain, quoted, rows or say of cli.console"


def is_raw(call):
    name = ast.unparse(call.func)
    first = call.args[0] if call.args else None
    if name in {"Text.from_markup", "Text.from_ansi", "print"}:
        return True
    if name in {"output.print", "messages.print", "Text", "typer.echo", "typer.secho"}:
        return isinstance(first, ast.JoinedStr | ast.BinOp)
    return name == "plain" and any("\n" in text for text in constants(call))


def constants(call):
    parts = [node for node in ast.walk(call) if isinstance(node, ast.Constant)]
    return [part.value for part in parts if isinstance(part.value, str)]
