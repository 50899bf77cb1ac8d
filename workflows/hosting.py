"""Activities under way on a host's task queue, which begin again on another when their workflow moves."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from temporalio.workflow import ActivityConfig, ActivityHandle

from domain.core.ids import host_queue

_Handle = ActivityHandle[Any]


class Run:
    """One activity on the queue of a host; it `is_cut` once its workflow works elsewhere."""

    def __init__(self, handle: _Handle) -> None:
        self.handle = handle
        self.is_cut = False

    @property
    def begins_again(self) -> bool:
        """Whether it ended because of a move, and not because nobody wants it any more."""
        task = asyncio.current_task()
        return self.is_cut and not (task and task.cancelling())


class HostActivities:
    """The activities of a workflow on the queue of the host that it works on."""

    def __init__(self) -> None:
        self._under_way: list[Run] = []
        self._queue = ""

    def placed(self, how: ActivityConfig) -> ActivityConfig:
        """Return the options of an activity with the queue of where the workflow works now."""
        queue = how.get("task_queue") or ""
        is_moved = self._queue and queue.startswith(host_queue(""))
        return {**how, "task_queue": self._queue} if is_moved else how

    @contextmanager
    def running(self, handle: _Handle, how: ActivityConfig) -> Generator[Run]:
        """Keep an activity in mind while it runs on the queue of a host."""
        run = Run(handle)
        is_of_host = (how.get("task_queue") or "").startswith(host_queue(""))
        if is_of_host:
            self._under_way.append(run)
        try:
            yield run
        finally:
            if is_of_host:
                self._under_way.remove(run)

    def move(self, queue: str) -> None:
        """Work on another queue, and cancel what is under way on any other."""
        self._queue = queue
        for run in self._under_way:
            if not run.handle.done() and not run.is_cut:
                run.is_cut = True
                run.handle.cancel()
