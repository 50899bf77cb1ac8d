"""Rules of turns: whose is next, what follows one, and what happens while a provider refuses."""

from domain.agents.agents import READERS, PromptName, SessionRole, StopReason, TurnResult
from domain.agents.limits.budgets import context_warning, exhausted, must_compact, warnings
from domain.agents.limits.compaction import EMPTY, is_empty
from domain.agents.spending import held
from domain.conversations.commands import SkipWait, StopTurn, SwitchAgent
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import TurnId
from domain.tasks import events as happened
from domain.tasks.checks import ended
from domain.tasks.commands import BeginTurn, EndTurn, EndWait
from domain.tasks.dispatch import handles
from domain.tasks.outcomes import after_turn, failed, folded, reverified, verification
from domain.tasks.planning import after_planner, after_reviewer
from domain.tasks.questions import before_end, slept
from domain.tasks.reviewers import due_reviewer, review_cue
from domain.tasks.reviews import after_review
from domain.tasks.state import PLANNING, Phase, Seat, TaskState
from domain.tasks.terminals import ends
from domain.tasks.turn_evolution import COMPACT

OUTPUT_LIMIT = 4_000
_IDLE = frozenset({Phase.AT_GATE, Phase.AT_PLAN, Phase.WAITING})


def next_seat(state: TaskState) -> Seat | None:
    """Return whose turn is next, None while nobody's is; one at a time works in the directory."""
    if state.phase in _IDLE or state.phase is Phase.WORKING:
        asked = (s for s in state.seats.values() if s.role is SessionRole.CHAT and s.messages)
        if (seat := next(asked, None)) is not None:
            return seat
    if state.phase is Phase.WORKING:
        return state.worker
    if state.phase is Phase.PLANNING:
        return state.seat_of(SessionRole.TASK_PLANNER)
    if state.phase is Phase.REVIEWING:
        return state.seat_of(SessionRole.REVIEWER)
    return due_reviewer(state)


def turn_id(seat: Seat, number: int) -> TurnId:
    """Return the id of a session's n-th turn."""
    return TurnId(f"{seat.session_id}/turn-{number}")


def cue_of(state: TaskState, seat: Seat) -> str:
    """Return the name of the prompt that a seat is given next."""
    if _is_full(state, seat) and seat.compact_command:
        return COMPACT
    if seat.role is SessionRole.CHAT:
        return "message"
    if seat.role is SessionRole.REVIEWER:
        return PromptName.TASK_PLAN_REVIEW
    if seat.role is SessionRole.CODE_REVIEWER:
        return review_cue(state)
    if seat.role is SessionRole.TASK_PLANNER and state.planning is not None:
        return state.planning.cue
    return state.cue


def _is_full(state: TaskState, seat: Seat) -> bool:
    """Tell whether a seat's context must be compacted; a review's few turns go on as they are."""
    is_review = seat.role is SessionRole.CODE_REVIEWER
    return not is_review and must_compact(state.budget, seat.context)


@handles
def _begin_turn(command: BeginTurn, state: TaskState) -> Decided:
    del command
    seat = next_seat(state)
    if seat is None or state.running_turn is not None:
        return Decided()
    reason = exhausted(state.budget, state.spent)
    if reason and seat.role not in {SessionRole.CHAT, SessionRole.CODE_REVIEWER}:
        return Decided((failed(reason),))
    events: list[EventBody] = []
    if _is_full(state, seat) and seat.context is not None:
        events.append(
            happened.TaskContextCompacted(
                session_id=seat.session_id,
                used=seat.context.used,
                size=seat.context.size,
                command=seat.compact_command,
            )
        )
    number = seat.turns + 1
    started = happened.TaskTurnStarted(
        turn_id=turn_id(seat, number),
        number=number,
        attempt=len(state.attempts) + 1,
        prompt_name=cue_of(state, seat),
        session_id=seat.session_id,
    )
    return Decided((*events, started))


@handles
def _end_turn(command: EndTurn, state: TaskState) -> Decided:
    result = command.result
    seat = state.seats.get(state.running_seat)
    if state.end is not None and seat is not None and result.turn_id == state.cut_short:
        # what is kept of its work is the thread's to say; here it counts alone
        return Decided((_ended(result, seat).model_copy(update={"snapshot": None}),))
    if state.end is not None or result.turn_id != state.running_turn or seat is None:
        return Decided()
    if result.is_asleep and not state.is_stop_requested:
        return slept(state, result)
    if result.retry_at is not None:
        delayed = happened.TaskTurnDelayed(
            turn_id=result.turn_id,
            provider=result.provider,
            reason=result.limit_reason,
            until=result.retry_at,
            refusals=state.refusals + 1,
            agent_session=result.agent_session,
            taken=held(result),
        )
        return Decided((delayed,))
    events: list[EventBody] = [*before_end(state, result)]
    is_work = seat.role is SessionRole.TASK and not seat.is_compacting
    if is_work and result.report is not None and state.report is None:
        events.append(happened.ReportReceived(report=result.report))
    events.append(_ended(result, seat))
    if result.terminals is not None:
        events += ends(state, result.terminals)
    after = folded(state, events)
    events += [happened.TaskWarned(message=text) for text in _warnings(state, after, seat, result)]
    return Decided((*events, *_follows(state, after, seat, result)))


def _ended(result: TurnResult, seat: Seat) -> happened.TaskTurnEnded:
    is_quoted = seat.role not in READERS
    return happened.TaskTurnEnded(
        turn_id=result.turn_id,
        agent=result.agent,
        model=result.model,
        stop_reason=result.stop_reason,
        agent_session=result.agent_session,
        failure=result.failure,
        snapshot=result.snapshot,
        duration_ms=result.duration_ms,
        usage=result.usage,
        context=result.context,
        compact_command=result.compact_command,
        tool_calls=result.tool_calls,
        tool_failures=result.tool_failures,
        output=result.text[-OUTPUT_LIMIT:] if is_quoted else "",
        discarded=result.discarded,
    )


def _warnings(state: TaskState, after: TaskState, seat: Seat, result: TurnResult) -> list[str]:
    said = [*warnings(state.budget, state.spent, after.spent)]
    said += context_warning(state.budget, seat.context, after.seats[seat.session_id].context)
    if result.discarded:
        files = ", ".join(result.discarded[:10])
        said.append(f"{seat.session_id} changed files that it may only read; thrown away: {files}")
    if result.failure is not None and seat.role is SessionRole.CHAT:
        said.append(f"{seat.session_id}: {result.failure[:1_000]}")
    return said


def _follows(
    state: TaskState, after: TaskState, seat: Seat, result: TurnResult
) -> tuple[EventBody, ...]:
    if seat.role is SessionRole.CHAT:
        return (*_fallen_back(state, seat, result), *reverified(state, after))
    if seat.role is SessionRole.REVIEWER:
        return after_reviewer(after, result)
    if seat.role is SessionRole.CODE_REVIEWER:
        return after_review(after, result)
    if result.failure is not None:
        return (failed(result.failure),)
    if seat.is_compacting:
        return _fallen_back(state, seat, result)
    return after_planner(after, result) if state.phase in PLANNING else after_turn(after, result)


def _fallen_back(state: TaskState, seat: Seat, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what happens where an agent compacted its context to nothing."""
    if not seat.is_compacting or seat.context is None:
        return ()
    if not is_empty(state.budget, seat.context, result):
        return ()
    fresh = happened.TaskContextCompacted(
        session_id=seat.session_id, used=seat.context.used, size=seat.context.size
    )
    return happened.TaskWarned(message=EMPTY), fresh


@handles
def _end_wait(command: EndWait, state: TaskState) -> Decided:
    if state.delay is None or state.running_turn is None or state.running_turn != command.turn_id:
        return Decided()
    return Decided((happened.TaskTurnResumed(turn_id=state.running_turn),))


@handles
def _skip_wait(command: SkipWait, state: TaskState) -> Decided:
    if state.is_review_held:
        return Decided(verification(state), Answer(message="everything is verified again"))
    if state.delay is None or state.running_turn is None:
        raise WrongStateError("no turn of this task waits for a provider")
    resumed = happened.TaskTurnResumed(turn_id=state.running_turn, is_skipped=True, by=command.by)
    return Decided((resumed,), Answer(message="trying now"))


@handles
def _switch_agent(command: SwitchAgent, state: TaskState) -> Decided:
    if state.end is not None:
        raise ended(state)
    is_held = state.delay is not None or state.is_asleep
    seat = state.seats.get(state.running_seat) if is_held else None
    if seat is None and state.phase in PLANNING:
        seat = state.seat_of(SessionRole.TASK_PLANNER)
    if seat is None and state.is_review_held:
        seat = state.seat_of(SessionRole.CODE_REVIEWER)
    seat = seat or state.worker
    if seat is None:
        raise WrongStateError("the task has not begun")
    if command.chosen == (seat.agent, seat.model, seat.options):
        return Decided(answer=Answer(message=f"{seat.session_id} has that agent already"))
    switched = happened.TaskAgentSwitched(
        session_id=seat.session_id,
        agent=command.agent,
        model=command.model,
        options=command.options,
        by=command.by,
    )
    if state.is_review_held:
        again = verification(folded(state, [switched]))
        return Decided((switched, *again), Answer(message=f"{command.agent} reviews it now"))
    when = "goes on now" if is_held else "has it from its next turn on"
    return Decided((switched,), Answer(message=f"{seat.session_id} {when}: {command.agent}"))


@handles
def _stop_turn(command: StopTurn, state: TaskState) -> Decided:
    if state.running_turn is None:
        raise WrongStateError("no turn is running")
    if state.is_stop_requested:
        return Decided(answer=Answer(message="already stopping"))
    stop = happened.TaskStopRequested(turn_id=state.running_turn, by=command.by)
    if state.delay is None and not state.is_asleep:
        return Decided((stop,), Answer(message="stopping"))
    answer = Answer(message="stopped: it waited")
    over = happened.TaskTurnEnded(turn_id=state.running_turn, stop_reason=StopReason.CANCELLED)
    result = TurnResult(turn_id=state.running_turn, stop_reason=StopReason.CANCELLED)
    # only a review's end is followed by something: the others wait for a message
    return Decided((stop, over, *after_review(folded(state, [stop, over]), result)), answer)
