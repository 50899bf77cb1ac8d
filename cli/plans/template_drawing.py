"""Plan templates as they are drawn on a terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import listed, plain, quoted, rows
from cli.core.tables import table_of
from domain.forges.policy import PublishAs
from domain.plans.templates.template import PlanTemplate, step_name
from domain.plans.templates.views import FoundTemplate, TemplateView
from domain.verification.steps import VerificationStep

PRECEDENCE = (
    "* is the default: the repository's, else yours, else the built-in one.\n"
    "Choose one: treadle plan --template user:default GOAL"
)


def listing(found: list[FoundTemplate]) -> RenderableType:
    """Draw templates as a table, with the problems of broken ones below it."""
    table = table_of("template", "choose by", "", "about", folded=["choose by"])
    for each in found:
        state, style = _state(each)
        about = each.description if each.problem is None else each.path
        label = f"{each.label} *" if each.is_default else each.label
        table.add_row(plain(label), plain(each.choice), plain(state, style), plain(about, "dim"))
    noted = [each for each in found if each.problem or each.warnings]
    parts: list[RenderableType] = [table, plain("")]
    parts += [verdicts(noted), plain("")] if noted else []
    return Group(*parts, rows(PRECEDENCE.split("\n"), "dim"))


def verdicts(found: list[FoundTemplate]) -> RenderableType:
    """Draw for each template whether it is valid, and its problems."""
    lines: list[RenderableType] = []
    for each in found:
        if each.problem is not None:
            lines.append(plain(f"✗ {each.path}", "red"))
            lines += [plain(f"    {part}") for part in each.problem.message.split("; ")]
        else:
            lines.append(plain(f"✓ {each.path}", "green"))
        lines += [plain(f"    {warning}", "yellow") for warning in each.warnings]
    return Group(*lines)


def acts(found: FoundTemplate) -> Iterator[str]:
    """Yield what a template does without asking, line by line."""
    yield f"{found.label} in {found.path}"
    yield f"content hash {found.content_hash}"
    yield "By itself it:"
    yield from listed(found.acts)


def page(view: TemplateView) -> RenderableType:
    """Draw one template with all its fields."""
    found = view.found
    state, style = _state(found)
    parts: list[RenderableType] = [
        Text.assemble(plain(found.label, "bold"), "  ", plain(state, style)),
        plain(found.path, "dim"),
    ]
    if found.content_hash:
        parts.append(plain(f"content hash {found.content_hash}", "dim"))
    if found.problem is not None:
        parts.append(verdicts([found]))
    parts += [plain(f"! {warning}", "yellow") for warning in found.warnings]
    if view.template is not None:
        parts += [plain(""), _fields(view.template)]
    return Group(*parts)


def _fields(template: PlanTemplate) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    git, verification = template.git, template.verification
    steps = "\n".join(_step(step, verification.kept) for step in verification.steps)
    pull_request = f"opened against {git.pr_target or 'the branch you are on'}"
    if git.publish is PublishAs.TASKS:
        pull_request = f"each task, {pull_request} on the one before it"
    rows = {
        "about": template.description,
        "verification": steps or "none; each plan brings its own",
        "prepare": "\n".join(verification.prepare),
        "carried over": ", ".join(verification.recipe.carried) or "nothing",
        "judges": verification.judges,
        "attempts": f"up to {max(verification.max_retries, 1)}",
        "ports": "\n".join(
            f"{port.id}  {port.description}" for port in template.resources.default_ports
        ),
        "branches": f"{git.branch_strategy}, {git.branch_prefix}…",
        "base": f"fetched, then {git.base.update}" if git.base.fetch else "as it is here",
        "merges": f"tasks by {git.task_merge_method}, pull requests by {git.merge_method}",
        "pull request": pull_request if git.open_pr else "none",
        "task plans": f"approved by {template.plan_approval}" if template.plan_approval else "none",
        "labels": ", ".join(template.labels),
        "gate": template.gate,
        "approvals": template.approvals.rule.spoken,
        "hints": template.hints,
        "instructions": template.agent_instructions.strip(),
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, quoted(value))
    return table


def _step(step: VerificationStep, kept: tuple[str, ...]) -> str:
    notes = [step.type]
    notes += [] if step.required else ["optional"]
    notes += ["in every task"] if step_name(step) in kept else []
    label = f"{step.label} ({', '.join(notes)}): " if step.label else f"({', '.join(notes)}) "
    return f"{label}{step.subject.strip()}"


def _state(found: FoundTemplate) -> tuple[str, str]:
    if found.problem is not None:
        return "broken", "red"
    if not found.is_trusted:
        return "not trusted", "yellow"
    return "", ""
