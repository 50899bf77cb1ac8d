"""What is wrong with the best-of of a plan's tasks, and what a person is told of it."""

from collections.abc import Iterator

from domain.plans.best_of import find_faults
from domain.plans.plan import Plan, RunsAs
from domain.plans.proposals.problems import Problem, ProblemType
from domain.plans.templates.template import BranchStrategy, PlanTemplate
from domain.plans.warnings import PlanWarning, WarningKind

MAX_LABEL = 200
MAX_WORDS = 500


def find_best_of_problems(plan: Plan, template: PlanTemplate) -> Iterator[Problem]:
    """Yield why several agents can't do a task at once."""
    git = plan.git.over(template.git) if plan.git else template.git
    for task in plan.tasks:
        where = f"task {task.id[:MAX_LABEL]!r}, bestOf"
        if task.candidate_of:
            yield Problem(
                where, ProblemType.CONFLICT, "candidates are made by bestOf of their task"
            )
        if task.best_of is None:
            continue
        for words in find_faults(task.best_of):
            yield Problem(where, ProblemType.BAD_VALUE, words)
        if not task.is_contest:
            continue
        if task.runs_as is RunsAs.THREAD:
            words = "a thread plans by itself: give the tasks of its plan several agents"
            yield Problem(where, ProblemType.CONFLICT, words)
        if git.branch_strategy is BranchStrategy.SHARED:
            words = "candidates need branches of their own: branchStrategy is shared"
            yield Problem(where, ProblemType.CONFLICT, words)


def find_best_of_departures(sent: Plan, template: PlanTemplate) -> Iterator[PlanWarning]:
    """Yield that tasks are done several times, where the template does not say so."""
    for task in sent.tasks:
        if task.best_of is not None and task.is_contest and task.best_of != template.best_of:
            agents = ", ".join(task.best_of.agents)
            words = f"task {task.id!r} is done by {len(task.best_of.agents)} agents in parallel, each with its own cost: {agents}"
            yield PlanWarning(kind=WarningKind.ACTS_MORE, text=words[:MAX_WORDS])
