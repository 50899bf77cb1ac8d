"""Verification as it is drawn on a terminal: each step, and the findings of reviews."""

import re

from rich.console import Group, RenderableType
from rich.padding import Padding

from cli.core.console import plain, quoted
from domain.agents.terminals import as_read
from domain.core.text import counted
from domain.verification.reviews import Finding, Severity
from domain.verification.steps import StepResult, VerificationAttempt

UNVERIFIED = "no verification steps"
"""Of an attempt that verified nothing."""

MARKS = {
    "pending": ("·", "dim"),
    "needs_decision": ("?", "yellow"),
    "planning": ("▸", "cyan"),
    "running": ("▸", "cyan"),
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "blocked": ("■", "red"),
    "cancelled": ("–", "dim"),
}
"""The mark and style of each status."""

_STYLES = {
    Severity.BLOCKER: "bold red",
    Severity.MAJOR: "red",
    Severity.MINOR: "yellow",
    Severity.NOTE: "dim",
}


def result(step: StepResult) -> RenderableType:
    """Draw one step of an attempt: whether it passed, its reviewer and its findings."""
    mark, style = MARKS["completed" if step.passed else "failed"]
    by = f" (review by {step.reviewed_by})" if step.reviewed_by else ""
    optional = "" if step.is_required else " (optional)"
    refused = "".join(step.sandbox.partition("; ")[1:])
    sandbox = f"  [{re.split('[,:]', step.sandbox)[0]}{refused}]" if step.sandbox else ""
    took = f"{step.duration_ms / 1000:.1f} s"
    kept = f"  [{counted(len(step.pictures), 'picture')} on the page]" if step.pictures else ""
    line = plain(f"  {mark} {step.label}{by}{optional}  {took}{sandbox}{kept}", style)
    if not step.reviewed_by:
        return line
    words = step.output if step.is_executed else f"not run: {step.output}"
    parts = [quoted(as_read(words))] if words else []
    return Group(line, Padding(Group(*parts, findings(step.findings)), (0, 0, 0, 6), expand=False))


def findings(found: tuple[Finding, ...]) -> RenderableType:
    """Draw the findings of a review, one line each, most severe first."""
    gravest = sorted(found, key=lambda finding: list(Severity).index(finding.severity))
    return Group(*(quoted(each.as_line, _STYLES[each.severity]) for each in gravest))


def failed(attempt: VerificationAttempt, step: StepResult) -> RenderableType:
    """Draw why a step of an attempt did not pass: its output without colors, and its findings."""
    verb = "failed" if step.is_executed else "did not run"
    head = plain(f"attempt {attempt.attempt}: {step.label} {verb}", "red")
    return Group(head, quoted(as_read(step.output)), findings(step.findings))
