"""The events of a job as a story: one line for each thing worth telling, and when it happened."""

from dataclasses import dataclass, field

from domain.core.event import JournaledEvent
from domain.core.ids import TaskId
from domain.threads import events as thread_events

_SHOWN = frozenset(
    {
        "thread_opened",
        "plan_proposed",
        "plan_decided",
        "turn_started",
        "verification_step_ended",
        "merge_step_ended",
        "gate_opened",
        "gate_decided",
        "task_merged",
        "plan_completed",
    }
)


@dataclass
class Story:
    """What was seen so far; `tell` returns the line for an event, or nothing."""

    branch: str = ""
    merged: dict[TaskId, thread_events.TaskMerged] = field(
        default_factory=dict[TaskId, thread_events.TaskMerged]
    )
    spans: dict[TaskId, tuple[float, float]] = field(
        default_factory=dict[TaskId, tuple[float, float]]
    )
    marks: dict[str, float] = field(default_factory=dict[str, float])

    def tell(self, journaled: JournaledEvent) -> str | None:
        """Take in an event and return its line."""
        event = journaled.event
        body = event.body
        self.marks.setdefault(body.kind, event.at.timestamp())
        self.marks[f"last {body.kind}"] = event.at.timestamp()
        task = TaskId(event.stream.partition("/")[2].partition("/")[0])
        is_of_task = "/" in event.stream and "/session-" not in event.stream
        if is_of_task:
            at = event.at.timestamp()
            self.spans[task] = (self.spans.get(task, (at, at))[0], at)
        if isinstance(body, thread_events.ThreadOpened):
            self.branch = body.branch
        elif isinstance(body, thread_events.TaskMerged):
            self.merged[body.task_id] = body
        is_planning = body.kind == "turn_started" and not is_of_task
        if journaled.text is None or body.kind not in _SHOWN or is_planning:
            return None
        where = task if is_of_task else ""
        return f"{where:<8} {journaled.text.summary}"

    def took(self, task: TaskId) -> float:
        """Return the seconds on the clock between a task's first event and its last."""
        begin, end = self.spans.get(task, (0.0, 0.0))
        return end - begin

    def seconds(self, begin: str, end: str) -> float:
        """Return the time between the first event of one kind and the last of another."""
        if begin not in self.marks or f"last {end}" not in self.marks:
            return 0.0
        return self.marks[f"last {end}"] - self.marks[begin]
