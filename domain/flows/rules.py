"""The rules of a run of a flow: which events a command gives, and what must be under way."""

from collections.abc import Iterator

from domain.agents.agents import StopReason
from domain.agents.terminals import as_read
from domain.conversations.reports import EndSessionTurn
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.directories.events import DirectoryFreed
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
    WrongStateError,
)
from domain.core.event import EventBody
from domain.flows import events as flow_events
from domain.flows import evolution, lifecycle, stepping, subflows
from domain.flows.answers import answer_in, answer_of_command
from domain.flows.commands import (
    EndCommand,
    EndWait,
    GiveUpStep,
    LoseConversation,
    MarkClosed,
    OpenFlow,
)
from domain.flows.effects import (
    CloseConversation,
    FlowEffect,
    GiveUp,
    GrantDirectory,
    RunCommand,
    RunTurn,
    WaitUntil,
)
from domain.flows.errors import ArchivedError, RunInProgressError
from domain.flows.events import StepOutcome
from domain.flows.moving import rules as moving
from domain.flows.person_commands import AnswerFlow, ResumeFlow, StopFlow
from domain.flows.program import resumed
from domain.flows.prompts import prompt_of
from domain.flows.registry import FLOW_RULES
from domain.flows.state import MAX_OUTPUT, FlowState, FlowStatus, stop_words
from domain.flows.stepping import answered, ended, failed, held, opened, stopped

RULES = (evolution, lifecycle, moving, stepping, subflows)
"""The others that register rules."""

_KEPT_REASON = 500
_UNFINISHED = {
    StopReason.REFUSAL: "its model refused",
    StopReason.MAX_TOKENS: "its model ran out of tokens",
    StopReason.MAX_TURN_REQUESTS: "it asked its model too often",
}


decide = FLOW_RULES.decide
evolve = FLOW_RULES.evolve
fold = FLOW_RULES.fold
effects = FLOW_RULES.effects


@FLOW_RULES.requires
def grant_directory(state: FlowState) -> Iterator[FlowEffect]:
    if (holder := state.directory.holder) is None:
        return
    if holder.session_id == state.run_id:
        yield RunCommand(turn_id=holder.turn_id, grant=holder.number)
    else:
        yield GrantDirectory(**dict(holder))


@FLOW_RULES.requires
def close_conversations(state: FlowState) -> Iterator[FlowEffect]:
    for session_id in state.retiring:
        yield CloseConversation(session_id=session_id)


@FLOW_RULES.requires
def carry_out_step(state: FlowState) -> Iterator[FlowEffect]:
    """Yield what the step needs, also while it is being stopped: who carries it out ends it then."""
    if state.step is None:
        return
    if state.status is FlowStatus.STOPPING:
        yield GiveUp(visit=state.visits)
    conversation, prompt, place = state.conversation, prompt_of(state), state.place
    if state.step.due_at is not None:
        yield WaitUntil(visit=state.visits, at=state.step.due_at)
    elif conversation is not None and prompt is not None and place is not None:
        yield RunTurn(
            prompt_key=state.prompt_key, conversation=conversation, prompt=prompt, place=place
        )


# --- begin, stop, go on


@FLOW_RULES.handles
def open_flow(command: OpenFlow, state: FlowState) -> Decided:
    if state.status is not FlowStatus.OPENING:
        return Decided()
    return Decided((flow_events.FlowStarted(**dict(command)),))


@FLOW_RULES.handles
def stop_flow(command: StopFlow, state: FlowState) -> Decided:
    if state.status is FlowStatus.STOPPING:
        again = (flow_events.FlowStopRequested(by=command.by),) if state.is_called_back else ()
        return Decided(again, Answer(message="already stopping"))
    if state.status is not FlowStatus.RUNNING:
        return Decided(answer=Answer(message=f"not running: {state.status}"))
    stop = flow_events.FlowStopRequested(by=command.by)
    if state.is_ended_by_others:
        return Decided((stop,), Answer(message="stopping"))
    return Decided((stop, *stopped(state, stop_words(command.by))), Answer(message="stopped"))


@FLOW_RULES.handles
def resume_flow(command: ResumeFlow, state: FlowState) -> Decided:
    if state.status in {FlowStatus.OPENING, FlowStatus.RUNNING, FlowStatus.STOPPING}:
        raise RunInProgressError(f"{state.run_id} is {state.status}: stop it first")
    if state.is_archived:
        raise ArchivedError(f"{state.run_id} is archived: restore it first")
    index = command.step_index
    if index is None and state.status is FlowStatus.COMPLETED:
        raise WrongStateError(
            f"{state.run_id} has completed: name the step to go on at (--at N), or run the flow anew"
        )
    spot = state.spot if index is None else resumed(state.definition, index, state.loops)
    event = flow_events.FlowResumed(
        execution=state.execution + 1,
        step_index=state.index if index is None else index,
        position=spot.position,
        loops=spot.loops,
        has_definition_changed=command.has_definition_changed,
        by=command.by,
    )
    goes_on = f"goes on at step {event.step_index}"
    if command.has_definition_changed:
        goes_on += "; its file has changed since, and the run goes on with the flow as it began"
    return Decided((event,), Answer(message=goes_on, data={"step_index": event.step_index}))


# --- what the step under way comes to


@FLOW_RULES.handles
def end_turn(command: EndSessionTurn, state: FlowState) -> Decided:
    conversation, step, under_way = state.conversation, state.doing, state.step
    if conversation is None or step is None or under_way is None:
        return Decided()
    if (command.session_id, command.prompt_key) != (conversation.session_id, state.prompt_key):
        return Decided()
    if command.is_stopped:
        return Decided(stopped(state, state.reason or "its turn was stopped"))
    failure = command.failure or _UNFINISHED.get(command.stop_reason)
    if failure is not None:
        return Decided(held(state, failed(state, failure[:_KEPT_REASON])))
    if step.condition is not None:
        return Decided(held(state, _judged(state, command.text)))
    if under_way.message + 1 < len(step.messages):
        turn = flow_events.FlowTurnEnded(visit=under_way.visit, message=under_way.message)
        return Decided(held(state, (turn,)))
    given = {"output_key": step.output_key, "output": command.text[-MAX_OUTPUT:]}
    end = ended(state, StepOutcome.DONE, **(given if step.output_key else {}))
    return Decided(held(state, (end,)))


def _judged(state: FlowState, text: str) -> tuple[EventBody, ...]:
    """Return what an agent's answer brings: anything but a clear one is asked for once more."""
    step, under_way, place = state.doing, state.step, state.place
    if step is None or under_way is None or place is None:
        return ()
    answer, tail = answer_in(text), text[-_KEPT_REASON:]
    if answer is not None:
        return answered(state, step, answer=answer)
    if under_way.message == 0:
        visit = under_way.visit
        return (flow_events.FlowQuestionRepeated(visit=visit, place=place, answer=tail),)
    reason = "no valid answer"
    if step.is_left_on_failure:
        return answered(state, step, answer=step.on, reason=reason, output=tail)
    end = ended(state, StepOutcome.NO_ANSWER, reason=reason, output=tail)
    if step.is_no_answer_passed:
        return (end,)
    return (end, flow_events.FlowStopped(step_index=state.index, reason=reason))


@FLOW_RULES.handles
def end_command(command: EndCommand, state: FlowState) -> Decided:
    step, result = state.doing, command.result
    if step is None or not state.command or command.visit != state.visits:
        return Decided()
    if state.status is FlowStatus.STOPPING and not result.passed:
        return Decided(stopped(state, state.reason))
    gave = {
        "exit_code": result.exit_code,
        "output": result.output[-MAX_OUTPUT:],
        "output_ref": result.output_ref,
        "output_key": step.output_key,
    }
    if step.condition is not None:
        answer = answer_of_command(result, is_exact=step.condition.is_exact)
        if answer is not None:
            return Decided(held(state, answered(state, step, answer=answer, **gave)))
        reason = "its command says neither yes nor no"
        if result.passed and step.is_no_answer_passed:
            end = ended(state, StepOutcome.NO_ANSWER, reason=reason, **gave)
            return Decided(held(state, (end,)))
        return Decided(failed(state, f"{reason}: {_last_line(result.output)}", **gave))
    if result.passed:
        return Decided(held(state, (ended(state, StepOutcome.DONE, **gave),)))
    return Decided(failed(state, f"its command failed: {_last_line(result.output)}", **gave))


def _last_line(output: str) -> str:
    """Return what a command printed last, or how it ended if it printed nothing."""
    lines = as_read(output).strip().splitlines()
    if len(lines) > 1 and lines[-1].startswith("exit code "):
        lines.pop()
    return lines[-1][:_KEPT_REASON] if lines else "no output"


@FLOW_RULES.handles
def end_wait(command: EndWait, state: FlowState) -> Decided:
    if state.step is None or state.step.due_at is None or command.visit != state.visits:
        return Decided()
    return Decided((ended(state, StepOutcome.DONE),))


@FLOW_RULES.handles
def give_up_step(command: GiveUpStep, state: FlowState) -> Decided:
    if state.status is not FlowStatus.STOPPING or command.visit != state.visits:
        return Decided()
    return Decided(stopped(state, f"{state.reason}; what was under way had not ended by then"))


@FLOW_RULES.handles
def lose_conversation(command: LoseConversation, state: FlowState) -> Decided:
    lost = next((c for c in state.conversations if c.session_id == command.session_id), None)
    if lost is None:
        return Decided()
    turns = (turn for turn in state.directory.turns if turn.session_id == lost.session_id)
    dropped = flow_events.FlowConversationDropped(slot=lost.slot, session_id=lost.session_id)
    freed = (DirectoryFreed(turn_id=turn.turn_id) for turn in turns)
    return Decided((*freed, dropped, opened(state, lost.slot)))


@FLOW_RULES.handles
def mark_conversation_closed(command: MarkClosed, state: FlowState) -> Decided:
    if command.session_id not in state.retiring:
        return Decided()
    return Decided((flow_events.FlowConversationClosed(session_id=command.session_id),))


@FLOW_RULES.handles
def answer_flow(command: AnswerFlow, state: FlowState) -> Decided:
    request, step = state.request, state.doing
    if command.request_id in state.answered:
        raise AlreadyDecidedError(f"request {command.request_id!r} was answered already")
    if request is None or step is None or request.request_id != command.request_id:
        asked = request.request_id if request else "none"
        raise NotFoundError(f"no open request {command.request_id!r}; open here is: {asked}")
    if request.content_hash != command.content_hash:
        raise NotShownError(f"request {request.request_id!r} asks something else: look again")
    if request.options and command.option not in request.options:
        raise InvalidError(f"answer with one of: {', '.join(request.options)}")
    answer = command.option if request.options else command.text.strip()
    if not answer:
        raise InvalidError("an answer must say something")
    answered = flow_events.FlowAnswered(request_id=request.request_id, answer=answer, by=command.by)
    end = ended(state, StepOutcome.DONE, output_key=step.output_key, output=answer)
    return Decided((answered, end), Answer(message="answered"))
