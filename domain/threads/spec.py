"""What a thread is asked to be, before its repository is looked at."""

from pydantic import Field

from domain.agents.offers import AgentOptions
from domain.agents.past_sessions import ImportedSession
from domain.core.attachments import Attachments
from domain.core.ids import ThreadId
from domain.core.wire import Wire
from domain.forges.issues import IssueLink
from domain.plans.ancestry import ParentThread
from domain.plans.best_of import BestOf
from domain.plans.settings import PlannerSettings
from domain.threads.fork_origin import ForkOrigin


class ThreadSpec(Wire):
    """A thread to open; a child has a `parent` and a `context` from its plan.

    The `context` of a thread that was `forked_from` another tells what happened there.
    """

    thread_id: ThreadId
    goal: str
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    is_planned: bool = True
    planner: PlannerSettings = PlannerSettings()
    opened_by: str = ""
    parent: ParentThread | None = None
    context: str = ""
    forked_from: ForkOrigin | None = None
    has_plan_files: bool = False
    issue: IssueLink | None = Field(default=None, exclude_if=lambda issue: issue is None)
    """The issue of a tracker that it comes from."""

    attachments: Attachments = Field(default=(), exclude_if=lambda files: not files)
    """The files that go with the goal, to its first agent."""
    promotes: tuple[str, ...] = Field(default=(), exclude_if=lambda ids: not ids)
    """The learnings that it is to bring into AGENTS.md."""

    imports: ImportedSession | None = Field(
        default=None, exclude_if=lambda imports: imports is None
    )
    """The session of its agent that it goes on with."""

    best_of: BestOf | None = Field(default=None, exclude_if=lambda best_of: best_of is None)
    """The agents that do each task at once, in place of what its template says."""

    patches: tuple[str, ...] = ()
    """The changes to the rules that hold for it: `domain.threads.patches`."""

    @property
    def title(self) -> str:
        """What it is called before anybody names it: as its issue or its session, else by its goal."""
        imported = self.imports.title if self.imports else ""
        return (self.issue.title if self.issue else "") or imported or self.goal
