"""A thread's timeline from its events, by the same `evolve` that its workflows use."""

from collections import deque
from datetime import datetime

from domain.core.event import Event, JournaledEvent
from domain.core.event_text import cut
from domain.core.ids import TaskId, ThreadId, is_terminal, thread_of
from domain.reading.event_text import text_of
from domain.reading.timeline.timeline import Mark, Moment, Span, SpanStatus, TaskLine, Timeline
from domain.tasks.events import TaskEnd
from domain.tasks.rules import evolve as evolve_task
from domain.tasks.state import PLANNING, Phase, TaskState
from domain.tasks.status import TaskStatus
from domain.threads import rules as threads
from domain.threads.events import PlanCompleted, PlanStarted
from domain.threads.state import ThreadState

MAX_MOMENTS = 2_000
MAX_LABEL = 160
MAX_SPANS = 500
MAX_MARKS = 200
_NO_RUN = TaskState()
_STILL = {
    TaskStatus.PENDING: SpanStatus.PENDING,
    TaskStatus.NEEDS_DECISION: SpanStatus.WAITING,
    TaskStatus.FAILED: SpanStatus.FAILED,
    TaskStatus.BLOCKED: SpanStatus.BLOCKED,
}


class TimelineFold:
    """One thread's timeline; the newest moments, spans and marks are kept."""

    def __init__(self, thread_id: ThreadId) -> None:
        self.position = 0
        self._thread = ThreadState(thread_id=thread_id)
        self._runs: dict[str, TaskState] = {}
        self._spans: dict[TaskId, deque[Span]] = {}
        self._marks: dict[TaskId, deque[Mark]] = {}
        self._moments: deque[Moment] = deque(maxlen=MAX_MOMENTS)
        self._began_at: datetime | None = None
        self._ended_at: datetime | None = None

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event; one that was folded before is passed over."""
        event, stream = journaled.event, journaled.event.stream
        if journaled.position <= self.position or thread_of(stream) != self._thread.thread_id:
            return
        self.position = journaled.position
        self._began_at = self._began_at or event.at
        if is_terminal(stream):
            return
        task_id = TaskId(stream.partition("/")[2].partition("/")[0])
        if stream == self._thread.thread_id:
            self._add_to_thread(journaled)
        elif task_id in self._thread.tasks and "/session-" not in stream:
            self._runs[task_id] = evolve_task(self._runs.get(task_id, _NO_RUN), event.body)
            self._put_span(task_id, journaled)
        self._note(journaled, task_id)

    def timeline(self) -> Timeline | None:
        """Return the timeline, None where the thread has no event."""
        if self._began_at is None:
            return None
        return Timeline(
            position=self.position,
            began_at=self._began_at,
            ended_at=self._ended_at,
            tasks=tuple(
                TaskLine(
                    task_id=task_id,
                    title=entry.task.title,
                    spans=tuple(self._spans.get(task_id, ())),
                    marks=tuple(self._marks.get(task_id, ())),
                )
                for task_id, entry in self._thread.tasks.items()
            ),
            moments=tuple(self._moments),
        )

    def _add_to_thread(self, journaled: JournaledEvent) -> None:
        event, before = journaled.event, self._thread
        self._thread = threads.evolve(before, event.body)
        if isinstance(event.body, PlanStarted):
            self._spans, self._marks, self._runs = {}, {}, {}
        if self._thread.plan_status is not before.plan_status:
            self._ended_at = event.at if isinstance(event.body, PlanCompleted) else None
        if self._thread.tasks is not before.tasks or self._thread.merges is not before.merges:
            for task_id in self._thread.tasks:
                self._put_span(task_id, journaled)

    def _put_span(self, task_id: TaskId, journaled: JournaledEvent) -> None:
        """End a task's span where it does something else now, and begin the next."""
        at, status = journaled.event.at, self._status(task_id)
        spans = self._spans.setdefault(task_id, deque(maxlen=MAX_SPANS))
        newest = spans[-1] if spans and spans[-1].ended_at is None else None
        if (newest.status if newest else None) is status:
            return
        if newest is not None:
            spans[-1] = newest.model_copy(update={"ended_at": at})
        if status is not None:
            spans.append(Span(status=status, began_at=at, position=journaled.position))

    def _status(self, task_id: TaskId) -> SpanStatus | None:
        """Return what a task does now, None where it is over and nothing is to be fixed."""
        entry = self._thread.tasks[task_id]
        if not entry.status.is_at_work:
            return _STILL.get(entry.status)
        if task_id in self._thread.merges.open:
            return SpanStatus.WAITING
        if entry.end is not None:
            return SpanStatus.MERGING if entry.end is TaskEnd.ACCEPTED else SpanStatus.RUNNING
        run = self._runs.get(task_id)
        if run is None or run.run != entry.run:
            is_planned = entry.status is TaskStatus.PLANNING
            return SpanStatus.PLANNING if is_planned else SpanStatus.RUNNING
        return _status_of(run)

    def _note(self, journaled: JournaledEvent, task_id: TaskId) -> None:
        event: Event = journaled.event
        text = text_of(event.body)
        if text is None or not text.milestone:
            return
        at, position, label = event.at, journaled.position, cut(text.summary, MAX_LABEL)
        self._moments.append(
            Moment(
                position=position,
                at=at,
                stream=event.stream,
                kind=text.milestone,
                tone=text.tone,
                label=label,
            )
        )
        named = text.task_id or task_id
        if named in self._thread.tasks:
            marks = self._marks.setdefault(named, deque(maxlen=MAX_MARKS))
            marks.append(Mark(kind=text.milestone, at=at, position=position, label=label))


def _status_of(run: TaskState) -> SpanStatus:
    is_decided = run.phase is Phase.AT_GATE and run.request is None
    if is_decided or run.end is TaskEnd.ACCEPTED:
        return SpanStatus.MERGING
    if run.waiting_for or run.held_by:
        return SpanStatus.WAITING
    if run.phase is Phase.VERIFYING:
        return SpanStatus.VERIFYING
    return SpanStatus.PLANNING if run.phase in PLANNING else SpanStatus.RUNNING
