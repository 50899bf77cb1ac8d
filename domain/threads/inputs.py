"""What a thread's workflow starts with."""

from pydantic import Field

from domain.core.inputs import WorkflowInput
from domain.core.listing import Listing, project_name
from domain.core.summaries import title_line
from domain.hosts.placement import HostWish
from domain.plans.templates.template import PlanTemplate
from domain.threads.spec import ThreadSpec
from domain.threads.state import ThreadState


class ThreadInput(ThreadSpec, WorkflowInput):
    """A thread to open; `carried` is the state of a run that continued as new.

    `started` are the runs of tasks that go on meanwhile, as `<task id>:<run>`. A child has its template
    `inherited`, and begins at the branch `base`; a fork has a template as well, and begins at a
    checkpoint. A child has its parent's `recipe`. The repository of one that `is_demo` is made for it. `also` are
    folders of the repositories that it has beside. It goes to one of the `hosts` that are wished for; a child or fork
    to the host by id that its commits are on, `on_host`.
    """

    repository: str
    template: str | None = None
    inherited: PlanTemplate | None = None
    base: str | None = None
    is_demo: bool = False
    recipe: str = ""
    also: tuple[str, ...] = Field(default=(), exclude_if=lambda also: not also)
    hosts: HostWish = Field(default=HostWish(), exclude_if=lambda wish: wish.is_empty)
    on_host: str = Field(default="", exclude_if=lambda host: not host)
    carried: ThreadState | None = None
    started: tuple[str, ...] = ()

    @property
    def listing(self) -> Listing:
        """What Temporal's lists show of it."""
        template = self.inherited.name if self.inherited else self.template
        return Listing(
            kind="thread",
            status="open",
            title=title_line(self.title),
            project=project_name(self.repository),
            person=self.opened_by,
            template=template or "",
            agent=self.agent,
            look=f"treadle show {self.thread_id}",
        )

    @property
    def spec(self) -> ThreadSpec:
        """What its rules are given."""
        return ThreadSpec(**{name: getattr(self, name) for name in ThreadSpec.model_fields})
