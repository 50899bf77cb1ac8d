"""The handoff packet: all that a fresh agent gets of the planning talk.

A person sees it before they approve, and may change it; every task's agent gets exactly this text
and its own task.
"""

from collections.abc import Iterable, Mapping

from domain.plans.plan import Decision, Plan, PlannedTask
from domain.plans.templates.template import PlanTemplate

MAX_HANDOFF_BYTES = 24 << 10
_FIRST_LINE = 160
_CUT = "\n[... cut: the packet is full]"


def handoff(
    plan: Plan, template: PlanTemplate, answers: Mapping[str, tuple[str, ...]] | None = None
) -> str:
    """Return the packet of a plan as Markdown; the same plan always gives the same text.

    `answers` are the selections of decisions that were made already, by the decision's id.
    """
    parts = [
        section("Goal", plan.goal),
        section("Approach", plan.approach),
        section("Summary", plan.summary),
        section("Considerations", listed(plan.considerations)),
        section("Key risk", plan.key_risk),
        section("Tasks of the plan", listed(task_line(task) for task in plan.tasks)),
        section("Decisions", listed(_decision(d, answers or {}) for d in plan.decisions)),
        section("Instructions of this project", template.agent_instructions),
    ]
    return bounded("\n\n".join(part for part in parts if part))


def section(title: str, text: str) -> str:
    """Return a section of Markdown; nothing where there is no text."""
    return f"## {title}\n\n{text.strip()}" if text.strip() else ""


def listed(lines: Iterable[str]) -> str:
    """Return lines as a list of Markdown."""
    return "\n".join(f"- {line}" for line in lines)


def task_line(task: PlannedTask) -> str:
    """Return a task in a line: its id, title, mode, what it needs, how its description begins."""
    after = f", after {', '.join(task.depends_on)}" if task.depends_on else ""
    first = (task.description.strip().splitlines() or [""])[0][:_FIRST_LINE]
    return f"`{task.id}` {task.title} ({task.mode}{after})" + (f": {first}" if first else "")


def _decision(decision: Decision, answers: Mapping[str, tuple[str, ...]]) -> str:
    chosen = answers.get(decision.id)
    labels = ", ".join(option.label for option in decision.options)
    answer = ", ".join(chosen) if chosen else f"open ({labels})"
    return f"{decision.question} **{answer}**"


def bounded(text: str) -> str:
    """Cut a packet: it lies in histories, once for every task."""
    encoded = text.encode()
    if len(encoded) <= MAX_HANDOFF_BYTES:
        return text
    return encoded[: MAX_HANDOFF_BYTES - len(_CUT)].decode("utf-8", "ignore") + _CUT
