"""The events of a job as a story: one line for each thing worth telling, and when it happened."""

from dataclasses import dataclass, field
from functools import singledispatchmethod

from domain.conversations import events as in_session
from domain.core.event import EventBody, JournaledEvent
from domain.core.ids import TaskId
from domain.tasks import events as in_task
from domain.threads import events as in_thread


@dataclass
class Story:
    """What was seen so far; `tell` returns the line for an event, or nothing."""

    branch: str = ""
    merged: dict[TaskId, in_thread.TaskMerged] = field(
        default_factory=dict[TaskId, in_thread.TaskMerged]
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
        line = self._line(body)
        return f"{task:<8} {line}" if line and is_of_task else line

    def took(self, task: TaskId) -> float:
        """Return the seconds on the clock between a task's first event and its last."""
        begin, end = self.spans.get(task, (0.0, 0.0))
        return end - begin

    def seconds(self, begin: str, end: str) -> float:
        """Return the time between the first event of one kind and the last of another."""
        if begin not in self.marks or f"last {end}" not in self.marks:
            return 0.0
        return self.marks[f"last {end}"] - self.marks[begin]

    @singledispatchmethod
    def _line(self, body: EventBody) -> str | None:
        del body
        return None

    @_line.register
    def _line_of_thread_opened(self, body: in_thread.ThreadOpened) -> str:
        self.branch = body.branch
        return f"thread opened on {body.facts.head_branch}, branch {body.branch}"

    @_line.register
    def _line_of_plan_proposed(self, body: in_thread.PlanProposed) -> str:
        groups = " → ".join(", ".join(group) for group in body.plan.parallel_groups)
        return f"plan {body.revision} proposed: {groups}"

    @_line.register
    def _line_of_plan_decided(self, body: in_thread.PlanDecided) -> str:
        return f"plan {body.revision}: {body.outcome.spoken} by {body.outcome.by}"

    @_line.register
    def _line_of_turn_started(self, body: in_session.TurnStarted) -> str:
        return f"agent works, turn {body.number} ({body.prompt_name})"

    @_line.register
    def _line_of_verification_step_ended(self, body: in_task.VerificationStepEnded) -> str:
        return f"verifying: {body.result.label} {'passed' if body.result.passed else 'FAILED'}"

    @_line.register
    def _line_of_merge_step_ended(self, body: in_thread.MergeStepEnded) -> str:
        outcome = "passed" if body.result.passed else "FAILED"
        return f"{body.task_id:<8} verifying as merged: {body.result.label} {outcome}"

    @_line.register
    def _line_of_gate_opened(self, body: in_task.GateOpened) -> str:
        files = ", ".join(body.snapshot.files) if body.snapshot else "nothing"
        return f"waits at the gate, changed {files}"

    @_line.register
    def _line_of_gate_decided(self, body: in_task.GateDecided) -> str:
        return f"gate: {body.outcome.choice} by {body.outcome.by}"

    @_line.register
    def _line_of_task_merged(self, body: in_thread.TaskMerged) -> str:
        self.merged[body.task_id] = body
        return f"{body.task_id:<8} merged as {body.commit[:10]}"

    @_line.register
    def _line_of_plan_completed(self, body: in_thread.PlanCompleted) -> str:
        return f"plan {body.final_status}"
