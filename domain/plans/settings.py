"""How the plans of a thread run: settings that each thread keeps a copy of.

They come from the table `planner` of config.toml, from the environment (TREADLE_PLANNER_*), and from
whoever opens the thread, each before the one named before it.
"""

from typing import Annotated, Any, get_type_hints

from pydantic import Field, create_model

from domain.agents.limits.money import Usd, lowest
from domain.core.wire import Body, Wire
from domain.plans.templates.template import PlanApproval

MAX_SECONDS = 30 * 24 * 3600
MAX_OWN_TURNS = 1000

Steps = Annotated[int, Field(ge=1, le=100)]
Seconds = Annotated[int, Field(ge=0, le=MAX_SECONDS)]
Tokens = Annotated[int, Field(ge=1000, le=10_000_000)]
Threshold = Annotated[int, Field(ge=0, le=1000)]
OwnTurnCount = Annotated[int, Field(ge=0, le=MAX_OWN_TURNS)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class PlannerSettings(Wire):
    """How the plans of a thread run; a threshold of 0 disables its check."""

    enabled: bool = True
    """Whether threads are planned at all."""
    auto_run: bool = False
    """Start plans without warnings as soon as they are proposed."""
    max_parallel_steps: Steps = 4
    """Tasks of one plan that run at the same time."""
    decision_timeout_seconds: Seconds = 0
    """How long a decision waits before its safe default is taken; 0 waits without limit."""
    decision_reminder_seconds: Seconds = 3600
    """How long before that the last reminder is sent; 0 sends none."""
    max_context_tokens: Tokens = 100_000
    """Tokens of an agent's context; it is compacted at 95 % of them."""
    enable_persistence: bool = True
    """Save plans as files as well, if the project map names folders for them."""
    plan_files_commit: bool = False
    """Commit the file of a plan to the thread's branch when the plan has ended."""
    plan_approval: PlanApproval | None = None
    """Who approves the plan of every task, whatever the plan and its template say."""
    review_agent: Name | None = None
    """Agent of reviews whose step names none; the task's own agent by default."""
    review_model: Name | None = None
    """Model of that agent."""
    supervision_pauses: bool = False
    """Pause a plan when supervision raises a concern."""
    supervision_failures: Threshold = 3
    """Raise a concern when the same verification step of a run fails this often."""
    supervision_retries: Threshold = 3
    """Raise a concern when this many attempts of a run fail in a row, or a task has more runs."""
    supervision_unchanged: Threshold = 2
    """Raise a concern when this many attempts change no file."""
    supervision_quiet_seconds: Seconds = 1800
    """Raise a concern when a running task reports nothing for this many seconds."""
    supervision_stray_files: Threshold = 1
    """Raise a concern when a task changes this many files outside of its area."""
    own_turns: OwnTurnCount = 10
    """Turns that the thread's agent may take without a message, when something happens; 0 turns them off."""
    own_turns_wait_seconds: Seconds = 30
    """How long such a turn waits, so that it covers everything that happened until then."""
    agent_aborts: bool = False
    """Let the thread's agent abort tasks, giving a reason."""
    max_task_usd: Usd | None = None
    """US dollars that a task may cost, in all of its runs; then its next turn waits and you are asked."""
    max_thread_usd: Usd | None = None
    """The same for a thread, including the threads that its plan opens."""

    def without_favours(self, usual: "PlannerSettings") -> "PlannerSettings":
        """Return these for who approves nothing: what an approver allowed beyond the usual was for one thread."""
        is_asked = self.plan_approval is PlanApproval.USER
        return self.model_copy(
            update={
                "auto_run": self.auto_run and usual.auto_run,
                "plan_approval": self.plan_approval if is_asked else usual.plan_approval,
                "max_task_usd": lowest(self.max_task_usd, usual.max_task_usd),
                "max_thread_usd": lowest(self.max_thread_usd, usual.max_thread_usd),
            }
        )


_OPTIONAL: dict[str, Any] = {
    name: (kind | None, None)
    for name, kind in get_type_hints(PlannerSettings, include_extras=True).items()
    if name in PlannerSettings.model_fields
}


class PlannerOverrides(create_model("_Optional", __base__=Body, **_OPTIONAL)):
    """Settings that whoever opens a thread changes; null leaves one as it is set."""

    def over(self, settings: PlannerSettings) -> PlannerSettings:
        """Return the settings with these changes."""
        return settings.model_copy(update=self.model_dump(exclude_none=True))
