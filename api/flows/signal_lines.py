"""The `temporal workflow signal` commands of a flow run."""

from collections.abc import Iterator

from api.core.signal_lines import SignalLines
from api.sessions.signal_lines import with_answers
from domain.core.command import Coded
from domain.core.ids import CommandId, RequestId
from domain.flows.person_commands import AnswerFlow, ResumeFlow, StopFlow
from domain.reading.flow_runs import FlowRunView, OpenFlowRequest

_STILL = frozenset({"stopped", "failed"})
_GOING_ON = frozenset({"running", "waiting"})


def with_flow_lines(view: FlowRunView, lines: SignalLines) -> FlowRunView:
    """Add the commands that answer open questions and resume a stopped run."""
    project, run = view.repository, view.run_id
    own: dict[str, str] = {}
    if view.status in _STILL and not view.is_archived:
        resume = ResumeFlow(command_id=CommandId(f"line-resume-{view.position}"))
        own = lines.of(project, [("resume", run, resume)])
    elif view.status in _GOING_ON:
        stop = StopFlow(command_id=CommandId(f"line-stop-{view.position}"))
        own = lines.of(project, [("stop", run, stop)])
    asked = view.request
    if asked is not None:
        answers = lines.of(project, ((label, run, command) for label, command in _answers(asked)))
        asked = asked.model_copy(update={"signal_lines": answers})
    questions = tuple(with_answers(question, lines, project) for question in view.questions)
    return view.model_copy(update={"signal_lines": own, "request": asked, "questions": questions})


def _answers(asked: OpenFlowRequest) -> Iterator[tuple[str, Coded]]:
    request = asked.request
    request_id, shown = RequestId(request.request_id), asked.content_hash
    for option in request.options:
        yield option, AnswerFlow(request_id=request_id, content_hash=shown, option=option)
    if not request.options:
        yield "answer", AnswerFlow(request_id=request_id, content_hash=shown, text="TEXT")
