"""Flow runs as they are drawn on a terminal."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain, rows
from cli.core.tables import table_of
from domain.core.event_text import cut
from domain.core.remote_repositories import is_remote
from domain.flows.wordings import place_words
from domain.reading.flow_runs import FlowRunView, FlowStepView
from domain.threads.shown import hash_option

_STYLES = {
    "running": "cyan",
    "waiting": "yellow",
    "stopping": "yellow",
    "stopped": "yellow",
    "failed": "red",
    "completed": "green",
}
_MARKS = {"done": "✓", "broke": "✓", "continued": "✓", "failed": "✗", "no_answer": "✗"}
_SHOWN = 80


def listing(rows: list[dict[str, Any]]) -> RenderableType:
    """Return runs as a table."""
    if not rows:
        return plain("No runs yet. Start one with `treadle flow run NAME`.", "dim")
    headings = ("run", "status", "title", "project", "waiting for")
    table = table_of(*headings, folded=headings[1:], whole=["run"])
    for row in rows:
        table.add_row(
            plain(row["run_id"], "cyan"),
            plain(row["status"], _STYLES.get(row["status"], "")),
            plain(row["title"]),
            plain(row["project"].rpartition("/")[2]),
            plain(_cut(row["waiting_for"])),
        )
    return table


def page(view: FlowRunView) -> RenderableType:
    """Draw one run, except for `what_next`, which is printed without line breaks."""
    parts: list[RenderableType] = [_head(view), plain(""), _steps(view)]
    if view.conversations:
        parts += [plain(""), _conversations(view)]
    if view.children:
        parts += [plain(""), _children(view)]
    for key, given in view.outputs.items():
        parts.append(plain(f"{key} = {_cut(given.text)}", "dim"))
    parts += [plain(f"! {warning}", "yellow") for warning in view.warnings]
    return Group(*parts, plain(""))


def _head(view: FlowRunView) -> Text:
    head = plain(f"{view.run_id}  {view.title}  ", "bold")
    head.append_text(plain(view.status, _STYLES.get(view.status, "")))
    if view.place is not None and view.status != "completed":
        head.append_text(plain(f"  {place_words(view.place)}"))
    if view.reason:
        head.append_text(rows(("", view.reason), "red" if view.status == "failed" else "yellow"))
    if view.parent:
        head.append_text(rows(("", f"part of {view.parent}"), "dim"))
    head.append_text(rows(("", f"branch {view.branch} of {view.repository}"), "dim"))
    return head


def _steps(view: FlowRunView) -> Table:
    headings = ("", "step", "type", "agent", "what", "runs")
    table = table_of(*headings, folded=["what"], whole=[*headings[:4], "runs"])
    for step in view.steps:
        who = f"{step.agent_type}/{step.identifier}" if step.agent_type else ""
        what = _cut(step.text)
        words = f"{step.label}: {what}" if step.label and what else step.label or what
        table.add_row(
            _mark(view, step),
            str(step.index),
            plain(f"{'  ' * step.depth}{step.type}"),
            plain(who),
            plain(words),
            str(step.runs or ""),
        )
    return table


def _mark(view: FlowRunView, step: FlowStepView) -> Text:
    is_here = view.place is not None and view.place.step_index == step.index
    if is_here and view.status != "completed":
        return plain("▶", _STYLES.get(view.status, ""))
    mark = _MARKS.get(step.outcome, "")
    return plain(f"{mark} {step.answer}".strip(), "red" if mark == "✗" else "green")


def _conversations(view: FlowRunView) -> Table:
    headings = ("conversation", "agent", "turns", "session")
    table = table_of(*headings, whole=headings)
    for known in view.conversations:
        agent = f"{known.agent} ({known.model})" if known.model else known.agent
        works = " working" if known.is_working else ""
        table.add_row(
            plain(f"{known.agent_type}/{known.identifier}"),
            plain(agent),
            plain(f"{known.turns}{works}"),
            plain(known.session_id),
        )
    return table


def _children(view: FlowRunView) -> Table:
    headings = ("flow", "step", "status", "run")
    table = table_of(*headings, whole=headings)
    for each in view.children:
        status = each.end or "running"
        table.add_row(
            plain(each.flow_name),
            str(each.step_index),
            plain(status, _STYLES.get(status, "cyan")),
            plain(each.run_id),
        )
    return table


def _cut(text: str) -> str:
    return cut(" ".join(text.split()), _SHOWN)


def what_next(view: FlowRunView) -> Text:
    """Return what a person can do with a run now; print it with `soft_wrap`, for pasting."""
    lines: list[str] = []
    if view.request is not None:
        asked = view.request.request
        options = f" ({' | '.join(asked.options)})" if asked.options else ""
        shown = hash_option(view.request.content_hash)
        lines.append(f"? {asked.question}{options}")
        lines.append(f"  treadle flow answer {view.run_id} ANSWER{shown}")
        lines += [f"  {name}: {line}" for name, line in view.request.signal_lines.items()]
    for question in view.questions:
        options = " | ".join(option.label for option in question.question.options)
        lines.append(f"? {question.agent} asks: {question.question.phrase} ({options})")
        shown = hash_option(question.question.content_hash)
        lines.append(f"  treadle flow answer {view.run_id} ANSWER{shown}")
        lines += [f"  {name}: {line}" for name, line in question.signal_lines.items()]
    if view.status == "waiting" and not lines:
        run_id = view.waiting_for.partition(":")[0]
        lines += [f"? {view.waiting_for}", f"  treadle flow status {run_id}"]
    if view.status in {"stopped", "failed"}:
        lines.append(f"Resume: treadle flow resume {view.run_id} [--at STEP]")
    if view.status in {"stopped", "failed", "completed"}:
        lines += _reading(view)
    return rows(lines)


def _reading(view: FlowRunView) -> list[str]:
    """Return how to look at what a run has done."""
    if is_remote(view.repository):
        return [
            f"Its work is the branch {view.branch} on its host, and on the hub if there is one."
        ]
    return [
        f"Review: git -C {view.repository} log {view.base[:12]}..{view.branch}",
        f"Merge: git -C {view.repository} merge {view.branch}",
    ]
