"""A workflow template: goals with dependencies among them, and the words that change each time."""

from pydantic import BaseModel, ConfigDict

from domain.plans.templates.template import TemplateSource
from domain.plans.templates.views import TemplateProblem
from domain.queue.entry import Priority


class _Part(BaseModel):
    """What a template's file is made of; a key that is none is refused, so that a slip is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Parameter(_Part):
    """A word that whoever starts the template gives; one without a default must be given."""

    description: str = ""
    default: str | None = None


class TemplateGoal(_Part):
    """One goal or flow; it starts once those named in `after` have completed.

    With a `base` it waits for that goal, too, and begins at its branch instead of `HEAD`.
    """

    id: str
    goal: str = ""
    flow: str = ""
    after: tuple[str, ...] = ()
    base: str | None = None
    template: str | None = None
    agent: str | None = None
    model: str | None = None
    priority: Priority = 3

    @property
    def needs(self) -> tuple[str, ...]:
        """The goals that it waits for."""
        return tuple(dict.fromkeys((*self.after, *([self.base] if self.base else []))))


class WorkflowTemplate(_Part):
    """What the file of a workflow template says."""

    description: str = ""
    parameters: dict[str, Parameter] = {}
    goals: tuple[TemplateGoal, ...]


class FoundWorkflow(BaseModel):
    """A workflow template's file: what it says, or all that is wrong with it.

    A hidden one has the name of another that goes before it.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    scope: TemplateSource
    path: str
    content_hash: str = ""
    is_hidden: bool = False
    problems: tuple[TemplateProblem, ...] = ()
    template: WorkflowTemplate | None = None
