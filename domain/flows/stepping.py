"""What follows by itself in a run: the next step, and steps that need nothing but a thought."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from domain.conversations.place import FlowPlace
from domain.core.directories.events import DirectoryAsked
from domain.core.errors import InvalidError
from domain.core.event import EventBody
from domain.core.ids import SessionId, flow_run_id, session_stream
from domain.flows import events as flow_events
from domain.flows.answers import answer_of_output, word_of
from domain.flows.definition import Exit, FlowStep, Slot, StepKind
from domain.flows.events import ChosenAgent, FlowStepEnded, StepOutcome
from domain.flows.evolution import FINISHED
from domain.flows.program import Spot, landing, place_of, resting_place, slot_of
from domain.flows.registry import FLOW_RULES
from domain.flows.requests import HumanRequest
from domain.flows.state import FlowState, FlowStatus


@FLOW_RULES.reacts
def go_on(state: FlowState, now: datetime) -> tuple[EventBody, ...]:
    """Return all that follows by itself, until something must be waited for.

    A flow that goes round and round without doing anything fails.
    """
    events: list[EventBody] = []
    idle = 0
    while (new := _next(state, now)) or (new := _granted(state)):
        events += new
        state = FLOW_RULES.fold(state, new)
        idle += any(isinstance(event, FlowStepEnded) for event in new)
        if idle > len(state.definition.steps):
            reason = "it goes round without doing anything that takes time"
            return (*events, flow_events.FlowFailed(step_index=state.index, reason=reason))
    return tuple(events)


def _granted(state: FlowState) -> tuple[EventBody, ...]:
    """Return the grant that follows by itself: the directory of another run is that one's to give."""
    due = state.directory.due if state.parent is None else None
    return (due,) if due else ()


def _next(state: FlowState, now: datetime) -> tuple[EventBody, ...]:
    if state.status is FlowStatus.STOPPED and state.is_called_back:
        return (goes_on(state),)
    if state.status is not FlowStatus.RUNNING:
        return ()
    if state.step is not None:
        return tuple(_instant(state))
    try:
        spot = landing(state.definition.steps, state.spot)
    except InvalidError as error:
        return (flow_events.FlowFailed(step_index=state.index, reason=error.message),)
    if spot is None:
        return (flow_events.FlowCompleted(),)
    return tuple(_begun(state, spot, now))


def _begun(state: FlowState, spot: Spot, now: datetime) -> Iterator[EventBody]:
    """Return the events with which a step begins."""
    step = state.definition.steps[spot.position]
    place = place_of(state.definition, spot, state.execution)
    visit = state.visits + 1
    slot = slot_of(step)
    if slot is not None and step.kind is not StepKind.RESET and not state.conversation_of(slot):
        yield opened(state, slot)
    yield flow_events.FlowStepStarted(
        visit=visit,
        step=step.kind,
        position=spot.position,
        loops=spot.loops,
        place=place,
        due_at=now + timedelta(seconds=step.seconds) if step.kind is StepKind.WAIT else None,
    )
    if step.kind is StepKind.HUMAN:
        request_id = f"{state.run_id}/request-{visit}"
        asked = HumanRequest(
            request_id=request_id, question=step.question, options=step.options, place=place
        )
        yield flow_events.FlowAsked(request=asked)
    if step.kind is StepKind.SUBFLOW:
        yield from _launched(state, step, place, spot, now)
    if step.command or (step.condition and step.condition.command):
        began = state.model_copy(update={"visits": visit})
        yield DirectoryAsked(session_id=SessionId(state.run_id), turn_id=began.holding)


def _launched(
    state: FlowState, step: FlowStep, place: FlowPlace, spot: Spot, now: datetime
) -> Iterator[EventBody]:
    """Return the beginning of a step's runs: of those that it began before, none that has completed."""
    known = state.subflow_runs.runs if state.subflow_runs.spot == spot else ()
    before = {run.flow_name: run for run in known}
    number = int(now.astimezone(UTC).strftime("%y%m%d%H%M%S"))
    for name in step.flow_names:
        run = before.get(name)
        if run is None or run.end is not flow_events.ChildEnd.COMPLETED:
            yield flow_events.FlowChildStarted(
                visit=state.visits + 1,
                place=place,
                flow_name=name,
                run_id=run.run_id if run else flow_run_id(name, number),
                is_again=run is not None,
            )


def goes_on(state: FlowState) -> flow_events.FlowResumed:
    """Return that a run goes on where it stands."""
    return flow_events.FlowResumed(
        execution=state.execution + 1,
        step_index=state.index,
        position=state.position,
        loops=state.loops,
        by=state.parent.run_id if state.parent else "",
    )


def opened(state: FlowState, slot: Slot) -> flow_events.FlowConversationOpened:
    """Return the beginning of a slot's conversation."""
    chosen = state.agents.get(slot.agent_type) or ChosenAgent(agent=slot.agent_type)
    return flow_events.FlowConversationOpened(
        slot=slot,
        session_id=session_stream(state.run_id, state.opened_so_far + 1),
        agent=chosen.agent,
        model=chosen.model,
    )


def _instant(state: FlowState) -> Iterator[EventBody]:
    """Return the end of a step that needs no waiting for."""
    step = state.doing
    if step is None:
        return
    if step.kind is StepKind.RESET:
        conversation = state.conversation_of(step.slot) if step.slot else None
        if conversation is not None:
            yield flow_events.FlowConversationDropped(
                slot=conversation.slot, session_id=conversation.session_id
            )
        yield ended(state, StepOutcome.DONE)
    elif step.kind is StepKind.REINGEST:
        yield ended(state, StepOutcome.DONE)
    elif step.condition is not None and step.condition.output_key:
        output = state.outputs.get(step.condition.output_key)
        answer = answer_of_output(output.text if output else "", step.condition.equals)
        yield from answered(state, step, answer=answer)


def ended(state: FlowState, outcome: StepOutcome, **more: object) -> FlowStepEnded:
    """Return the end of the step under way."""
    step, place = state.doing, state.place
    if step is None or place is None:
        raise RuntimeError("no step is under way")
    return FlowStepEnded(visit=state.visits, place=place, outcome=outcome, **more)  # pyright: ignore[reportArgumentType] (the model checks them)


def answered(
    state: FlowState, step: FlowStep, *, answer: bool, **more: object
) -> tuple[EventBody, ...]:
    """Return the end of a condition that was answered, and that of the flow where a break leaves it.

    A flow that is halted stands at the break: a resume asks again.
    """
    is_taken, outcome = answer is step.on, StepOutcome.DONE
    if is_taken and step.kind is StepKind.BREAK:
        outcome = StepOutcome.STOPPED if step.exit is Exit.HALT else StepOutcome.BROKE
    elif is_taken and step.kind is StepKind.CONTINUE:
        outcome = StepOutcome.CONTINUED
    end = ended(state, outcome, answer=word_of(answer), **more)
    if not is_taken or step.exit is Exit.LOOP:
        return (end,)
    if step.exit is Exit.FLOW:
        return (end, flow_events.FlowCompleted())
    which = f"step {step.index}{f' {step.label!r}' if step.label else ''}"
    reason = f"{which} halts the flow: the answer is {word_of(answer)}"
    return (end, flow_events.FlowStopped(step_index=state.index, reason=reason))


def failed(state: FlowState, reason: str, **more: object) -> tuple[EventBody, ...]:
    """Return what follows where the step under way failed: the run fails, unless it goes on anyhow."""
    step = state.doing
    if step is not None and step.is_left_on_failure:
        return answered(state, step, answer=step.on, reason=reason, **more)
    end = ended(state, StepOutcome.FAILED, reason=reason, **more)
    if step is not None and step.is_failure_passed:
        return (end,)
    return (end, flow_events.FlowFailed(step_index=state.index, reason=reason))


def stopped(state: FlowState, reason: str) -> tuple[EventBody, ...]:
    """Return the end of a run at the step under way."""
    end = (ended(state, StepOutcome.STOPPED),) if state.step else ()
    return (*end, flow_events.FlowStopped(step_index=state.index, reason=reason))


def held(state: FlowState, events: tuple[EventBody, ...]) -> tuple[EventBody, ...]:
    """Return what a step comes to: in a run that is being stopped the end of that, at the next step."""
    if state.status is not FlowStatus.STOPPING:
        return events
    end = events[0]
    if not isinstance(end, flow_events.FlowStepEnded) or end.outcome not in FINISHED:
        return stopped(state, state.reason)
    if isinstance(events[-1], flow_events.FlowCompleted):
        return events
    done = FLOW_RULES.evolve(state, end)
    at = done.model_copy(update=dict(resting_place(done.definition.steps, done.spot)))
    return (end, flow_events.FlowStopped(step_index=at.index, reason=state.reason))
