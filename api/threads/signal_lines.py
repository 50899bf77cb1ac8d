"""The `temporal workflow signal` commands of a thread, for people who reach only Temporal."""

from collections.abc import Iterator

from api.sessions.signal_lines import selections_of, with_answers
from domain.conversations.commands import SendMessage
from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import signal_line
from domain.core.command import Coded
from domain.core.ids import WORK, CommandId, session_stream, task_workflow_id
from domain.core.ports import CodeKey
from domain.core.task_names import task_name
from domain.plans.status import PlanStatus
from domain.reading.views import OpenRequest, ThreadView
from domain.tasks.conflicts import choices
from domain.tasks.running_commands import ResolveConflict, Resume, Retry
from domain.threads.running.execution import RETRYABLE
from domain.threads.setting_up.commands import RetrySetUp, SkipSetUp
from domain.threads.setting_up.state import SetUpStage


def with_signal_lines(view: ThreadView, key: CodeKey, address: str) -> ThreadView:
    """Add the commands that answer each open request, and others that apply now.

    Each works once: its command id belongs to this state.
    """
    secret = key.read()

    def line(workflow_id: str, command: Coded) -> str:
        return signal_line(secret, workflow_id, command, address)

    def lined(asked: OpenRequest) -> OpenRequest:
        lines = {c.choice: line(asked.workflow_id, c) for c in _verdicts(asked, view)}
        return asked.model_copy(update={"signal_lines": lines})

    return view.model_copy(
        update={
            "questions": tuple(with_answers(asked, secret, address) for asked in view.questions),
            "requests": tuple(lined(request) for request in view.requests),
            "signal_lines": {name: line(to, command) for name, to, command in _others(view)},
        }
    )


def _verdicts(asked: OpenRequest, view: ThreadView) -> tuple[Approve, Reject]:
    """Return both answers; approving acknowledges the warnings, which are listed beside it."""
    request_id, shown = asked.request.request_id, asked.request.content_hash
    approve = Approve(request_id=request_id, content_hash=shown)
    plans = (plan for plan in view.plans if plan.request.request_id == request_id)
    if any(warning.needs_acknowledgement for plan in plans for warning in plan.warnings):
        approve = Approve(request_id=request_id, content_hash=shown, is_acknowledged=True)
    return (
        approve,
        Reject(request_id=request_id, content_hash=shown, feedback="FEEDBACK"),
    )


def _others(view: ThreadView) -> Iterator[tuple[str, str, Coded]]:
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
