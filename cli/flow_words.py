"""The events of a run of a flow in words."""

from rich.text import Text

from cli.console import BAR, plain, rows
from domain.agents.terminals import as_read
from domain.core.event import EventBody
from domain.flows import events as flows
from domain.flows.events import StepOutcome
from domain.flows.wordings import place_words

_SHOWN_OUTPUT = 15
_TOLD_BY_STEP = frozenset(
    {"conversation_opened", "message_queued", "turn_started", "verification_step_ended"}
)
_QUIET = (
    flows.FlowTurnEnded,
    flows.FlowConversationClosed,
    flows.FlowCalled,
    flows.FlowParentTold,
)
_OUTCOMES = {
    StepOutcome.DONE: ("done", "green"),
    StepOutcome.BROKE: ("breaks out", "green"),
    StepOutcome.CONTINUED: ("begins the next round", "green"),
    StepOutcome.FAILED: ("failed", "red"),
    StepOutcome.NO_ANSWER: ("no valid answer", "red"),
    StepOutcome.STOPPED: ("stopped", "yellow"),
}


def said(body: EventBody) -> Text | None:  # noqa: C901, PLR0911, PLR0912  (one case for each kind of event)
    """Say an event of a run's own stream; None where it is of another one."""
    match body:
        case flows.FlowStarted():
            return plain(f"{body.title}, on {body.branch} of {body.repository}", "bold")
        case flows.FlowConversationOpened(slot=slot):
            model = f" ({body.model})" if body.model else ""
            name = body.session_id.rpartition("/")[2]
            return plain(f"{slot.agent_type}/{slot.identifier} is {body.agent}{model}, {name}")
        case flows.FlowConversationDropped(slot=slot):
            return plain(f"the conversation of {slot.agent_type}/{slot.identifier} is dropped")
        case flows.FlowStepStarted():
            return plain(f"▶ {place_words(body.place)}: {body.step}", "bold cyan")
        case flows.FlowQuestionRepeated():
            return plain(f"neither yes nor no, asked again: {body.answer[-200:]}", "yellow")
        case flows.FlowStepEnded():
            return _ended(body)
        case flows.FlowAsked(request=request):
            options = f" ({' | '.join(request.options)})" if request.options else ""
            return plain(f"? {request.question}{options}", "yellow")
        case flows.FlowAnswered():
            return plain(f"answered by {body.by or 'a person'}: {body.answer}", "bold")
        case flows.FlowStopRequested():
            return plain(f"stop asked for by {body.by or 'a person'}", "yellow")
        case flows.FlowStopped():
            return plain(f"stopped at step {body.step_index}: {body.reason}", "yellow")
        case flows.FlowFailed():
            return plain(f"failed at step {body.step_index}: {body.reason}", "red")
        case flows.FlowResumed():
            changed = "; its file has changed, it goes on as it began"
            more = changed if body.has_definition_changed else ""
            return plain(f"resumed at step {body.step_index} (run {body.execution}){more}", "bold")
        case flows.FlowChildStarted() | flows.FlowChildRenumbered() | flows.FlowChildEnded():
            return _of_child(body)
        case flows.FlowCompleted():
            return plain("completed", "bold green")
        case _:
            return plain("") if isinstance(body, _QUIET) else None


def _of_child(
    body: flows.FlowChildStarted | flows.FlowChildRenumbered | flows.FlowChildEnded,
) -> Text:
    """Say how a run stands that a step began."""
    if isinstance(body, flows.FlowChildEnded):
        reason = f": {body.reason}" if body.reason else ""
        words = f"the flow {body.flow_name} {body.end}, {body.run_id}{reason}"
        return plain(words, "green" if body.end == "completed" else "yellow")
    is_again = isinstance(body, flows.FlowChildStarted) and body.is_again
    words = "goes on" if is_again else "begins"
    return plain(f"the flow {body.flow_name} {words}: {body.run_id}", "cyan")


def is_told_by_step(body: EventBody) -> bool:
    """Tell whether an event says what the events of its step say as well."""
    return body.kind in _TOLD_BY_STEP


def _ended(body: flows.FlowStepEnded) -> Text:
    words, style = _OUTCOMES[body.outcome]
    answer = f"{body.answer}, " if body.answer else ""
    reason = f": {body.reason}" if body.reason and body.reason != words else ""
    text = plain(f"■ step {body.place.step_index}: {answer}{words}{reason}", style)
    lines = as_read(body.output).rstrip().splitlines()
    if body.exit_code is None and body.outcome is not StepOutcome.NO_ANSWER:
        return text
    for line in lines[-_SHOWN_OUTPUT:]:
        text.append_text(rows(("", f"  {BAR}{line}"), "dim"))
    return text
