"""Plan templates: project conventions for every plan."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, AliasChoices, Field

from domain.agents.limits.money import Usd
from domain.core.four_eyes import MAX_APPROVALS, FourEyes
from domain.core.wire import Wire
from domain.forges.pull_requests import MergeMethod
from domain.hosts.host import Labels
from domain.plans.best_of import BestOf
from domain.plans.templates.pull_requests import PullRequestConventions, PullRequestOverrides
from domain.recipes.recipe import WorkspaceRecipe
from domain.verification.checkouts import Recipe
from domain.verification.judges.policy import JudgePolicy
from domain.verification.steps import StepType, VerificationStep

_ACTING = {StepType.COMMAND: "runs", StepType.SCRIPT: "runs", StepType.REVIEW_AGENT: "has reviewed"}


_LIFTED = {
    JudgePolicy.TESTS: "lets work that changed existing tests merge without asking (judges: tests)",
    JudgePolicy.TELL: "lets work that changed what verifies it, or that nothing verified, merge "
    "without asking (judges: tell)",
}


class BranchStrategy(StrEnum):
    """A branch and worktree for each task, or one for all of them, one writer at a time."""

    PER_TASK = "per-task"
    SHARED = "shared"


class GatePolicy(StrEnum):
    """Who closes a task's gate; `auto` is recorded as automatic, never as a person's approval."""

    ASK = "ask"
    AUTO = "auto"


class PlanApproval(StrEnum):
    """Who approves a task's own plan."""

    AUTO = "auto"
    USER = "user"


class TemplateSource(StrEnum):
    """Whose a template is."""

    REPO = "repo"
    USER = "user"
    BUILTIN = "builtin"

    @property
    def label(self) -> str:
        """The scope as people read it."""
        return "Built-in" if self is TemplateSource.BUILTIN else self.capitalize()


class Port(Wire):
    """A port that a task declares by id."""

    id: str
    description: str = ""


def step_name(step: VerificationStep) -> str:
    """Return what a template's step is called: its label, or what it runs or looks for."""
    return step.label or step.subject


class VerificationDefaults(Wire):
    """Steps that every task gets, and how often a task may try again.

    `kept` names the steps that no task may leave out: those that say `required: true` themselves.
    The others are required where they run, and a plan may leave them out, as "no lint for a task
    that writes only text"; that is shown at its approval. `prepare` and `carry` are of the clean
    checkouts that they run on (domain/checkouts.py). `judges` is what an automatic gate does with work
    that changed what verifies it, or that nothing verified.
    """

    steps: tuple[VerificationStep, ...] = ()
    max_retries: int = Field(
        default=3, ge=0, le=10, validation_alias=AliasChoices("max_retries", "maxRetries")
    )
    kept: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()
    carry: tuple[str, ...] | None = None
    judges: JudgePolicy = JudgePolicy.ASK

    @property
    def recipe(self) -> Recipe:
        """How the clean checkouts are made that the steps run on."""
        return Recipe(prepare=self.prepare, carry=self.carry)


class Resources(Wire):
    """Ports that every task declares, and hosts that all processes of a thread reach by HTTPS unasked."""

    default_ports: tuple[Port, ...] = Field(
        default=(), validation_alias=AliasChoices("default_ports", "defaultPorts")
    )
    hosts: tuple[Annotated[str, AfterValidator(str.lower)], ...] = ()


class BaseUpdate(StrEnum):
    """How commits that the base has got since come into a thread's branch; `off` only says that there are some."""

    MERGE = "merge"
    REBASE = "rebase"
    OFF = "off"


class BasePolicy(Wire):
    """Whether the base is fetched from its remote, and what is done when it has moved."""

    fetch: bool = True
    update: BaseUpdate = BaseUpdate.MERGE


class GitConventions(PullRequestConventions):
    """How branches are made and named, and whether a pull request is opened at the end.

    `task_merge_method` is how tasks come into the thread's branch, `merge_method` how the forge merges its pull
    request.
    """

    branch_strategy: BranchStrategy = Field(
        default=BranchStrategy.PER_TASK,
        validation_alias=AliasChoices("branch_strategy", "branchStrategy"),
    )
    branch_prefix: str = Field(
        default="treadle/", validation_alias=AliasChoices("branch_prefix", "branchPrefix")
    )
    pr_target: str | None = Field(
        default=None, validation_alias=AliasChoices("pr_target", "prTarget")
    )
    open_pr: bool = Field(default=False, validation_alias=AliasChoices("open_pr", "openPR"))
    base: BasePolicy = Field(default=BasePolicy(), exclude_if=lambda policy: policy == BasePolicy())
    task_merge_method: MergeMethod = Field(
        default=MergeMethod.MERGE,
        validation_alias=AliasChoices("task_merge_method", "taskMergeMethod"),
        exclude_if=lambda method: method is MergeMethod.MERGE,
    )
    merge_method: MergeMethod = Field(
        default=MergeMethod.MERGE,
        validation_alias=AliasChoices("merge_method", "mergeMethod"),
        exclude_if=lambda method: method is MergeMethod.MERGE,
    )


class GitOverrides(PullRequestOverrides):
    """What a plan wants otherwise than its template's git conventions; None is as the template has it."""

    branch_strategy: BranchStrategy | None = Field(
        default=None, validation_alias=AliasChoices("branch_strategy", "branchStrategy")
    )
    branch_prefix: str | None = Field(
        default=None, validation_alias=AliasChoices("branch_prefix", "branchPrefix")
    )
    pr_target: str | None = Field(
        default=None, validation_alias=AliasChoices("pr_target", "prTarget")
    )
    open_pr: bool | None = Field(default=None, validation_alias=AliasChoices("open_pr", "openPR"))
    base: BasePolicy | None = Field(default=None, exclude_if=lambda policy: policy is None)
    task_merge_method: MergeMethod | None = Field(
        default=None,
        validation_alias=AliasChoices("task_merge_method", "taskMergeMethod"),
        exclude_if=lambda method: method is None,
    )
    merge_method: MergeMethod | None = Field(
        default=None,
        validation_alias=AliasChoices("merge_method", "mergeMethod"),
        exclude_if=lambda method: method is None,
    )

    def over(self, git: GitConventions) -> GitConventions:
        """Return the conventions with these in the place of the template's."""
        own = {name: value for name, value in self if value is not None}
        return git.model_copy(update=own)


class AskedApprovals(Wire):
    """How many people a template asks for, besides what the project asks: it makes a rule stricter, never laxer."""

    plan_by_another: bool = Field(
        default=False, validation_alias=AliasChoices("plan_by_another", "planByAnother")
    )
    gate_approvals: int = Field(
        default=1,
        ge=1,
        le=MAX_APPROVALS,
        validation_alias=AliasChoices("gate_approvals", "gateApprovals"),
    )

    @property
    def rule(self) -> FourEyes:
        """The rule that it makes, without the project's."""
        return FourEyes(plan_by_another=self.plan_by_another, gate_approvals=self.gate_approvals)


class MoneyConventions(Wire):
    """What a task and a thread may cost, in US dollars; the lowest of all limits counts. None is no limit."""

    max_task_usd: Usd | None = Field(
        default=None, validation_alias=AliasChoices("max_task_usd", "maxTaskUsd")
    )
    max_thread_usd: Usd | None = Field(
        default=None, validation_alias=AliasChoices("max_thread_usd", "maxThreadUsd")
    )


class PlanTemplate(Wire):
    """One template; a thread keeps the snapshot it was opened with, its source, path and hash.

    `id` is the name of its folder, `name` what people read. `warnings` name what stands in its file
    and is not understood. `labels` are those that the host of a thread must have. `workspace` replaces parts of the repository's recipe. With `best_of` several
    agents do each task at once. `guidance` is the file's
    text below the frontmatter.
    """

    id: str = ""
    name: str
    description: str = ""
    source: TemplateSource = TemplateSource.BUILTIN
    path: str = ""
    content_hash: str = ""
    warnings: tuple[str, ...] = ()
    verification: VerificationDefaults = VerificationDefaults()
    resources: Resources = Resources()
    git: GitConventions = GitConventions()
    plan_approval: PlanApproval | None = Field(
        default=None, validation_alias=AliasChoices("plan_approval", "planApproval")
    )
    gate: GatePolicy = GatePolicy.ASK
    approvals: AskedApprovals = Field(
        default=AskedApprovals(), exclude_if=lambda asked: asked == AskedApprovals()
    )
    labels: Labels = Field(default=(), exclude_if=lambda labels: not labels)
    money: MoneyConventions = Field(
        default=MoneyConventions(), exclude_if=lambda money: money == MoneyConventions()
    )
    workspace: WorkspaceRecipe = WorkspaceRecipe()
    best_of: BestOf | None = Field(
        default=None,
        validation_alias=AliasChoices("best_of", "bestOf"),
        exclude_if=lambda best_of: best_of is None,
    )
    planning_hints: str = Field(
        default="", validation_alias=AliasChoices("planning_hints", "planningHints")
    )
    agent_instructions: str = Field(
        default="", validation_alias=AliasChoices("agent_instructions", "agentInstructions")
    )
    guidance: str = ""

    @property
    def label(self) -> str:
        """The name with its scope, as `Default (Repo)`."""
        return f"{self.name} ({self.source.label})"

    @property
    def hints(self) -> str:
        """What planners are told: the hints, then the guidance."""
        return "\n\n".join(text for text in (self.planning_hints.strip(), self.guidance) if text)

    @property
    def acts(self) -> tuple[str, ...]:
        """What it has done without asking: its commands, hosts, automatic gates, pull requests."""
        steps = self.verification.steps
        found = [f"runs before the steps: {command}" for command in self.verification.prepare]
        found += [f"{_ACTING[s.type]}: {s.subject}" for s in steps if s.type in _ACTING]
        found += self.workspace.acts
        found += [f"lets agents and steps reach by HTTPS: {host}" for host in self.resources.hosts]
        if self.gate is GatePolicy.AUTO:
            found.append("merges verified work without asking (gate: auto)")
        if self.verification.judges is not JudgePolicy.ASK:
            found.append(_LIFTED[self.verification.judges])
        if self.git.open_pr:
            target = self.git.pr_target or "the branch that is checked out"
            found.append(f"pushes the branch and opens a pull request against {target}")
        found += self.git.acts
        return tuple(found)
