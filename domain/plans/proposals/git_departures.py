"""Where a plan departs from its template's git conventions, and what no plan can ask of git."""

from collections.abc import Iterator

from domain.forges.policy import AutoMerge, Response
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
    yield from _of_base_and_merges(wanted, usual)
    yield from _of_the_pull_request(wanted, usual)
    if wanted.branch_prefix != usual.branch_prefix:
        words = f"the branches of its tasks begin with {wanted.branch_prefix!r}"
        yield PlanWarning(kind=WarningKind.GIT, text=words)


def _of_base_and_merges(wanted: GitConventions, usual: GitConventions) -> Iterator[PlanWarning]:
    """Yield a warning for each other way to take the base in, and to merge."""
    if wanted.base != usual.base:
        fetched = "is fetched" if wanted.base.fetch else "is not fetched"
        words = f"the base {fetched}, and taken in by {wanted.base.update}, unlike in its template"
        yield PlanWarning(kind=WarningKind.GIT, text=words)
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


def _of_the_pull_request(wanted: GitConventions, usual: GitConventions) -> Iterator[PlanWarning]:
    """Yield a warning for what else happens to its pull request; what acts more is acknowledged."""
    for words, acts, acted in zip(_TOLD, _acts(wanted), _acts(usual), strict=True):
        if acts and not acted:
            yield PlanWarning(
                kind=WarningKind.ACTS_MORE, text=f"{words}, which its template does not have"
            )
        elif acted and not acts:
            yield PlanWarning(kind=WarningKind.GIT, text=f"unlike in its template, not: {words}")
    more = sorted({*wanted.authors} - {*usual.authors})
    if more:
        words = (
            f"comments of {', '.join(more)} may cause a rework, which its template does not allow"
        )
        yield PlanWarning(kind=WarningKind.ACTS_MORE, text=words)
    elif wanted.authors != usual.authors:
        words = "comments of fewer people may cause a rework than in its template"
        yield PlanWarning(kind=WarningKind.GIT, text=words)
    if wanted.publish is not usual.publish:
        words = (
            f"its pull requests are of its {wanted.publish}, in its template of its {usual.publish}"
        )
        yield PlanWarning(kind=WarningKind.GIT, text=words)
    if wanted.max_reworks != usual.max_reworks:
        is_more = wanted.max_reworks > usual.max_reworks
        kind = WarningKind.ACTS_MORE if is_more else WarningKind.GIT
        words = f"up to {wanted.max_reworks} reworks of its pull request"
        yield PlanWarning(kind=kind, text=f"{words}, in its template {usual.max_reworks}")
    yield from _of_money(wanted.max_rework_usd, usual.max_rework_usd)


def _of_money(wanted: float | None, usual: float | None) -> Iterator[PlanWarning]:
    """Yield a warning where reworks may cost more or less; a plan cannot take a bound away."""
    if wanted is None or wanted == usual:
        return
    kind = WarningKind.ACTS_MORE if usual is not None and wanted > usual else WarningKind.GIT
    known = f"{usual:g} USD" if usual is not None else "any sum"
    words = f"its pull request is reworked without asking for up to {wanted:g} USD"
    yield PlanWarning(kind=kind, text=f"{words}, in its template for {known}")


_TOLD = (
    "a failed check of its pull request causes a rework without asking",
    "a review comment causes a rework without asking",
    "the forge merges its pull request without asking",
    "its branch is deleted on the forge after the merge",
)


def _acts(git: GitConventions) -> tuple[bool, ...]:
    return (
        git.on_failed_check is Response.REWORK,
        git.on_review_comment is Response.REWORK,
        git.auto_merge is AutoMerge.WHEN_READY,
        git.delete_branch,
    )
