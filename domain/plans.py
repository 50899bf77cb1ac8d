"""Plans: their shape, every problem of a proposed one, and the repair of its dependencies.

Shapes are those of seed 000 and seed 002; both spellings (camelCase and snake_case) are read.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import AliasChoices, Field, StringConstraints

from domain import graphs
from domain.approvals import content_hash
from domain.ids import TaskId
from domain.templates import GatePolicy, Port
from domain.verification import VerificationStep
from domain.wire import Wire

MAX_TASKS = 1000
MAX_PORTS = 10


class Mode(StrEnum):
    """How a task's agent works (seed 002, mode catalogue)."""

    CODE = "code"
    TEST = "test"
    RESEARCH = "research"
    DESIGN = "design"
    DOCS = "docs"
    RUN = "run"


class PlanApproval(StrEnum):
    """Who approves a task's own plan (seed 000, task-level planning)."""

    AUTO = "auto"
    USER = "user"


class DecisionOption(Wire):
    """One choice of a decision."""

    label: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    description: str = ""


class Decision(Wire):
    """A question of the planner; it blocks only the tasks that wait for it (seed 002)."""

    id: str
    header: str = ""
    question: str
    options: tuple[DecisionOption, ...] = Field(min_length=1)
    multi_select: bool = False


def _spelled(*names: str) -> AliasChoices:
    return AliasChoices(*names)


class PlannedTask(Wire):
    """One task of a plan; empty fields take the template's defaults."""

    id: TaskId
    title: str
    description: str = ""
    mode: Mode = Mode.CODE
    depends_on: tuple[TaskId, ...] = Field(
        default=(), validation_alias=_spelled("depends_on", "dependsOn", "dependencies")
    )
    ports: tuple[Port, ...] = ()
    verification: tuple[VerificationStep, ...] = ()
    skips_template_steps: bool = False
    max_retries: int | None = Field(
        default=None, ge=0, le=10, validation_alias=_spelled("max_retries", "maxRetries")
    )
    plan_approval: PlanApproval = Field(
        default=PlanApproval.AUTO, validation_alias=_spelled("plan_approval", "planApproval")
    )
    gate: GatePolicy | None = None
    allowed_tools: tuple[str, ...] = ()
    denied_tools: tuple[str, ...] = ()
    max_tokens: int | None = Field(default=None, gt=0)
    max_turns: int | None = Field(default=None, gt=0)
    decision_id: str | None = None
    agent: str | None = None


class Plan(Wire):
    """What a planner proposes; a plan without tasks is a single unit of work."""

    goal: str = ""
    approach: str = ""
    summary: str = ""
    considerations: tuple[str, ...] = ()
    key_risk: str = Field(default="", validation_alias=_spelled("key_risk", "keyRisk"))
    tasks: tuple[PlannedTask, ...] = Field(default=(), max_length=MAX_TASKS)
    decisions: tuple[Decision, ...] = ()
    verification: tuple[VerificationStep, ...] = ()

    @property
    def graph(self) -> dict[str, tuple[TaskId, ...]]:
        """Task ids with what each depends on, in plan order."""
        return {task.id: task.depends_on for task in self.tasks}

    @property
    def parallel_groups(self) -> list[list[str]]:
        """Tasks that can run at the same time, in order."""
        return graphs.layers(self.graph)

    @property
    def content_hash(self) -> str:
        """What an approval of this plan binds to."""
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
