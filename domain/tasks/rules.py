"""The rules of a task: which events a command gives, and what must happen next.

A turn ends an agent's speech; only `report_done` and the system's own verification move a task on
(seed 000, "Verification Steps"). Rework is always verified again: the only way to the gate is a
verification that passed on the tree that the gate shows.
"""

from functools import singledispatch

from domain.agents import DoneReport
from domain.approvals import Choice
from domain.commands import (
    Abort,
    AgentCommand,
    Answer,
    ReportBlocked,
    ReportDone,
    RequestPort,
    SendMessage,
    StopTurn,
    Verdict,
)
from domain.decisions import Decided, answer_of, refuse_flood, settle_verdict
from domain.errors import InvalidError, NotFoundError, WrongStateError
from domain.events import EventBody
from domain.events import task as happened
from domain.ids import TurnId
from domain.tasks.commands import BeginTurn, EndStep, EndTurn, GrantPort, OpenTask
from domain.tasks.outcomes import accepted, after_turn, folded, verdict
from domain.tasks.state import Phase, TaskState, evolve
from domain.verification import VerificationStep, has_passed, next_step
from domain.wire import Wire


class RunTurn(Wire):
    """The agent must be given its next turn."""

    number: int


class RunStep(Wire):
    """A verification step must run."""

    attempt: int
    step: VerificationStep


def todo(state: TaskState) -> RunTurn | RunStep | None:
    """Return what must happen next; None while somebody else is awaited, or when it is over."""
    if state.phase is Phase.WORKING:
        return RunTurn(number=state.turns if state.running_turn else state.turns + 1)
    if state.phase is Phase.VERIFYING and state.attempt is not None:
        step = next_step(state.steps, state.attempt)
        return RunStep(attempt=state.attempt.attempt, step=step) if step else None
    return None


def turn_id(state: TaskState, number: int) -> TurnId:
    """Return the id of a session's n-th turn."""
    return TurnId(f"{state.session_id}/turn-{number}")


def decide(state: TaskState, command: Wire) -> Decided:
    """Return the events of a command.

    Raises:
        WrongStateError: The task has ended, or is not where the command makes sense.
        InvalidError: The command names something that the task does not have.
        NotFoundError, AlreadyDecidedError, NotShownError: See `settle_verdict`.
    """
    return _decide(command, state)


def _ended(state: TaskState) -> WrongStateError:
    return WrongStateError(f"the task has ended ({state.end}): {state.reason or 'no reason given'}")


@singledispatch
def _decide(command: Wire, state: TaskState) -> Decided:
    del state
    raise InvalidError(f"a task takes no command {type(command).__name__!r}")


@_decide.register
def _(command: OpenTask, state: TaskState) -> Decided:
    del state
    return Decided((happened.TaskOpened(**dict(command)),))


@_decide.register
def _(command: BeginTurn, state: TaskState) -> Decided:
    del command
    number = state.turns + 1
    attempt = len(state.attempts) + 1
    return Decided(
        (
            happened.TaskTurnStarted(
                turn_id=turn_id(state, number),
                number=number,
                attempt=attempt,
                prompt_name=state.cue,
            ),
        )
    )


@_decide.register
def _(command: EndTurn, state: TaskState) -> Decided:
    result = command.result
    if state.end is not None or result.turn_id != state.running_turn:
        return Decided()
    events: list[EventBody] = []
    if result.report is not None and state.report is None:
        events.append(happened.ReportReceived(report=result.report))
    events.append(
        happened.TaskTurnEnded(
            turn_id=result.turn_id,
            stop_reason=result.stop_reason,
            agent_session=result.agent_session,
            failure=result.failure,
            snapshot=result.snapshot,
            duration_ms=result.duration_ms,
        )
    )
    after = folded(state, events)
    return Decided((*events, *after_turn(after, result)))


@_decide.register
def _(command: EndStep, state: TaskState) -> Decided:
    attempt = state.attempt
    if state.phase is not Phase.VERIFYING or attempt is None or attempt.attempt != command.attempt:
        return Decided()
    expected = next_step(state.steps, attempt)
    if expected is None or expected.id != command.result.step_id:
        return Decided()
    ended = happened.VerificationStepEnded(attempt=command.attempt, result=command.result)
    after = evolve(state, ended)
    if after.attempt is None or next_step(after.steps, after.attempt) is not None:
        return Decided((ended,))
    passed = has_passed(after.steps, after.attempt)
    return Decided((ended, *verdict(after, passed=passed)))


@_decide.register
def _(command: Verdict, state: TaskState) -> Decided:
    outcome = settle_verdict(command, state.request, state.outcomes)
    if outcome is None:
        return Decided(answer=answer_of(state.outcomes[command.request_id]))
    events: tuple[EventBody, ...] = (happened.GateDecided(outcome=outcome),)
    if outcome.choice is Choice.APPROVE:
        events = (*events, accepted())
    return Decided(events, answer_of(outcome))


@_decide.register
def _(command: Abort, state: TaskState) -> Decided:
    if state.end is not None:
        if state.end is happened.TaskEnd.CANCELLED:
            return Decided(answer=Answer(message="already aborted"))
        raise _ended(state)
    by = command.by or "a person"
    ended = happened.TaskEnded(end=happened.TaskEnd.CANCELLED, reason=f"aborted by {by}")
    return Decided((happened.TaskAborted(by=by), ended), Answer(message="aborted"))


@_decide.register
def _(command: SendMessage, state: TaskState) -> Decided:
    if command.command_id and command.command_id in state.seen_messages:
        return Decided(answer=Answer(message="already queued"))
    if state.end is not None:
        raise _ended(state)
    if command.session_id not in {None, state.session_id}:
        raise NotFoundError(f"this run's session is {state.session_id!r}, not that one")
    if state.phase is Phase.AT_GATE:
        raise WrongStateError("the task waits at its gate: reject it with your text as feedback")
    refuse_flood((message.text for message in state.messages), command.text)
    number = len(state.seen_messages) + 1
    message_id = command.command_id or f"message-{number}"
    queued = happened.TaskMessageQueued(message_id=message_id, text=command.text, by=command.by)
    words = "queued"
    if state.report is not None and not state.is_blocked:
        words = "queued: the agent had reported that it is done, and works on with this"
    return Decided((queued,), Answer(message=words, data={"message_id": message_id}))


@_decide.register
def _(command: StopTurn, state: TaskState) -> Decided:
    if state.running_turn is None:
        raise WrongStateError("no turn is running")
    if state.is_stop_requested:
        return Decided(answer=Answer(message="already stopping"))
    stop = happened.TaskStopRequested(turn_id=state.running_turn, by=command.by)
    return Decided((stop,), Answer(message="stopping"))


def _check_agent(command: AgentCommand, state: TaskState) -> None:
    if state.end is not None:
        raise _ended(state)
    if command.session_id != state.session_id or state.running_turn is None:
        raise WrongStateError(f"session {command.session_id!r} is not at work on this task now")
    if command.turn_id not in {"", state.running_turn}:
        raise WrongStateError(f"this was said in {command.turn_id!r}, which is over")


@_decide.register
def _(command: ReportDone, state: TaskState) -> Decided:
    _check_agent(command, state)
    answer = Answer(message="Reported. Verification runs when this turn ends: end it now.")
    if state.report is not None and not state.is_blocked:
        return Decided(answer=answer)
    return Decided((happened.ReportReceived(report=DoneReport(summary=command.summary)),), answer)


@_decide.register
def _(command: ReportBlocked, state: TaskState) -> Decided:
    _check_agent(command, state)
    answer = Answer(message="Reported. A person is asked: end this turn now.")
    if state.is_blocked:
        return Decided(answer=answer)
    report = DoneReport(summary=command.reason)
    return Decided((happened.ReportReceived(report=report, is_blocked=True),), answer)


@_decide.register
def _(command: RequestPort, state: TaskState) -> Decided:
    _check_agent(command, state)
    declared = [port.id for port in state.task.ports] if state.task else []
    if command.port_id not in declared:
        known = ", ".join(declared) or "none"
        raise InvalidError(f"port_not_declared: {command.port_id!r}; this task declares: {known}")
    number = state.ports.get(command.port_id)
    if number is None:
        return Decided(answer=Answer(message="leasing"))
    return Decided(answer=port_answer(command.port_id, number))


def port_answer(port_id: str, number: int) -> Answer:
    """Return what an agent is told of its port."""
    return Answer(message=f"port {port_id!r} is {number}", data={"id": port_id, "port": number})


@_decide.register
def _(command: GrantPort, state: TaskState) -> Decided:
    if command.port_id in state.ports:
        return Decided()
    return Decided((happened.PortLeased(port_id=command.port_id, number=command.number),))
