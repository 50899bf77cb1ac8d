"""The `temporal workflow signal` commands of a flow run."""

from collections.abc import Iterator

from api.sessions.signal_lines import with_answers
from domain.core.approvals import signal_line
from domain.core.command import Coded
from domain.core.ids import CommandId, RequestId
from domain.core.ports import CodeKey
from domain.flows.person_commands import AnswerFlow, ResumeFlow
from domain.reading.flow_runs import FlowRunView, OpenFlowRequest

_STILL = frozenset({"stopped", "failed"})


def with_flow_lines(view: FlowRunView, key: CodeKey, address: str) -> FlowRunView:
    """Add the commands that answer open questions and resume a stopped run."""
    secret = key.read()

    def line(command: Coded) -> str:
        return signal_line(secret, view.run_id, command, address)

    lines: dict[str, str] = {}
    if view.status in _STILL and not view.is_archived:
        lines["resume"] = line(ResumeFlow(command_id=CommandId(f"line-resume-{view.position}")))
    asked = view.request
    if asked is not None:
        answers = {label: line(command) for label, command in _answers(asked)}
        asked = asked.model_copy(update={"signal_lines": answers})
    questions = tuple(with_answers(question, secret, address) for question in view.questions)
    return view.model_copy(update={"signal_lines": lines, "request": asked, "questions": questions})


def _answers(asked: OpenFlowRequest) -> Iterator[tuple[str, Coded]]:
    request = asked.request
    request_id, shown = RequestId(request.request_id), asked.content_hash
    for option in request.options:
        yield option, AnswerFlow(request_id=request_id, content_hash=shown, option=option)
    if not request.options:
        yield "answer", AnswerFlow(request_id=request_id, content_hash=shown, text="TEXT")
