"""A plan as a file that people and agents read: its tasks, decisions, learnings and a log.

The text follows from the thread's own events alone, so it is the same whoever writes it, and whenever.
"""

from collections.abc import Iterable, Iterator
from functools import singledispatch

from domain.core.event import Event, EventBody
from domain.core.ids import WORK, ThreadId
from domain.core.markdown import code, inline
from domain.core.task_names import task_name
from domain.core.text import counted
from domain.plans.plan import Plan
from domain.plans.status import PlanStatus
from domain.tasks.learnings import THREADS_AGENT, Learning
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads import rules
from domain.threads.amending.events import PlanAmended
from domain.threads.lifecycle.plan_document import PlanDocument
from domain.threads.progress import progress_of
from domain.threads.running import events as running_events
from domain.threads.running.decision_events import DecisionMade
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

MARKER = "<!-- treadle:"
_BOXES = {TaskStatus.COMPLETED: "x"}


def plan_document(thread: ThreadId, plan_id: str, events: Iterable[Event]) -> PlanDocument:
    """Return the file of a plan from the events of its thread's own stream."""
    state, log, at_end = ThreadState(thread_id=thread), list[str](), ThreadState(thread_id=thread)
    for event in events:
        state = rules.evolve(state, event.body)
        if state.approved is not None and state.plan_id == plan_id:
            at_end = state
            log += (f"- {event.at:%Y-%m-%d %H:%M} {line}" for line in _logged(event.body))
    name = plan_id.removeprefix("thread-").replace("/", "-")
    marker = f"{MARKER} {plan_id}; written by Treadle, changes made here are lost -->"
    text = "\n".join(
        (marker, *_head(at_end), *_sections(at_end), "## Progress log (UTC)", "", *log)
    )
    over = {PlanStatus.COMPLETED, PlanStatus.CANCELLED}
    is_over = state.plan_id != plan_id or state.plan_status in over
    return PlanDocument(name=f"{name}.md", marker=marker, text=text + "\n", is_over=is_over)


def _head(state: ThreadState) -> Iterator[str]:
    plan = state.plan or Plan()
    progress = progress_of(state)
    count = f", {progress.done} of {progress.total} tasks done" if progress.total else ""
    branch = state.opened.branch if state.opened else ""
    yield f"# {inline(plan.goal or state.goal)}"
    yield ""
    yield f"Status: {state.plan_status}{count}. Branch: {code(branch)}."
    yield ""
    for label, text in (("Summary", plan.summary), ("Approach", plan.approach)):
        if text:
            yield f"{label}: {inline(text, 4000)}"
            yield ""


def _sections(state: ThreadState) -> Iterator[str]:
    amending = state.amending
    sections = {
        "Work" if state.work else "Tasks": [
            line for entry in state.tasks.values() for line in _task(entry)
        ],
        "Decisions": [
            f"- {inline(made.decision.question)} **{inline(', '.join(made.selections))}**"
            if made.selections
            else f"- {inline(made.decision.question)} *(open)*"
            for made in state.decisions.values()
        ],
        "Amendments": [
            f"- version {v.version}: {inline(v.counts)}, by {inline(v.by)}"
            for v in amending.versions
        ],
        "Learnings": [
            f"- {learned.learning} (from {_source(learned)}): {inline(learned.text, 2000)}"
            for learned in state.learnings
        ],
    }
    for title, lines in sections.items():
        if lines:
            yield from (f"## {title}", "", *lines, "")


def _task(entry: ThreadTask) -> Iterator[str]:
    task = entry.task
    after = f" (after {', '.join(code(t) for t in task.depends_on)})" if task.depends_on else ""
    commit = f", {code(entry.merge_commit[:12])}" if entry.merge_commit else ""
    status = entry.status.replace("_", " ")
    name = "" if task.id == WORK else f"{code(task.id)} "
    yield f"- [{_BOXES.get(entry.status, ' ')}] {name}{inline(task.title)}: {status}{commit}{after}"
    if entry.notes and entry.status in {TaskStatus.FAILED, TaskStatus.BLOCKED}:
        yield f"  {inline(entry.notes)}"


def _called(task_id: str) -> str:
    return task_name(task_id) if task_id == WORK else code(task_id)


def _source(learned: Learning) -> str:
    return _called(learned.task_id) if learned.task_id else THREADS_AGENT


@singledispatch
def _logged(body: EventBody) -> Iterator[str]:
    """Say an event in the log; most are not in it."""
    del body
    return iter(())


@_logged.register
def _log_plan_decided(body: thread_events.PlanDecided) -> Iterator[str]:
    yield f"plan {body.revision}: {body.outcome.spoken} by {inline(body.outcome.by)}"


@_logged.register
def _log_plan_status_changed(body: thread_events.PlanStatusChanged) -> Iterator[str]:
    yield f"plan {body.status}" + (f" by {inline(body.by)}" if body.by else "")


@_logged.register
def _log_task_updated(body: thread_events.TaskUpdated) -> Iterator[str]:
    notes = f": {inline(body.notes)}" if body.notes else ""
    yield f"{_called(body.task_id)} {body.new_status.replace('_', ' ')}{notes}"


@_logged.register
def _log_task_merged(body: thread_events.TaskMerged) -> Iterator[str]:
    tries = f" after {body.attempts} attempts" if body.attempts > 1 else ""
    yield f"{_called(body.task_id)} merged as {code(body.commit[:12])}{tries}"


@_logged.register
def _log_decision_made(body: DecisionMade) -> Iterator[str]:
    chosen = ", ".join(inline(label) for label in body.selections)
    yield f"decision {code(body.decision_id)}: {chosen}, by {inline(body.by)}"


@_logged.register
def _log_plan_amended(body: PlanAmended) -> Iterator[str]:
    counts = f" ({inline(body.counts)})" if body.counts else ""
    yield f"amended to version {body.version} by {inline(body.by)}{counts}: {inline(body.why)}"


@_logged.register
def _log_learnings_added(body: running_events.LearningsAdded) -> Iterator[str]:
    yield f"{counted(len(body.learnings), 'learning')} from {_called(body.task_id)}"


@_logged.register
def _log_supervision_raised(body: running_events.SupervisionRaised) -> Iterator[str]:
    yield f"warning about {_called(body.task_id)}: {inline(body.message)}"


@_logged.register
def _log_plan_completed(body: thread_events.PlanCompleted) -> Iterator[str]:
    yield f"plan {body.final_status}: {inline(body.summary)}"
