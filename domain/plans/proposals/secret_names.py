"""Ids of a plan that look like secrets: what is kept is without secrets, so they would never be found again."""

from collections.abc import Iterator

from domain.core.ids import LONGEST_REST, is_secret
from domain.core.secret_forms import without_secrets
from domain.plans.plan import Plan, RunsAs
from domain.plans.proposals.problems import Problem, ProblemType

_WORDS = "it looks like a secret, which no id may: choose another id"


def find_secret_names(plan: Plan) -> Iterator[Problem]:
    """Yield each id of a decision, a task or a port that looks like a secret.

    That of a child thread must not with more behind it either: its branches have their tasks' ids there.
    """
    for decision in plan.decisions:
        if is_secret(decision.id):
            yield _problem("decision", decision.id, ProblemType.BAD_ID)
    for task in plan.tasks:
        if is_secret(task.id, LONGEST_REST if task.runs_as is RunsAs.THREAD else ""):
            yield _problem("task", task.id, ProblemType.BAD_ID)
        for port in task.ports:
            if is_secret(port.id):
                yield _problem("port", port.id, ProblemType.BAD_PORT_ID)


def _problem(kind: str, name: str, problem: ProblemType) -> Problem:
    return Problem(f"{kind} {without_secrets(name)!r}", problem, _WORDS)
