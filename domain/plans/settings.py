"""How the plans of a thread run: settings that each thread keeps a copy of.

They come from the table `planner` of config.toml, from the environment (TREADLE_PLANNER_*), and from
whoever opens the thread, each before the one named before it.
"""

from typing import Annotated, Any, get_type_hints

from pydantic import Field, create_model

from domain.core.wire import Body, Wire
from domain.plans.templates.template import PlanApproval

MAX_SECONDS = 30 * 24 * 3600

Steps = Annotated[int, Field(ge=1, le=100)]
Seconds = Annotated[int, Field(ge=0, le=MAX_SECONDS)]
Tokens = Annotated[int, Field(ge=1000, le=10_000_000)]
Threshold = Annotated[int, Field(ge=0, le=1000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class PlannerSettings(Wire):
    """What a thread goes by; a threshold of 0 never raises anything.

    `decision_timeout_seconds` of 0 waits for ever; the last reminder comes `decision_reminder_seconds`
    before the end. `enable_persistence` keeps plans as files where the project map names folders, and
    `plan_files_commit` commits the file of a plan that is over onto the thread's branch.
    """

    enabled: bool = True
    auto_run: bool = False
    max_parallel_steps: Steps = 4
    decision_timeout_seconds: Seconds = 0
    decision_reminder_seconds: Seconds = 3600
    max_context_tokens: Tokens = 100_000
    enable_persistence: bool = True
    plan_files_commit: bool = False
    plan_approval: PlanApproval | None = None
    """Who approves the plan of every task, whatever the plan and its template say."""
    review_agent: Name | None = None
    """Who makes reviews whose step names no agent; None is the task's own agent."""
    review_model: Name | None = None
    supervision_pauses: bool = False
    supervision_failures: Threshold = 3
    """So often the same verification step of a run fails."""
    supervision_retries: Threshold = 3
    """So many attempts of a run fail in a row, or a task has more runs."""
    supervision_unchanged: Threshold = 2
    """So many attempts leave the files as they were."""
    supervision_quiet_seconds: Seconds = 1800
    """So long nothing is heard of a task that works."""
    supervision_stray_files: Threshold = 1
    """So many files outside the area that the plan gives a task."""


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
