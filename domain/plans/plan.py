"""Plans: their shape, and what an approval of one binds to.

Both spellings (camelCase and snake_case) are read.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import AliasChoices, Field, StringConstraints, field_validator

from domain.agents.limits.money import Usd
from domain.core import graphs
from domain.core.approvals import content_hash
from domain.core.ids import TaskId
from domain.core.text import on_one_line
from domain.core.wire import Wire, whole_number
from domain.plans.best_of import BestOf, candidate_id, share_of
from domain.plans.templates.template import GatePolicy, GitOverrides, Port
from domain.verification.steps import VerificationStep

MAX_PORTS = 10
MAX_DEPTH = 3
"""Threads that may stand above a thread."""

MIN_OPTIONS = 2
MAX_OPTIONS = 10
MAX_DECISION_SECONDS = 30 * 24 * 3600


class Mode(StrEnum):
    """How a task's agent works."""

    CODE = "code"
    TEST = "test"
    RESEARCH = "research"
    DESIGN = "design"
    DOCS = "docs"
    RUN = "run"


class RunsAs(StrEnum):
    """What a node of the plan becomes: a task of this thread, or a thread that plans on its own."""

    TASK = "task"
    THREAD = "thread"


class TaskPlanApproval(StrEnum):
    """Who approves a task's own plan; with `none` it is not planned, whatever its template says."""

    NONE = "none"
    AUTO = "auto"
    USER = "user"


class DecisionOption(Wire):
    """One choice of a decision."""

    label: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    description: str = ""


def _spelled(*names: str) -> AliasChoices:
    return AliasChoices(*names)


class Decision(Wire):
    """A question of the planner; it blocks only the tasks that wait for it.

    `header` is a short label (12 characters are shown). When its time runs out, `safe_default` is
    taken where the planner named one: an option that does no harm. `timeout_seconds` goes before the
    setting of the thread; 0 waits for ever.
    """

    id: str = Field(validation_alias=_spelled("id", "decision_id", "decisionId"))
    header: str = ""
    question: str
    options: tuple[DecisionOption, ...]
    multi_select: bool = Field(
        default=False, validation_alias=_spelled("multi_select", "multiSelect")
    )
    safe_default: str | None = Field(
        default=None, validation_alias=_spelled("safe_default", "safeDefault")
    )
    timeout_seconds: int | None = Field(
        default=None,
        ge=0,
        le=MAX_DECISION_SECONDS,
        validation_alias=_spelled("timeout_seconds", "timeoutSeconds"),
    )

    _is_a_number = field_validator("timeout_seconds", mode="before")(whole_number)


class PlannedTask(Wire):
    """One task of a plan; empty fields take the template's defaults.

    `area` are globs of the files that it will likely change, `repositories` those beside the thread's own that it may change, by default all. `terminals` are labels of those that must
    still run when the work is reported done. `skip_steps` names steps of the
    template that do not fit this task. A denied tool is denied, even where it is allowed as well.
    `owner` is the kind of specialist that works on it, by default that of its mode. With `best_of` several agents
    do it at once; each is a candidate, a task that is `candidate_of` this one and in no plan.
    """

    id: TaskId = Field(validation_alias=_spelled("id", "step_id", "stepId"))
    title: str
    description: str = ""
    mode: Mode = Mode.CODE
    owner: str = Field(default="", max_length=100, exclude_if=lambda owner: not owner)
    runs_as: RunsAs = Field(default=RunsAs.TASK, validation_alias=_spelled("runs_as", "runsAs"))
    depends_on: tuple[TaskId, ...] = Field(
        default=(), validation_alias=_spelled("depends_on", "dependsOn", "dependencies")
    )
    area: tuple[str, ...] = ()
    repositories: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    ports: tuple[Port, ...] = ()
    terminals: tuple[str, ...] = ()
    verification: tuple[VerificationStep, ...] = ()
    skips_template_steps: bool = False
    skip_steps: tuple[str, ...] = Field(
        default=(), validation_alias=_spelled("skip_steps", "skipSteps")
    )
    max_retries: int | None = Field(
        default=None,
        ge=0,
        le=10,
        validation_alias=_spelled("max_retries", "maxRetries"),
    )
    plan_approval: TaskPlanApproval | None = Field(
        default=None, validation_alias=_spelled("plan_approval", "planApproval")
    )
    gate: GatePolicy | None = None
    allowed_tools: tuple[str, ...] = Field(
        default=(), validation_alias=_spelled("allowed_tools", "allowedTools")
    )
    denied_tools: tuple[str, ...] = Field(
        default=(), validation_alias=_spelled("denied_tools", "deniedTools")
    )
    prompt_suffix: str = Field(
        default="",
        max_length=8_000,
        validation_alias=_spelled("prompt_suffix", "promptSuffix", "system_prompt_suffix"),
    )
    max_tokens: int | None = Field(
        default=None, gt=0, validation_alias=_spelled("max_tokens", "maxTokens")
    )
    max_turns: int | None = Field(
        default=None, gt=0, validation_alias=_spelled("max_turns", "maxTurns")
    )
    max_usd: Usd | None = Field(
        default=None,
        validation_alias=_spelled("max_usd", "maxUsd"),
        exclude_if=lambda usd: usd is None,
    )
    decision_id: str | None = Field(
        default=None, validation_alias=_spelled("decision_id", "decisionId", "decision")
    )
    agent: str | None = None
    model: str | None = None
    best_of: BestOf | None = Field(
        default=None,
        validation_alias=_spelled("best_of", "bestOf"),
        exclude_if=lambda best_of: best_of is None,
    )
    candidate_of: TaskId = Field(default=TaskId(""), exclude_if=lambda task_id: not task_id)

    _are_numbers = field_validator("max_retries", "max_tokens", "max_turns", mode="before")(
        whole_number
    )
    _in_one_line = field_validator("title", "owner")(on_one_line)  # titles stand in lines of ours

    @property
    def is_contest(self) -> bool:
        """Whether several agents do it at once."""
        return self.best_of is not None and bool(self.best_of.agents)

    @property
    def candidates(self) -> tuple["PlannedTask", ...]:
        """The tasks of those who do it at once; its limits hold for all of them together."""
        if self.best_of is None:
            return ()
        choices = self.best_of.choices
        return tuple(
            self.candidate(place, choice.agent, choice.model, len(choices))
            for place, choice in enumerate(choices)
        )

    def candidate(self, place: int, agent: str, model: str | None, parts: int) -> "PlannedTask":
        """Return the task of one who does it at the same time as others, with its share of the limits."""
        return self.model_copy(
            update={
                "id": candidate_id(self.id, place),
                "candidate_of": self.id,
                "best_of": None,
                "agent": agent,
                "model": model,
                "max_tokens": share_of(self.max_tokens, parts),
                "max_turns": share_of(self.max_turns, parts),
            }
        )


class Plan(Wire):
    """What a planner proposes; a plan without tasks is a single unit of work.

    `git` overrides the conventions of its template for this plan: they are of no task alone.
    """

    goal: str = ""
    approach: str = ""
    summary: str = ""
    considerations: tuple[str, ...] = ()
    key_risk: str = Field(default="", validation_alias=_spelled("key_risk", "keyRisk"))
    tasks: tuple[PlannedTask, ...] = Field(default=(), validation_alias=_spelled("tasks", "steps"))
    decisions: tuple[Decision, ...] = ()
    verification: tuple[VerificationStep, ...] = ()
    git: GitOverrides | None = Field(default=None, exclude_if=lambda git: git is None)

    @property
    def graph(self) -> dict[str, tuple[TaskId, ...]]:
        """Task ids with what each depends on, in plan order."""
        return {task.id: task.depends_on for task in self.tasks}

    @property
    def parallel_groups(self) -> list[list[str]]:
        """Tasks that can run at the same time, in order."""
        return graphs.layers(self.graph)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that its tasks likely touch, as globs, each once."""
        return tuple(dict.fromkeys(glob for task in self.tasks for glob in task.area))

    @property
    def content_hash(self) -> str:
        """What an approval of this plan alone binds to."""
        return content_hash(self)

    def task(self, task_id: TaskId) -> PlannedTask:
        """Return one task.

        Raises:
            KeyError: The plan has no such task.
        """
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise KeyError(task_id)
