"""Which steps of a plan stand for steps of its template, and which of them do something else."""

from collections.abc import Iterator
from typing import NamedTuple

from domain.plans.plan import Plan
from domain.plans.templates.template import PlanTemplate, step_name
from domain.verification.steps import VerificationStep


class ReplacedStep(NamedTuple):
    """A step of the template, and what a planner wrote in its stead."""

    where: str
    default: VerificationStep
    own: VerificationStep

    @property
    def is_weaker(self) -> bool:
        """Whether a required step became an optional one."""
        return self.default.required and not self.own.required

    @property
    def is_other(self) -> bool:
        """Whether it does something else than the template's, or has another agent do it."""
        default, own = self.default, fill_step(self.own, self.default)
        does = (own.type, own.subject, own.agent, own.model)
        return does != (default.type, default.subject, default.agent, default.model)


def find_replaced_steps(sent: Plan, template: PlanTemplate) -> Iterator[ReplacedStep]:
    """Yield the template's steps that a plan, as it was sent, has steps of its own for."""
    places = [(f"task {task.id!r}", task.verification) for task in sent.tasks]
    for where, own in places or [("plan", sent.verification)]:
        for default in template.verification.steps:
            for step in own:
                if is_same(step, default):
                    yield ReplacedStep(where, default, step)


def is_same(own: VerificationStep, default: VerificationStep) -> bool:
    """Tell whether a planner wrote a template's step again: by its label, or by what it runs."""
    does_same = (own.type, own.subject) == (default.type, default.subject)
    is_named_so = bool(own.label) and step_key(own.label) == step_key(step_name(default))
    return does_same or is_named_so


def fill_step(own: VerificationStep, default: VerificationStep) -> VerificationStep:
    """Return a step with what it does not say of itself as the template says it."""
    names = ("label", "agent", "model", "parallel_group", "keep", "picture")
    return own.model_copy(update={n: getattr(own, n) or getattr(default, n) for n in names})


def step_key(label: str) -> str:
    """Return what two labels of the same step have in common."""
    return label.strip().casefold()
