"""Texts of a running plan: its tasks' status, supervision, decisions, child threads."""

from domain.core.approvals import Decider
from domain.core.event_text import EventText, error, highlight, info, success, warning
from domain.core.task_names import task_name
from domain.core.text import counted, duration, spaced
from domain.reading.event_text.phrases import after, by, session_name
from domain.reading.event_text.registry import describe, describes, silence
from domain.tasks.learnings import LearningRecorded
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.children import events as child_events
from domain.threads.moving import events as moving_events
from domain.threads.replacing.events import SessionLost
from domain.threads.running import decision_events
from domain.threads.running import events as running_events
from domain.threads.working import events as working_events

_ENDS = {TaskStatus.FAILED: error, TaskStatus.BLOCKED: error, TaskStatus.CANCELLED: warning}
_TONES = {**_ENDS, TaskStatus.COMPLETED: success, TaskStatus.NEEDS_DECISION: warning}


@describes(thread_events.TaskUpdated)
def _describe_task_status(event: thread_events.TaskUpdated) -> EventText:
    status = event.new_status
    summary = f"{task_name(event.task_id, 'Task')} {spaced(status)}{after(event.notes)}"
    milestone = f"task_{status}" if status in _ENDS else ""
    return _TONES.get(status, info)(summary, task_id=event.task_id, milestone=milestone)


@describes(thread_events.TaskMerged)
def _describe_merge(event: thread_events.TaskMerged) -> EventText:
    effort = f"{counted(event.attempts, 'attempt')}, {duration(event.duration_ms)}"
    summary = f"{task_name(event.task_id, 'Task')} merged as {event.commit[:10]} into {event.branch} ({effort})"
    return success(summary, task_id=event.task_id, milestone="merged")


describe(
    thread_events.TaskAbortRequested,
    lambda event: warning(
        f"Aborting {task_name(event.task_id)}{by(event.by)}{after(event.reason)}",
        task_id=event.task_id,
    ),
)
describe(
    running_events.AutoSet,
    lambda event: f"Automatic start of plans turned {'on' if event.is_on else 'off'}{by(event.by)}",
)
describe(
    running_events.CoordinatorNamed,
    lambda event: f"{session_name(event.session_id)} coordinates the plan",
)
describe(
    running_events.TaskEnriched,
    lambda event: info(
        f"Context added to {task_name(event.task_id)}", event.text, task_id=event.task_id
    ),
)
describe(
    LearningRecorded,
    lambda event: f"Learning recorded: {event.learning.text}",
)
describe(
    running_events.LearningsAdded,
    lambda event: info(
        f"{counted(len(event.learnings), 'learning')} from {task_name(event.task_id)}",
        "\n".join(learning.text for learning in event.learnings),
        task_id=event.task_id,
    ),
)
describe(
    running_events.SupervisionRaised,
    lambda event: warning(
        f"{task_name(event.task_id, 'Task')}: {event.message}",
        task_id=event.task_id,
        milestone="concern",
    ),
)
describe(
    running_events.CheckpointChosen,
    lambda event: info(
        f"{task_name(event.task_id, 'Task')} starts from checkpoint {event.commit[:12]}{by(event.by)}",
        task_id=event.task_id,
    ),
)


@describes(running_events.OwnTurnTaken)
def _describe_own_turn(event: running_events.OwnTurnTaken) -> EventText:
    first = event.causes[0].words if event.causes else ""
    more = f" (+{len(event.causes) - 1} more)" if len(event.causes) > 1 else ""
    told = "\n".join(cause.words for cause in event.causes)
    head = f"The thread's agent takes a turn of its own ({event.left} left)"
    return info(f"{head}{after(first)}{more}", told)


@describes(running_events.OwnTurnEnded)
def _describe_own_turn_end(event: running_events.OwnTurnEnded) -> EventText | None:
    if not event.failure:
        return None
    return warning(f"The agent's own turn failed{after(event.failure)}")


@describes(running_events.OwnTurnsSet)
def _describe_own_turns(event: running_events.OwnTurnsSet) -> EventText:
    if not event.turns:
        return info(f"The agent's own turns turned off{by(event.by)}")
    return info(f"{counted(event.turns, 'more own turn')} for the thread's agent{by(event.by)}")


@describes(running_events.Recommended)
def _describe_advice(event: running_events.Recommended) -> EventText:
    what = (
        f"{spaced(event.advice)} {task_name(event.task_id)}"
        if event.task_id
        else spaced(event.advice)
    )
    return warning(f"Recommended: {what}: {event.reason}", task_id=event.task_id)


@describes(decision_events.DecisionAsked)
def _describe_decision(event: decision_events.DecisionAsked) -> EventText:
    options = "\n".join(option.label for option in event.options)
    summary = f"Decision {event.decision_id}: {event.question}"
    return warning(summary, options, milestone="decision_asked")


@describes(decision_events.DecisionMade)
def _describe_choice(event: decision_events.DecisionMade) -> EventText:
    decider = "default" if event.decider is Decider.POLICY else event.by
    chosen = ", ".join(event.selections)
    return highlight(
        f"Decision {event.decision_id} made{by(decider)}: {chosen}", milestone="decision_made"
    )


@describes(decision_events.DecisionReminded)
def _describe_reminder(event: decision_events.DecisionReminded) -> EventText:
    default = f" (default: {event.default})" if event.default else ""
    return warning(f"Decision still open: {event.question}{default}")


describe(
    decision_events.DecisionExpired,
    lambda event: warning(f"Decision timed out and is still open: {event.question}"),
)


def _progress(report: child_events.ChildReport) -> str:
    tasks = f", {report.done} of {counted(report.total, 'task')} done" if report.total else ""
    waits = f", waiting for {report.waiting_for}" if report.waiting_for else ""
    return f"{report.status}{tasks}{waits}"


describe(
    child_events.ChildOpened,
    lambda event: info(
        f"{task_name(event.task_id, 'Task')} runs as thread {event.thread_id}",
        task_id=event.task_id,
    ),
)
describe(
    child_events.ChildReported,
    lambda event: info(
        f"{task_name(event.report.task_id, 'Task')} ({event.report.thread_id}): {_progress(event.report)}",
        task_id=event.report.task_id,
    ),
)
describe(
    child_events.ParentNotified,
    lambda event: f"Reported to the parent thread: {_progress(event.report)}",
)
describe(
    child_events.ChildStopped, lambda event: warning(f"Stopped by the parent's plan{by(event.by)}")
)


@describes(working_events.SessionLent)
def _describe_lent(event: working_events.SessionLent) -> EventText | None:
    name = session_name(event.session_id)
    words = f"{name} has ended: the plan is carried out in another session"
    return warning(words) if event.is_gone else None


@describes(SessionLost)
def _describe_lost(event: SessionLost) -> EventText:
    words = f"{session_name(event.session_id)} has ended by itself: {event.reason}"
    if event.replaced_by is None:
        return warning(words)
    other = session_name(event.replaced_by)
    return warning(f"{words}. {other} takes its place; its agent does not know the talk")


describe(
    moving_events.ThreadMoved,
    lambda event: warning(
        f"Goes on at host {event.to_host}, no longer at {event.from_host}"
        + (f": {event.reason}" if event.reason else "")
    ),
)


silence(
    moving_events.MoveSpread,
    thread_events.TaskReported,
    thread_events.TaskSettled,
    running_events.TaskProgressed,
    running_events.TaskWatched,
    running_events.OwnTurnDue,
    decision_events.DecisionTimed,
    child_events.ParentAsked,
)
