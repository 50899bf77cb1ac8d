"""Where a plan departs from its template's git conventions, and what no plan can ask of git."""

from collections.abc import Iterator

from domain.plans.plan import Plan
from domain.plans.proposals.problems import Problem, ProblemType
from domain.plans.templates.rules import find_git_faults
from domain.plans.templates.template import (
    BranchStrategy,
    GitConventions,
    PlanTemplate,
)
from domain.plans.warnings import PlanWarning, WarningKind


def find_git_problems(plan: Plan, template: PlanTemplate) -> Iterator[Problem]:
    """Yield what cannot be: names that are none of branches."""
    if plan.git is None:
        return
    for fault in find_git_faults(plan.git.over(template.git)):
        yield Problem("plan, git", ProblemType.BAD_VALUE, f"{fault.place[-1]}: {fault.words}")


def find_git_departures(sent: Plan, template: PlanTemplate) -> Iterator[PlanWarning]:
    """Yield a warning for each convention that a plan overrides; what acts more is acknowledged."""
    if sent.git is None or (wanted := sent.git.over(template.git)) == template.git:
        return
    usual = template.git
    target = wanted.pr_target or "the branch that is checked out"
    if wanted.open_pr and (not usual.open_pr or wanted.pr_target != usual.pr_target):
        words = f"a pull request against {target} is opened when the plan is completed"
        yield PlanWarning(kind=WarningKind.ACTS_MORE, text=f"{words}, which its template does not")
    elif usual.open_pr and not wanted.open_pr:
        words = "no pull request is opened when the plan is completed, as its template would"
        yield PlanWarning(kind=WarningKind.GIT, text=words)
    elif wanted.pr_target != usual.pr_target:
        words = f"a pull request that you open is against {target}"
        yield PlanWarning(kind=WarningKind.GIT, text=words)
    if wanted.branch_strategy is not usual.branch_strategy:
        is_shared = wanted.branch_strategy is BranchStrategy.SHARED
        how = "share one branch and run one after the other" if is_shared else "have a branch each"
        yield PlanWarning(kind=WarningKind.GIT, text=f"the tasks {how}, unlike in its template")
    yield from _of_merges(wanted, usual)
    if wanted.branch_prefix != usual.branch_prefix:
        words = f"the branches of its tasks begin with {wanted.branch_prefix!r}"
        yield PlanWarning(kind=WarningKind.GIT, text=words)


def _of_merges(wanted: GitConventions, usual: GitConventions) -> Iterator[PlanWarning]:
    """Yield a warning for each other way to merge."""
    if wanted.task_merge_method is not usual.task_merge_method:
        words = f"tasks come into the thread's branch by {wanted.task_merge_method}"
        yield PlanWarning(
            kind=WarningKind.GIT, text=f"{words}, in its template by {usual.task_merge_method}"
        )
    if wanted.merge_method is not usual.merge_method:
        words = f"the forge merges its pull request by {wanted.merge_method}"
        yield PlanWarning(
            kind=WarningKind.GIT, text=f"{words}, in its template by {usual.merge_method}"
        )
