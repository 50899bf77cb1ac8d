"""What the thread's own workflow tells its rules; people's commands are in domain/commands.py."""

from domain.agents import Prompt
from domain.effects import OpenedThread
from domain.events.task import TaskEnd
from domain.ids import SessionId, TaskId, ThreadId
from domain.wire import Wire
from domain.workspaces import MergeResult


class OpenThread(Wire):
    """The repository was looked at: begin."""

    thread_id: ThreadId
    goal: str
    agent: str
    model: str | None = None
    opened: OpenedThread
    is_planned: bool = True
    max_parallel_tasks: int = 4
    by: str = ""


class MarkDelivered(Wire):
    """A session has its prompt."""

    key: str


class EndSessionTurn(Wire):
    """A session's turn is over; a planner that proposed nothing is asked again."""

    session_id: SessionId
    turn: int
    is_stopped: bool = False
    failure: str | None = None


class EndTask(Wire):
    """A run of a task ended."""

    task_id: TaskId
    run: int
    end: TaskEnd
    reason: str = ""
    commit: str | None = None
    attempts: int = 0
    duration_ms: int = 0


class SettleTask(Wire):
    """A run was merged, where accepted, and released."""

    task_id: TaskId
    run: int
    merge: MergeResult


class DeliverPrompt(Wire):
    """To do: give a session its prompt, opening it with its first; None closes it."""

    key: str
    session_id: SessionId
    prompt: Prompt | None


class RunTask(Wire):
    """To do: run a task, or go on waiting for its run."""

    task_id: TaskId
    run: int


class AbortTask(Wire):
    """To do: tell a running task to abort."""

    task_id: TaskId
    run: int


class MergeTask(Wire):
    """To do: settle a run that ended; one at a time, in order."""

    task_id: TaskId
    run: int
