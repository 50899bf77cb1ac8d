"""Texts of runs of flows."""

from domain.core.event_text import EventText, Tone, error, highlight, info, success, warning
from domain.flows import events as flow_events
from domain.flows.events import ChildEnd, StepOutcome
from domain.flows.moving.events import FlowMoved, FlowMoveSpread
from domain.flows.wordings import place_words
from domain.reading.event_text.phrases import after, agent_name, by, session_name
from domain.reading.event_text.registry import describe, describes, silence
from domain.reading.event_text.verification import output_tail

_OUTCOMES = {
    StepOutcome.DONE: ("done", success),
    StepOutcome.BROKE: ("breaks out of the loop", success),
    StepOutcome.CONTINUED: ("continues with the next round", success),
    StepOutcome.FAILED: ("failed", error),
    StepOutcome.NO_ANSWER: ("no valid answer", error),
    StepOutcome.STOPPED: ("stopped", warning),
}
_ENDS = {
    ChildEnd.COMPLETED: Tone.SUCCESS,
    ChildEnd.FAILED: Tone.ERROR,
    ChildEnd.STOPPED: Tone.WARNING,
}


describe(
    flow_events.FlowStarted,
    lambda event: highlight(
        f"Flow {event.title.removeprefix('Flow: ')} started{by(event.by)} on {event.branch} of {event.repository}"
    ),
)


@describes(flow_events.FlowConversationOpened)
def _describe_conversation(event: flow_events.FlowConversationOpened) -> str:
    slot, agent = event.slot, agent_name(event.agent, event.model)
    return f"{slot.agent_type}/{slot.identifier} is {agent}, {session_name(event.session_id)}"


describe(
    flow_events.FlowConversationDropped,
    lambda event: f"Conversation of {event.slot.agent_type}/{event.slot.identifier} reset",
)
describe(
    flow_events.FlowStepStarted,
    lambda event: highlight(f"▶ {place_words(event.place)}: {event.step}"),
)
describe(
    flow_events.FlowQuestionRepeated,
    lambda event: warning("Answer was neither yes nor no, asking again", event.answer),
)


@describes(flow_events.FlowStepEnded)
def _describe_step_end(event: flow_events.FlowStepEnded) -> EventText:
    word, tone = _OUTCOMES[event.outcome]
    answer = f"{event.answer}, " if event.answer else ""
    reason = "" if event.reason == word else after(event.reason)
    is_output = event.exit_code is not None or event.outcome is StepOutcome.NO_ANSWER
    output = output_tail(event.output) if is_output else ""
    return tone(f"■ Step {event.place.step_index}: {answer}{word}{reason}", output)


describe(
    flow_events.FlowAsked,
    lambda event: warning(
        f"Question for you: {event.request.question}", " | ".join(event.request.options)
    ),
)
describe(
    flow_events.FlowAnswered, lambda event: highlight(f"Answered{by(event.by)}: {event.answer}")
)
describe(flow_events.FlowStopRequested, lambda event: warning(f"Stop requested{by(event.by)}"))
describe(
    flow_events.FlowStopped,
    lambda event: warning(f"Stopped at step {event.step_index}{after(event.reason)}"),
)
describe(
    flow_events.FlowFailed,
    lambda event: error(f"Failed at step {event.step_index}: {event.reason}"),
)


describe(
    FlowMoved,
    lambda event: warning(
        f"Goes on at host {event.to_host}, no longer at {event.from_host}{after(event.reason)}"
    ),
)


@describes(flow_events.FlowResumed)
def _describe_resume(event: flow_events.FlowResumed) -> EventText:
    changed = "; its file has changed, the run keeps the version it started with"
    more = changed if event.has_definition_changed else ""
    where = f"at step {event.step_index} (run {event.execution})"
    return highlight(f"Resumed{by(event.by)} {where}{more}")


@describes(flow_events.FlowChildStarted)
def _describe_child(event: flow_events.FlowChildStarted) -> EventText:
    how = "resumed" if event.is_again else "started"
    return info(f"Flow {event.flow_name} {how}: {event.run_id}", run_id=event.run_id)


@describes(flow_events.FlowChildRenumbered)
def _describe_renumbered(event: flow_events.FlowChildRenumbered) -> EventText:
    return info(f"Flow {event.flow_name} restarted: {event.run_id}", run_id=event.run_id)


@describes(flow_events.FlowChildEnded)
def _describe_child_end(event: flow_events.FlowChildEnded) -> EventText:
    return EventText(
        summary=f"Flow {event.flow_name} {event.end}: {event.run_id}{after(event.reason)}",
        tone=_ENDS[event.end],
        run_id=event.run_id,
    )


describe(flow_events.FlowCompleted, lambda _: success("Flow completed"))
silence(
    FlowMoveSpread,
    flow_events.FlowTurnEnded,
    flow_events.FlowConversationClosed,
    flow_events.FlowCalled,
    flow_events.FlowParentNotified,
)
