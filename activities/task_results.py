"""Waiting for a task whose thread continued as new: the new run has no handle of the child."""

from typing import Protocol

from temporalio import activity

from activities.heartbeats import beating
from domain.core.summaries import Summarized
from domain.tasks.inputs import TaskResult


class WatchCall(Summarized):
    """The task's workflow and run to wait for."""

    workflow_id: str
    run: int

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"wait for run {self.run} of {self.workflow_id}"


class TaskResults(Protocol):
    """Where results of task workflows come from: Temporal itself."""

    async def result_of(self, workflow_id: str) -> TaskResult:
        """Wait for a task workflow's end and return its result."""
        ...


class TaskCompletion:
    """Waits for tasks."""

    def __init__(self, results: TaskResults) -> None:
        self._results = results

    @activity.defn
    async def await_task(self, call: WatchCall) -> TaskResult:
        """Wait for the end of a task's run; asking again is harmless."""
        async with beating():
            return await self._results.result_of(call.workflow_id)
