"""What a thread's workflow starts with."""

from domain.core.inputs import WorkflowInput
from domain.plans.templates.template import PlanTemplate
from domain.threads.spec import ThreadSpec
from domain.threads.state import ThreadState


class ThreadInput(ThreadSpec, WorkflowInput):
    """A thread to open; `carried` is the state of a run that continued as new.

    `started` are the runs of tasks that go on meanwhile, as `<task id>:<run>`. A child has its template
    `inherited`, and begins at the branch `base`; a fork has a template as well, and begins at a
    checkpoint. The repository of one that `is_demo` is made for it.
    """

    repository: str
    template: str | None = None
    inherited: PlanTemplate | None = None
    base: str | None = None
    is_demo: bool = False
    carried: ThreadState | None = None
    started: tuple[str, ...] = ()

    @property
    def spec(self) -> ThreadSpec:
        """What its rules are given."""
        return ThreadSpec(**{name: getattr(self, name) for name in ThreadSpec.model_fields})
