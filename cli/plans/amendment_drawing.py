"""Amendments as they are drawn on a terminal: a card with + ~ - lines, and a plan's history."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from cli.core.console import plain
from cli.core.long_lists import NO_LIMIT, WHOLE_LIST, first_of, more_words
from cli.core.tables import clock, table_of
from cli.plans import drawing as plan_drawing
from domain.threads.amending.history import AmendmentStatus, AmendmentView, PlanVersion

_LINES = {"+": "green", "~": "yellow", "-": "red"}
_TASKS = 3
_STATUSES = {
    AmendmentStatus.OPEN: "yellow",
    AmendmentStatus.APPROVED: "green",
    AmendmentStatus.REJECTED: "red",
}


def card(view: AmendmentView, *, all_by: str = "") -> RenderableType:
    """Draw an amendment for its approval: its lines, then the new and changed tasks.

    Of many tasks only the first are drawn where `all_by`, the command that prints all, is given.
    """
    head, *lines = view.lines
    parts: list[RenderableType] = [plain(head), Text()]
    parts += [plain(line, _LINES.get(line[:1], "")) for line in lines]
    parts += [plain(f"! {warning.text}", "yellow") for warning in view.warnings]
    parts.append(Text())
    is_long = bool(all_by) and len(view.tasks) > WHOLE_LIST
    tasks, left = first_of(view.tasks, _TASKS if is_long else NO_LIMIT)
    parts += [line for task in tasks for line in plan_drawing.task_lines(task)]
    parts += [more_words(left, all_by, "more tasks")] if left else []
    title = f"Amendment of plan version {view.amendment.base_version}: {view.amendment_id}"
    subtitle = f"content hash {view.request.content_hash[:12]}"
    return Panel(
        Group(*parts),
        title=plain(title),
        subtitle=plain(subtitle),
        title_align="left",
        expand=False,
    )


def history(cards: Sequence[AmendmentView], versions: Sequence[PlanVersion]) -> RenderableType:
    """Draw every amendment with its outcome, and every version of the plan."""
    parts: list[RenderableType] = []
    for each in cards:
        parts.append(_head(each))
        parts += [plain(f"    {line}", _LINES.get(line[:1], "")) for line in each.lines[1:]]
        if each.outcome is not None and each.outcome.feedback:
            parts.append(plain(f"    feedback: {' '.join(each.outcome.feedback.split())}"))
        if each.reason:
            parts.append(plain(f"    why: {' '.join(each.reason.split())}"))
        parts.append(Text())
    if not cards:
        parts.append(plain("No amendments."))
    return Group(*parts, _versions(versions)) if versions else Group(*parts)


def _head(view: AmendmentView) -> RenderableType:
    by = view.outcome.by if view.outcome else ""
    at = f", {clock(view.decided_at)}" if view.decided_at else ""
    decided = f"{view.status} by {by}{at}" if by else str(view.status)
    made = f", version {view.version}" if view.version else ""
    return Text.assemble(
        plain(f"{view.amendment_id}  ", "bold"),
        plain(f"{view.lines[0]}  "),
        plain(f"[{decided}{made}]", _STATUSES.get(view.status, "dim")),
        plain(f"  proposed by {view.by or 'a session'}, {clock(view.at)}", "dim"),
    )


def _versions(versions: Sequence[PlanVersion]) -> RenderableType:
    headings = ("version", "when", "by", "from", "why")
    table = table_of(*headings, folded=headings)
    for each in versions:
        plan = each.plan_id.rpartition("/")[2]
        table.add_row(
            plain(f"{each.version}"),
            clock(each.at),
            plain(each.by),
            plain(each.amendment_id or plan),
            plain(" ".join(each.why.split())),
        )
    return table
