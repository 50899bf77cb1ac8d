"""Plans as they are drawn on a terminal: side by side, their changes, and critiques."""

from collections import Counter
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import BAR, plain, quoted
from cli.core.long_lists import NO_LIMIT, first_of, more_words
from cli.plans.digest_drawing import shape_words
from domain.core.text import counted
from domain.plans.changes import FieldChange, PartChange, PlanChanges, Sign
from domain.plans.comparison import Comparison, ExpectedCost, PlanSummary
from domain.threads.planning.state import Critique, ProposedPlan

_STYLES = {Sign.ADDED: "green", Sign.CHANGED: "yellow", Sign.REMOVED: "red"}
_LONG = 60
MAX_FILES = 8
_PARTS, _LONGEST_PATH = 30, 12


def comparison(compared: Comparison) -> RenderableType:
    """Draw plans side by side, with a row for each criterion."""
    table = Table(box=None, padding=(0, 2), pad_edge=False, show_lines=False)
    table.add_column("", style="dim", no_wrap=True)
    for each in compared.plans:
        table.add_column(plain(f"Plan {each.revision} ({each.planner})"), overflow="fold")
    for name, cells in _rows(compared.plans):
        if any(cells):
            table.add_row(name, *(plain(cell) for cell in cells))
    shared = ", ".join(compared.shared_files)
    note = [plain(f"All plans change: {shared}", "dim")] if shared and compared.plans[1:] else []
    return Group(table, *note)


def _rows(plans: tuple[PlanSummary, ...]) -> Iterable[tuple[str, list[str]]]:
    yield "Tasks", [_tasks(each) for each in plans]
    yield "Approach", [each.approach or each.summary for each in plans]
    yield "Parallel groups", [_groups(each) for each in plans]
    yield "Key risk", [each.key_risk for each in plans]
    yield "Critical path", [_path(each.critical_path) for each in plans]
    yield "Files", [_files(each) for each in plans]
    yield "Decisions", [str(each.decisions or "") for each in plans]
    yield "Expected cost", [_cost(each.cost) for each in plans]
    yield "Warnings", [str(each.warnings or "") for each in plans]


def _path(path: tuple[str, ...]) -> str:
    if len(path) <= _LONGEST_PATH:
        return " → ".join(path)
    left = len(path) - _LONGEST_PATH
    return " → ".join((*path[: _LONGEST_PATH - 1], f"({left:,} more)", path[-1]))


def _tasks(plan: PlanSummary) -> str:
    threads = f", {plan.child_threads} of them threads" if plan.child_threads else ""
    return f"{plan.tasks}{threads}" if plan.tasks else "a single task"


def _groups(plan: PlanSummary) -> str:
    return shape_words(plan.parallel_groups)


def _files(plan: PlanSummary) -> str:
    more = f" and {len(plan.files) - MAX_FILES} more" if len(plan.files) > MAX_FILES else ""
    return ", ".join(plan.files[:MAX_FILES]) + more


def _cost(cost: ExpectedCost) -> str:
    """Return the known cost and where it comes from; nothing is guessed."""
    parts: list[str] = []
    tasks = counted(cost.known, "finished task")
    for name, expected, most in (
        ("turns", cost.expected_turns, cost.turns_at_most),
        ("tokens", cost.expected_tokens, cost.tokens_at_most),
    ):
        if expected is not None:
            parts.append(f"about {expected:,} {name} (as {tasks} took)")
        if most is not None:
            parts.append(f"at most {most:,} {name}")
    return "; ".join(parts) or "unknown: no budgets, no finished tasks"


def changes(before: int, after: int, found: PlanChanges, *, all_by: str = "") -> RenderableType:
    """Draw the changes between two revisions: + ~ - lines, each field under its task.

    Of many, where `all_by`, the command that prints all, is given, only the numbers and the first are drawn.
    """
    parts: list[RenderableType] = [plain(f"Plan {before} → plan {after}", "bold")]
    if found.is_empty:
        return Group(*parts, Text("No changes."))
    parts += [line for change in found.fields for line in _field(change, "")]
    changed = (*found.tasks, *found.decisions)
    shown, left = first_of(changed, _PARTS if all_by else NO_LIMIT)
    if left:
        signs = Counter(change.sign for change in changed)
        parts.append(plain("  ".join(f"{sign} {number:,}" for sign, number in signs.items())))
    for change in shown:
        parts += [_head(change)] if left else _part(change)
    parts += [more_words(left, all_by)] if left else []
    if found.is_reordered:
        parts.append(Text("~ the tasks are reordered", style=_STYLES[Sign.CHANGED]))
    return Group(*parts)


def _part(change: PartChange) -> list[RenderableType]:
    return [_head(change), *(line for field in change.fields for line in _field(field, "    "))]


def _head(change: PartChange) -> Text:
    return plain(f"{change.sign} {change.id}: {change.title}", _STYLES[change.sign])


def _field(change: FieldChange, indent: str) -> list[RenderableType]:
    before, after = change.before or "nothing", change.after or "nothing"
    if len(before) + len(after) <= _LONG and "\n" not in before + after:
        return [plain(f"{indent}{change.field}: {before} → {after}")]
    lines = [plain(f"{indent}{change.field}:")]
    lines += [plain(f"{indent}  - {line}", "red") for line in change.before.splitlines()]
    lines += [plain(f"{indent}  + {line}", "green") for line in change.after.splitlines()]
    return list(lines)


def critiques(proposed: ProposedPlan) -> RenderableType:
    """Draw the critiques of a plan."""
    parts = [part for critique in proposed.critiques for part in _critique(critique)]
    return Group(*parts)


def _critique(critique: Critique) -> list[RenderableType]:
    name = critique.session_id.rsplit("/", 1)[-1]
    if critique.failure:
        return [plain(f"The critic in {name} failed: {critique.failure}", "yellow")]
    if not critique.text:
        return [plain(f"The critic in {name} is working", "dim")]
    return [plain(f"The critic in {name} says:", "bold"), quoted(f"{BAR}{critique.text}")]
