"""The `temporal workflow signal` commands of a thread, for people who reach only Temporal."""

from collections.abc import Iterator

from api.core.signal_lines import SignalLines
from api.sessions.signal_lines import selections_of, with_answers
from domain.conversations.commands import SendMessage
from domain.core.approval_commands import Approve, Reject
from domain.core.command import Proven
from domain.core.ids import WORK, CommandId, session_stream, task_workflow_id
from domain.core.task_names import task_name
from domain.plans.status import PlanStatus
from domain.reading.views import OpenRequest, ThreadView
from domain.tasks.conflicts import choices
from domain.tasks.running_commands import Abort, Cancel, Pause, ResolveConflict, Resume, Retry
from domain.threads.contests.commands import Take
from domain.threads.contests.state import CandidateStanding
from domain.threads.running.execution import RETRYABLE
from domain.threads.setting_up.commands import RetrySetUp, SkipSetUp
from domain.threads.setting_up.state import SetUpStage


def with_signal_lines(view: ThreadView, lines: SignalLines) -> ThreadView:
    """Add the commands that answer each open request, and others that apply now.

    Each works once: its command id belongs to this state.
    """
    project = view.repository

    def lined(asked: OpenRequest) -> OpenRequest:
        verdicts = ((c.choice, asked.workflow_id, c) for c in _verdicts(asked, view))
        return asked.model_copy(update={"signal_lines": lines.of(project, verdicts)})

    return view.model_copy(
        update={
            "questions": tuple(with_answers(asked, lines, project) for asked in view.questions),
            "requests": tuple(lined(request) for request in view.requests),
            "signal_lines": lines.of(project, _others(view)),
        }
    )


def _verdicts(asked: OpenRequest, view: ThreadView) -> tuple[Approve | Reject, ...]:
    """Return the answers; approving acknowledges the warnings, which are listed beside it."""
    request_id, shown = asked.request.request_id, asked.request.content_hash
    reject = Reject(request_id=request_id, content_hash=shown, feedback="FEEDBACK")
    for contest in view.contests:
        if contest.request == asked.request:
            ready = (
                c.candidate for c in contest.candidates if c.standing is CandidateStanding.READY
            )
            takes = (
                Take(request_id=request_id, content_hash=shown, candidate=name) for name in ready
            )
            return (*takes, reject)
    approve = Approve(request_id=request_id, content_hash=shown)
    plans = (plan for plan in view.plans if plan.request.request_id == request_id)
    if any(warning.needs_acknowledgement for plan in plans for warning in plan.warnings):
        approve = Approve(request_id=request_id, content_hash=shown, is_acknowledged=True)
    return (approve, reject)


def _others(view: ThreadView) -> Iterator[tuple[str, str, Proven]]:
    """Yield the purpose of each command, its workflow, and the command."""
    thread = view.thread_id
    for decision in view.decisions:
        for label, answer in selections_of(decision, decision.id, decision.content_hash):
            yield f"decide {decision.id}: {label}", thread, answer
    for conflict in view.conflicts:
        asked, shown = conflict.conflict, conflict.content_hash
        for how in choices(conflict):
            answer = ResolveConflict(**asked.whose, how=how, content_hash=shown)
            yield f"resolve {asked.named('')}: {how.spoken}", thread, answer
    if view.plan_status is PlanStatus.PAUSED:
        yield "resume", thread, Resume(command_id=CommandId(f"line-resume-{view.position}"))
    if view.set_up.stage is SetUpStage.FAILED:
        number = view.set_up.number
        again = RetrySetUp(command_id=CommandId(f"line-retry-set-up-{number}"))
        yield "retry the set-up", thread, again
        skip = SkipSetUp(command_id=CommandId(f"line-skip-set-up-{number}"))
        yield "skip the set-up", thread, skip
    message = SendMessage(command_id=CommandId(f"line-message-{view.position}"), text="TEXT")
    stopped = {task.task_id for task in view.works if task.status in RETRYABLE}
    for task in view.works if view.plan_status.is_live else ():
        if task.status in RETRYABLE and not stopped & {*task.depends_on}:
            command_id = CommandId(f"line-retry-{task.task_id}-{view.position}")
            retry = Retry(command_id=command_id, task_id=task.task_id)
            yield f"retry {task_name(task.task_id, '')}", thread, retry
        elif task.status.is_at_work and task.task_id != WORK:
            task_workflow = task_workflow_id(thread, task.task_id)
            session = session_stream(task_workflow, task.run)
            to_task = message.model_copy(update={"session_id": session})
            yield f"message to {task.task_id}", task_workflow, to_task
    yield "message", thread, message
    yield from _stops(view)


def _stops(view: ThreadView) -> Iterator[tuple[str, str, Proven]]:
    """Yield what stops a plan, or a task of it."""
    thread, position = view.thread_id, view.position
    if not view.plan_status.is_live:
        return
    if view.plan_status is not PlanStatus.PAUSED:
        yield "pause", thread, Pause(command_id=CommandId(f"line-pause-{position}"))
    yield "cancel", thread, Cancel(command_id=CommandId(f"line-cancel-{position}"))
    for task in view.works:
        if task.status.is_at_work:
            command_id = CommandId(f"line-abort-{task.task_id}-{position}")
            abort = Abort(command_id=command_id, task_id=task.task_id)
            yield f"abort {task_name(task.task_id, '')}", thread, abort
