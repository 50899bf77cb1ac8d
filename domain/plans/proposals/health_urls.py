"""The URLs of a plan's health checks, checked when they are proposed by the rule that holds when they run."""

from collections.abc import Iterator

from domain.plans.plan import Plan
from domain.plans.proposals.problems import Problem, ProblemType
from domain.verification.health_url import MAX_PORT, why_never_asked
from domain.verification.steps import StepType, port_references, with_ports

_SHOWN = 200


def find_url_problems(plan: Plan) -> Iterator[Problem]:
    """Yield each URL that no run would ask; which ports it may ask is known when they are leased."""
    checked = [("plan", plan.verification)]
    checked += [(f"task {task.id[:_SHOWN]!r}", task.verification) for task in plan.tasks]
    for where, steps in checked:
        for step in steps:
            url = step.subject
            if step.type is not StepType.HTTP_HEALTH or not url.strip():
                continue
            if reason := why_never_asked(_with_any_ports(url)):
                place = f"{where}, verification step {(step.label or step.type)[:_SHOWN]!r}"
                words = f"url {url[:_SHOWN]!r}: {reason}"
                yield Problem(place, ProblemType.BAD_VALUE, words)


def _with_any_ports(url: str) -> str:
    return with_ports(url, dict.fromkeys(port_references(url), MAX_PORT))
