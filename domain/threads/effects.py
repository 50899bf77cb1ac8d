"""What a thread must have under way; workflows/thread_effects.py carries it out."""

from datetime import datetime
from typing import ClassVar

from domain.agents.agents import Prompt, SessionRole
from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire


class ThreadEffect(Wire):
    """Base of all effects; what has the same key is the same, and is started once.

    A resumable one goes on in the next run of the workflow, or is started again there without harm.
    A brief one ends soon, and most often another effect follows that carries events.
    """

    kind: ClassVar[str]
    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What tells it from others of its kind."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"{self.kind}:{self.name}"


class DeliverPrompt(ThreadEffect):
    """Give a session its prompt, opening it with its first, or its role; neither closes it.

    One that `is_for_work` goes to the run of the plan's work, which takes the session's turns.
    """

    kind = "tell"

    prompt_key: str
    session_id: SessionId
    prompt: Prompt | None
    role: SessionRole | None = None
    is_reset: bool = False
    turns: int | None = None
    is_for_work: bool = False

    @property
    def name(self) -> str:
        """The prompt's key."""
        return self.prompt_key


class OfRun(ThreadEffect):
    """Base of the effects of one run of a task."""

    task_id: TaskId
    run: int

    @property
    def name(self) -> str:
        """The run."""
        return f"{self.task_id}:{self.run}"


class RunTask(OfRun):
    """Run a task, or go on waiting for its run."""

    kind = "run"
    is_resumable = True


class AbortTask(OfRun):
    """Tell a running task to abort."""

    kind = "abort"
    is_resumable = True


class MergeTask(OfRun):
    """Settle a run that ended; one at a time, in order."""

    kind = "settle"
    is_brief = True


class SettleTasks(ThreadEffect):
    """Settle the runs that ended, in order; one such effect at a time takes those that wait when it begins."""

    kind = "settle-all"
    is_brief = True

    @property
    def name(self) -> str:
        """Nothing: it is always the same."""
        return ""


class WatchRuns(ThreadEffect):
    """Wake the rules when the first of the runs should have been heard of; others may have begun meanwhile."""

    kind = "watch"
    is_resumable = True

    at: datetime

    @property
    def name(self) -> str:
        """Nothing: it is always the same."""
        return ""

    @property
    def summary(self) -> str:
        """What Temporal shows of the timer."""
        return "time to hear of the runs"


TIMERS = {
    "decision": "time for the decision",
    "own-turn": "time for the agent's own turn",
    "report": "time to report on the run",
}
"""What a timer is for, by the first word of what it waits for."""


class WaitUntil(ThreadEffect):
    """Wake the rules at a moment; the wait is cancelled once they require it no longer."""

    kind = "wait"
    is_resumable = True

    what: str
    at: datetime

    @property
    def name(self) -> str:
        """What is waited for, and until when."""
        return f"{self.what}:{self.at.isoformat()}"

    @property
    def summary(self) -> str:
        """What Temporal shows of the timer."""
        kind, _, of = self.what.partition(":")
        return " of ".join(filter(None, (TIMERS.get(kind, kind), of)))
