"""What planners are told of a template: what each task gets by itself, and the author's hints."""

from collections.abc import Iterator

from domain.plans.templates.template import BranchStrategy, PlanTemplate, step_name

_SHOWN = 200


def conventions(template: PlanTemplate) -> str:
    """Return a template for a planner, so that its plan leaves out what is there by itself."""
    parts = (*_given(template), template.hints)
    return "\n\n".join(part for part in parts if part)


def _given(template: PlanTemplate) -> Iterator[str]:
    verification = template.verification
    steps = verification.steps
    if steps:
        yield "\n".join(
            [
                "Every task is verified by these steps before its own, so do not repeat them:",
                *(
                    f"- {_cut(step_name(step))}: {step.type} `{_cut(step.subject)}`"
                    for step in steps
                ),
            ]
        )
    if skippable := [s for s in map(step_name, steps) if s not in verification.kept]:
        yield (
            "Where one does not fit a task, like lint for text alone, name it in the task's "
            f"`skip_steps`; the person is told. This can be done with: {', '.join(map(_cut, skippable))}."
        )
    if ports := template.resources.default_ports:
        listed = "\n".join(f"- {port.id}: {port.description}" for port in ports)
        yield f"Every task declares these ports:\n{listed}"
    if template.git.branch_strategy is BranchStrategy.SHARED:
        yield "All tasks share one branch and run one after the other."


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
