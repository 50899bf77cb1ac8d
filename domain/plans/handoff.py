"""The handoff packet: all that a fresh agent gets of the planning talk.

A person sees it before they approve, and may change it; every task's agent gets exactly this text
and its own task.
"""

from collections.abc import Iterable, Mapping

from domain.plans.plan import Decision, Plan, PlannedTask
from domain.plans.templates.template import PlanTemplate

MAX_HANDOFF_BYTES = 24 << 10
WHOLE_PLAN = 60
"""Tasks of a plan that agents are all told of; of a larger one they are told its beginning, or a digest."""

MAX_BEGINNING = 8 << 10
"""Bytes of the beginning of a large plan: the packet has room for what follows."""

_FIRST_LINE = 160
_CUT = "\n[... cut: the packet is full]"


def handoff(
    plan: Plan,
    template: PlanTemplate,
    answers: Mapping[str, tuple[str, ...]] | None = None,
    *,
    is_digested: bool = False,
) -> str:
    """Return the packet of a plan as Markdown; the same plan always gives the same text.

    `answers` are the selections of decisions that were made already, by the decision's id. With `is_digested`
    only the beginning of a large plan's tasks is in it.
    """
    parts = [
        section("Goal", plan.goal),
        section("Approach", plan.approach),
        section("Summary", plan.summary),
        section("Considerations", listed(plan.considerations)),
        section("Key risk", plan.key_risk),
        section("Tasks of the plan", task_list(plan.tasks, is_digested=is_digested)),
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


def task_list(tasks: Iterable[PlannedTask], *, is_digested: bool) -> str:
    """Return tasks as a list of Markdown; with `is_digested` of a large plan its beginning, and the number."""
    lines = [task_line(task) for task in tasks]
    if not is_digested or len(lines) <= WHOLE_PLAN:
        return listed(lines)
    room, shown = MAX_BEGINNING, list[str]()
    for line in lines[:WHOLE_PLAN]:
        room -= len(line.encode()) + len("- \n")
        if room < 0:
            break
        shown.append(line)
    left = len(lines) - len(shown)
    return f"{len(lines):,} tasks, of which these come first:\n\n{listed([*shown, f'… and {left:,} more'])}"


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
