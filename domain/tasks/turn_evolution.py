"""How turns, their delays and their sessions change what is known of a task."""

from domain.agents.agents import PromptName, SessionRole, StopReason
from domain.agents.spending import Taken, taken_by
from domain.conversations.questions.question import QuestionKind
from domain.tasks import events as happened
from domain.tasks.dispatch import evolves
from domain.tasks.state import PLANNING, Delay, Phase, Reviewing, Seat, TaskState

MAX_WARNINGS = 20
MAX_REVIEWERS = 20
COMPACT = "compact"
"""The prompt name of a turn in which an agent compacts its context."""


def with_seat(state: TaskState, session_id: str, **changes: object) -> dict[str, Seat]:
    """Return the seats with one changed; the first turn of a planner or reviewer makes its seat."""
    seat = state.seats.get(session_id)
    if seat is None:
        return state.seats
    return {**state.seats, session_id: seat.model_copy(update=changes)}


@evolves
def _apply_task_session_opened(event: happened.TaskSessionOpened, state: TaskState) -> TaskState:
    opened = Seat(
        session_id=event.session_id,
        role=event.role,
        agent=event.agent,
        model=event.model,
        options=event.options,
        commit=event.commit,
    )
    changes: dict[str, object] = {"seats": {**_kept_seats(state), opened.session_id: opened}}
    if event.role is SessionRole.CODE_REVIEWER:
        changes["reviewing"] = Reviewing(session_id=opened.session_id)
    return state.model_copy(update=changes)


def _kept_seats(state: TaskState) -> dict[str, Seat]:
    """Return the seats without the oldest of many reviewers: each review has a session of its own."""
    made = [s.session_id for s in state.seats.values() if s.role is SessionRole.CODE_REVIEWER]
    dropped = made[: len(made) - MAX_REVIEWERS + 1] if len(made) >= MAX_REVIEWERS else []
    return {name: seat for name, seat in state.seats.items() if name not in dropped}


@evolves
def _apply_task_turn_started(event: happened.TaskTurnStarted, state: TaskState) -> TaskState:
    session_id = event.session_id or state.session_id
    seat = state.seats.get(session_id)
    is_compacting = event.prompt_name == COMPACT
    changes: dict[str, object] = {
        "running_turn": event.turn_id,
        "running_seat": session_id,
        "is_stop_requested": False,
        "in_turn": (),
    }
    own: dict[str, object] = {"turns": event.number, "is_compacting": is_compacting}
    if seat is not None and seat.role is SessionRole.CHAT and not is_compacting:
        changes["in_turn"], own["messages"] = seat.messages, ()
    elif event.prompt_name == PromptName.MESSAGE:
        changes |= {"in_turn": state.messages, "messages": ()}
    if session_id == state.session_id and not is_compacting:
        changes |= {"report": None, "is_blocked": False}
    if state.planning is not None and seat is not None and seat.role is SessionRole.TASK_PLANNER:
        changes["planning"] = state.planning.model_copy(update={"is_proposed": False})
    changes["seats"] = with_seat(state, session_id, **own)
    return state.model_copy(update=changes)


@evolves
def _apply_task_turn_delayed(event: happened.TaskTurnDelayed, state: TaskState) -> TaskState:
    delay = Delay(provider=event.provider, reason=event.reason, until=event.until)
    seat = state.seats.get(state.running_seat)
    known = event.agent_session or (seat.agent_session if seat else None)
    return state.model_copy(
        update={
            "delay": delay,
            "refusals": event.refusals,
            "is_urgent": False,
            "seats": with_seat(state, state.running_seat, agent_session=known),
            **with_taken(state, event.taken),
        }
    )


def with_taken(state: TaskState, taken: Taken | None) -> dict[str, object]:
    """Return what changes by the part of a turn that is held, or was cut short: it is no turn."""
    if taken is None:
        return {}
    seat = state.seats.get(state.running_seat)
    is_review = seat is not None and seat.role is SessionRole.CODE_REVIEWER
    spent = state.spent if is_review else state.spent.after(taken.usage)
    return {
        "spent": spent.model_copy(update={"turns": state.spent.turns}),
        "stats": state.stats.plus(taken),
        "work_ms": state.work_ms + taken.duration_ms,
    }


@evolves
def _apply_task_turn_resumed(event: happened.TaskTurnResumed, state: TaskState) -> TaskState:
    return state.model_copy(update={"delay": None, "is_urgent": event.is_skipped})


@evolves
def _apply_task_agent_switched(event: happened.TaskAgentSwitched, state: TaskState) -> TaskState:
    seat = state.seats.get(event.session_id)
    is_held = state.delay is not None or state.is_asleep
    is_waiting = is_held and state.running_seat == event.session_id
    changes: dict[str, object] = {
        "seats": with_seat(
            state,
            event.session_id,
            agent=event.agent,
            model=event.model,
            options=event.options,
            agent_session=None,
            context=None,
            compact_command="",
            is_fresh=seat is not None and seat.turns > 0,
        )
    }
    if is_waiting:
        changes |= {"delay": None, "is_asleep": False}
    return state.model_copy(update=changes)


@evolves
def _apply_task_context_compacted(
    event: happened.TaskContextCompacted, state: TaskState
) -> TaskState:
    if event.command:
        return state
    fresh = {"agent_session": None, "context": None, "is_fresh": True}
    return state.model_copy(update={"seats": with_seat(state, event.session_id, **fresh)})


@evolves
def _apply_task_warned(event: happened.TaskWarned, state: TaskState) -> TaskState:
    return state.model_copy(update={"warnings": (*state.warnings, event.message)[-MAX_WARNINGS:]})


@evolves
def _apply_task_stop_requested(event: happened.TaskStopRequested, state: TaskState) -> TaskState:
    del event
    return state.model_copy(update={"is_stop_requested": True})


@evolves
def _apply_task_turn_ended(event: happened.TaskTurnEnded, state: TaskState) -> TaskState:
    seat = state.seats.get(state.running_seat)
    if seat is None:
        return state
    if state.end is not None:
        late = {"cut_short": None, **with_taken(state, taken_by(event))}
        return state.model_copy(update=late)
    is_review = seat.role is SessionRole.CODE_REVIEWER
    spent = state.spent if is_review else state.spent.after(event.usage)
    if seat.is_compacting:
        spent = spent.model_copy(update={"turns": state.spent.turns})
    changes: dict[str, object] = {
        "running_turn": None,
        "is_stop_requested": False,
        "delay": None,
        "is_asleep": False,
        "refusals": 0,
        "is_urgent": False,
        "in_turn": (),
        "seats": with_seat(state, state.running_seat, **_seat_after(event, seat)),
        "snapshot": event.snapshot or state.snapshot,
        "spent": spent,
        "stats": state.stats.plus(taken_by(event)),
        "work_ms": state.work_ms + event.duration_ms,
    }
    if is_review and state.reviewing is not None:
        took = state.reviewing.work_ms + event.duration_ms
        changes["reviewing"] = state.reviewing.model_copy(update={"work_ms": took})
    if seat.is_compacting or is_review or seat.role is SessionRole.CHAT:
        return state.model_copy(update=changes)
    if seat.role is SessionRole.TASK:
        changes |= _after_work(event, state)
    elif seat.role is SessionRole.TASK_PLANNER:
        changes |= _after_planning(event, state)
    elif event.stop_reason == StopReason.CANCELLED:
        changes |= _stopped(state)
    return state.model_copy(update=changes)


def _seat_after(event: happened.TaskTurnEnded, seat: Seat) -> dict[str, object]:
    # one that compacted and does not tell how full it is now would compact for ever
    is_old = seat.is_compacting and event.context == seat.context
    return {
        "agent_session": event.agent_session or seat.agent_session,
        "context": None if is_old else event.context or seat.context,
        "compact_command": event.compact_command,
        "is_compacting": False,
        "is_fresh": False,
    }


def _stopped(state: TaskState) -> dict[str, object]:
    resumes = Phase.PLANNING if state.phase in PLANNING else Phase.WORKING
    return {"phase": Phase.WAITING, "resumes": resumes, "reason": "the turn was stopped"}


def _after_work(event: happened.TaskTurnEnded, state: TaskState) -> dict[str, object]:
    changes: dict[str, object] = {"output": event.output, "reason": ""}
    if state.messages:
        changes |= {"cue": PromptName.MESSAGE}
    elif event.stop_reason == StopReason.CANCELLED:
        changes |= _stopped(state)
    elif state.is_blocked and state.report is not None:
        changes |= {
            "phase": Phase.WAITING,
            "resumes": Phase.WORKING,
            "reason": state.report.summary,
        }
    elif _decides(state):
        changes |= {"phase": Phase.WAITING, "resumes": Phase.WORKING}
    elif state.report is None:
        changes |= {"cue": PromptName.REPORT_MISSING, "nudges": state.nudges + 1}
    elif event.snapshot is not None and event.snapshot.unresolved:
        changes |= {"cue": PromptName.CONFLICT, "nudges": state.nudges + 1}
    return changes


def _decides(state: TaskState) -> bool:
    """Tell whether the turn that ends has left a decision to the person."""
    return bool(state.questions.open_of(state.running_seat, QuestionKind.DECISION))


def _after_planning(event: happened.TaskTurnEnded, state: TaskState) -> dict[str, object]:
    planning = state.planning
    if planning is None:
        return {}
    if state.messages:
        return {"planning": planning.model_copy(update={"cue": PromptName.MESSAGE})}
    if event.stop_reason == StopReason.CANCELLED:
        return _stopped(state)
    if _decides(state):
        return {"phase": Phase.WAITING, "resumes": Phase.PLANNING}
    if planning.is_proposed:
        return {}
    missing = {"cue": PromptName.TASK_PLAN_MISSING, "nudges": planning.nudges + 1}
    return {"planning": planning.model_copy(update=missing)}
