"""Plan templates: project conventions for every plan (seed 000, "Plan Templates")."""

from enum import StrEnum

from pydantic import AliasChoices, Field

from domain.verification import VerificationStep
from domain.wire import Wire


class BranchStrategy(StrEnum):
    """A branch and worktree for each task, or one for all of them, one writer at a time."""

    PER_TASK = "per-task"
    SHARED = "shared"


class GatePolicy(StrEnum):
    """Who closes a task's gate; `auto` is recorded as automatic, never as a person's approval."""

    ASK = "ask"
    AUTO = "auto"


class Port(Wire):
    """A port that a task declares by id."""

    id: str
    description: str = ""


class VerificationDefaults(Wire):
    """Steps that every task gets, and how often a task may try again."""

    steps: tuple[VerificationStep, ...] = ()
    max_retries: int = Field(
        default=3, ge=0, le=10, validation_alias=AliasChoices("max_retries", "maxRetries")
    )


class Resources(Wire):
    """Ports that every task declares."""

    default_ports: tuple[Port, ...] = Field(
        default=(), validation_alias=AliasChoices("default_ports", "defaultPorts")
    )


class GitConventions(Wire):
    """How branches are made and named."""

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


class PlanTemplate(Wire):
    """One template; a thread keeps the snapshot it was opened with, its source, path and hash.

    `warnings` name what stands in its file and is not understood.
    """

    name: str
    description: str = ""
    source: str = "builtin"
    path: str = ""
    content_hash: str = ""
    warnings: tuple[str, ...] = ()
    verification: VerificationDefaults = VerificationDefaults()
    resources: Resources = Resources()
    git: GitConventions = GitConventions()
    gate: GatePolicy = GatePolicy.ASK
    planning_hints: str = Field(
        default="", validation_alias=AliasChoices("planning_hints", "planningHints")
    )
    agent_instructions: str = Field(
        default="", validation_alias=AliasChoices("agent_instructions", "agentInstructions")
    )
