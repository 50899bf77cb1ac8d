"""Events of a running plan that are neither a status nor an end."""

from typing import Literal

from domain.progress import TaskProgress
from domain.wire import Wire


class TaskProgressed(Wire):
    """A run of a task told how far it is; its own stream has the whole of it."""

    kind: Literal["task_progressed"] = "task_progressed"
    progress: TaskProgress


RunningEvent = TaskProgressed
