"""Plans as they are drawn on a terminal.

Texts of agents and repositories are drawn as plain text, without markup and control characters.
"""

from collections.abc import Iterator
from operator import itemgetter

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.core.console import plain, quoted
from cli.core.long_lists import NO_LIMIT, first_of, more_words
from cli.plans import digest_drawing
from domain.plans.plan import Mode, Plan, PlannedTask, RunsAs, TaskPlanApproval
from domain.threads.planning.state import ProposedPlan
from domain.verification.steps import VerificationStep

_WARNINGS = 10


def plan(proposed: ProposedPlan, planner: str = "", *, all_by: str = "") -> RenderableType:
    """Draw a plan for its approval: tasks by parallel group, dependencies, steps, warnings.

    Of a large plan only a digest is drawn where `all_by`, the command that prints all of it, is given.
    """
    by = f" by {planner}" if planner else ""
    content = proposed.plan
    parts: list[RenderableType] = [
        plain(f"Plan {proposed.revision}{by}: {content.goal or content.summary}", "bold"),
        plain(f"content hash {proposed.request.content_hash[:12]}", "dim"),
    ]
    if proposed.by:
        parts.append(plain(f"edited by {proposed.by}"))
    for label, text in (("Approach", content.approach), ("Key risk", content.key_risk)):
        if text:
            parts.append(quoted(f"{label}: {text}"))
    parts += [quoted(f"Consider: {consideration}") for consideration in content.considerations]
    is_digested = bool(all_by) and digest_drawing.is_large(content)
    parts += digest_drawing.digest(content, all_by) if is_digested else _groups(content)
    if not content.tasks:
        parts += _steps(content.verification)
    if content.git is not None:
        wanted = content.git.model_dump(mode="json", exclude_none=True)
        parts.append(quoted(f"Git: {', '.join(f'{n}: {v}' for n, v in wanted.items())}"))
    warnings, left = first_of(proposed.warnings, _WARNINGS if is_digested else NO_LIMIT)
    parts += [plain(f"! {warning.text}", "yellow") for warning in warnings]
    parts += [more_words(left, all_by, "more warnings")] if left else []
    for decision in content.decisions:
        labels = " | ".join(option.label for option in decision.options)
        parts.append(plain(f"? {decision.question}  [{labels}]", "yellow"))
    return Group(*parts)


def _groups(content: Plan) -> Iterator[RenderableType]:
    order = {str(each.id): (place, each) for place, each in enumerate(content.tasks)}
    for number, group in enumerate(content.parallel_groups, 1):
        together = ", in parallel" if len(group) > 1 else ""
        yield plain(f"Group {number}{together}", "bold dim")
        for _, each in sorted((order[name] for name in group), key=itemgetter(0)):
            yield from task_lines(each)


def task_lines(task: PlannedTask) -> list[RenderableType]:
    """Draw a task of a plan for its approval."""
    after = f"  (after {', '.join(task.depends_on)})" if task.depends_on else ""
    parts: list[RenderableType] = [
        Text.assemble("  ", plain(task.id, "cyan"), "  ", plain(_line(task.title)), after)
    ]
    if notes := _notes(task):
        parts.append(plain(f"      {notes}", "dim"))
    if task.description:
        parts.append(_indented(task.description))
    return [*parts, *_steps(task.verification)]


def _notes(task: PlannedTask) -> str:
    """Return the properties of a task that differ from the defaults, in one line."""
    notes = [
        task.mode if task.mode is not Mode.CODE else "",
        f"for a {task.owner}" if task.owner else "",
        "runs as a thread" if task.runs_as is RunsAs.THREAD else "",
        f"changes {', '.join(task.area)}" if task.area else "",
        f"waits for decision {task.decision_id}" if task.decision_id else "",
        _PLANNED_BY[task.plan_approval] if task.plan_approval else "",
        f"with {task.agent}" if task.agent else "",
        task.best_of.words if task.best_of else "",
        f"at most {task.max_turns} turns" if task.max_turns else "",
        f"at most {task.max_tokens:,} tokens" if task.max_tokens else "",
        f"at most {task.max_usd:,.2f} USD" if task.max_usd else "",
        f"without {', '.join(task.denied_tools)}" if task.denied_tools else "",
    ]
    return "; ".join(note for note in notes if note)


_PLANNED_BY = {
    TaskPlanApproval.USER: "its plan is approved by you",
    TaskPlanApproval.AUTO: "its plan is approved by an agent",
    TaskPlanApproval.NONE: "not planned first",
}


def _steps(steps: tuple[VerificationStep, ...]) -> list[RenderableType]:
    """Draw the verification steps word for word, as an approval covers their commands."""
    if not steps:
        return [plain("      no verification", "yellow")]
    lines: list[RenderableType] = []
    for step in steps:
        optional = "" if step.required else " (optional)"
        label = "" if step.label in {"", step.subject} else f"{_line(step.label)}: "
        who = f" ({_line(' '.join(filter(None, (step.agent, step.model))))})" if step.agent else ""
        lines.append(plain(f"      verified{optional} by {label}{step.type}{who}", "dim"))
        lines.append(_indented(step.subject, "cyan"))
    return lines


def _line(text: str) -> str:
    """Return a text as one line with single blanks, as titles are drawn."""
    return " ".join(text.split())


def _indented(text: str, style: str = "") -> RenderableType:
    return Padding(quoted(text.strip(), style), (0, 0, 0, 8), expand=False)
