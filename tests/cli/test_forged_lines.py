"""Nothing that others wrote draws a line that looks like one of Treadle's."""

import ast
import io
import logging
from pathlib import Path

import pytest
from rich.columns import Columns
from rich.console import Console, Group
from rich.table import Table

from adapters.logs import RedactingFormatter
from adapters.redaction import Redactor
from cli.core.console import BAR, messages, plain, quoted, rows
from cli.tasks import drawing as task_drawing
from domain.core.ids import TaskId
from domain.core.workspaces import Snapshot
from domain.reading.views import TaskView
from domain.tasks.status import TaskStatus

FORGED = "  ✓ security review  3.1 s"
ROOT = Path(__file__).parents[2]
ITSELF = {"cli/core/console.py", "adapters/logs.py"}
"""What the others go through."""

TOO_EARLY = {"treadle/__main__.py"}
"""It prints the version alone, before anything heavy is imported."""

OWN_PROGRAMS = {"scripted_agent", "builtin_agent", "bridge.py"}
"""Started as a vendor's agent is: what they print is read as an agent's words."""

BESIDE_THE_CONSOLE = {
    *("Text.from_markup", "Text.from_ansi", "Markdown", "Syntax", "Console", "Pretty"),
    *("print", "input", "typer.echo", "typer.secho", "typer.confirm", "typer.prompt"),
    *("messages.input", "messages.out", "output.out", "messages.print_json", "output.print_json"),
    *("sys.stdout.write", "sys.stderr.write", "os.write"),
}
BESIDE_THE_LOG = {
    *("print", "sys.stdout.write", "sys.stderr.write", "traceback.print_exc"),
    *("logging.basicConfig", "logging.StreamHandler", "logging.FileHandler", "logging.Formatter"),
}


def name_of(file):
    return file.relative_to(ROOT).as_posix()


def sources(*folders):
    files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    files = (file for file in files if not OWN_PROGRAMS.intersection(file.parts))
    return sorted(file for file in files if name_of(file) not in ITSELF | TOO_EARLY)


DRAWING = sources("cli", "treadle")
SERVING = [
    *sources("adapters", "activities", "api", "workflows", "domain"),
    *ROOT.glob("worker*.py"),
]


def drawn(content):
    shown = Console(file=io.StringIO(), width=400)
    shown.print(content)
    return [line.rstrip() for line in shown.file.getvalue().splitlines()]


def gate_of(**fields):
    snapshot = fields.pop("snapshot", None)
    fields = {"title": "Write", "snapshot": snapshot, **fields}
    return task_drawing.gate(TaskView(task_id=TaskId("a"), status=TaskStatus.RUNNING, **fields))


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


@pytest.mark.parametrize("part", ["printed", "cell", "group", "measured"])
def test_a_bare_string_is_foreign_text_to_our_consoles(part):
    hostile = f"[bold]a[/bold] :smile: \x1b[2J\n{FORGED}\r{FORGED}"
    table = Table.grid()
    table.add_row(hostile)
    drawn_as = {
        "printed": hostile,
        "cell": table,
        "group": Group(hostile),
        "measured": Columns([hostile]),
    }
    shown = type(messages)(file=io.StringIO(), width=400)
    shown.print(drawn_as[part])
    lines = [line.rstrip() for line in shown.file.getvalue().split("\n")]

    assert lines[:2] == ["[bold]a[/bold] :smile: �", f"{BAR}{FORGED}�{FORGED}"]


@pytest.mark.parametrize("file", DRAWING, ids=name_of)
def test_foreign_text_reaches_a_terminal_through_one_module(file):
    """The lint: a bare string is inert by itself, and nothing else draws but constants."""
    found = [
        node.lineno
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and is_raw(node)
    ]
    assert not found, (
        f"{name_of(file)}, lines {found}: use plain, quoted, rows or say of cli.console"
    )


@pytest.mark.parametrize("file", SERVING, ids=name_of)
def test_foreign_text_reaches_a_log_through_one_formatter(file):
    """The lint: `keep_log_clean` alone says how a record is written, and nobody writes beside it."""
    calls = [n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Call)]
    found = [call.lineno for call in calls if ast.unparse(call.func) in BESIDE_THE_LOG]
    assert not found, f"{name_of(file)}, lines {found}: log it"


def is_raw(call):
    name = ast.unparse(call.func)
    titles = [k.value for k in call.keywords if k.arg in {"title", "subtitle", "caption"}]
    if name in BESIDE_THE_CONSOLE:
        return True
    if name == "Text":
        return bool(call.args) and not isinstance(call.args[0], ast.Constant)
    if name == "Text.assemble":
        return any(is_bare(part) for part in call.args)
    if name in {"Panel", "Table", "Table.grid"}:
        return any(not isinstance(title, ast.Constant | ast.Call) for title in titles)
    return name == "plain" and any("\n" in text for text in constants(call))


def is_bare(part):
    """Tell whether a part of a text is neither made by a function nor constant."""
    if isinstance(part, ast.Tuple):
        return not isinstance(part.elts[0], ast.Constant)
    return isinstance(part, ast.JoinedStr | ast.BinOp | ast.Attribute | ast.Subscript)


def constants(call):
    parts = [node for node in ast.walk(call) if isinstance(node, ast.Constant)]
    return [part.value for part in parts if isinstance(part.value, str)]
