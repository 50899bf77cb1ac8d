"""What a thread's workflow starts with."""

from domain.agents.offers import AgentOptions
from domain.core.ids import ThreadId
from domain.core.inputs import WorkflowInput
from domain.plans.ancestry import ParentThread
from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import PlanTemplate
from domain.threads.fork_origin import ForkOrigin
from domain.threads.state import ThreadState


class ThreadInput(WorkflowInput):
    """A thread to open; `carried` is the state of a run that continued as new.

    `started` are the runs of tasks that go on meanwhile, as `<task id>:<run>`. A child has a `parent`,
    `context` from its plan, its template `inherited`, and begins at the branch `base`. One that was
    `forked_from` another has these as well: its context tells what happened there, and it begins at a
    checkpoint. The repository of one that `is_demo` is made for it.
    """

    thread_id: ThreadId
    goal: str
    repository: str
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    template: str | None = None
    inherited: PlanTemplate | None = None
    is_planned: bool = True
    planner: PlannerSettings = PlannerSettings()
    opened_by: str = ""
    parent: ParentThread | None = None
    context: str = ""
    base: str | None = None
    forked_from: ForkOrigin | None = None
    is_demo: bool = False
    has_plan_files: bool = False
    carried: ThreadState | None = None
    started: tuple[str, ...] = ()
