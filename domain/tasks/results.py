"""How a run of a task ended, as its workflow, its thread's rules and the journal say it."""

from pydantic import Field

from domain.conversations.stats import TaskStats
from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning


class RunResult(Wire):
    """The end of a run: `output` is the agent's last message, `artifacts` the first 200 files it changed."""

    task_id: TaskId
    run: int
    end: TaskEnd
    reason: str = ""
    commit: str | None = None
    attempts: int = 0
    approved_by: tuple[str, ...] = Field(default=(), exclude_if=lambda people: not people)
    """The people who approved its change at the gate."""
    duration_ms: int = 0
    output: str = ""
    stats: TaskStats = TaskStats()
    artifacts: tuple[str, ...] = ()
    learnings: tuple[Learning, ...] = ()
    session_turns: int = 0
    """The turns that the session of the run has taken, in all."""
