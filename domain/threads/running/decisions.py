"""Decisions that a plan leaves to a person: choices, time limits, reminders, safe defaults.

A decision blocks only the tasks that wait for it. When its time runs out its safe default is taken,
where the plan names one, and recorded as the policy's; else it goes on waiting, and says so.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from domain.conversations.questions.choices import chosen_of
from domain.core.approval_commands import Decide
from domain.core.approvals import Decider, content_hash
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import AlreadyDecidedError, NotFoundError, NotShownError, WrongStateError
from domain.plans.plan import Decision
from domain.threads.dispatch import does, handles
from domain.threads.effects import ReadClock, ThreadEffect, WaitUntil
from domain.threads.evolution import evolves
from domain.threads.running import decision_events as happened
from domain.threads.running.clock import at_clock, at_time
from domain.threads.running.state import PlanDecision
from domain.threads.state import ThreadState

TIMER = "decision"
POLICY = "policy"


@handles
def _decide(command: Decide, state: ThreadState) -> Decided:
    entry = state.decisions.get(command.decision_id)
    if entry is None:
        known = ", ".join(state.decisions) or "none"
        raise NotFoundError(f"no decision {command.decision_id!r}; this plan has: {known}")
    chosen = chosen_of(entry.decision, command.selections)
    if entry.selections is not None:
        if entry.selections == chosen:
            return Decided(answer=Answer(message=f"already decided: {', '.join(chosen)}"))
        made = ", ".join(entry.selections)
        raise AlreadyDecidedError(f"decision {command.decision_id!r} was already decided: {made}")
    if not state.plan_status.is_live:
        raise WrongStateError(f"no plan is running; its status is {state.plan_status}")
    if command.content_hash != content_hash(entry.decision):
        raise NotShownError(f"decision {command.decision_id!r} is not the one that was shown")
    made = happened.DecisionMade(
        plan_id=state.plan_id,
        decision_id=command.decision_id,
        selections=chosen,
        by=command.by,
    )
    return Decided((made,), Answer(message=f"decided: {', '.join(chosen)}"))


# --- time


def _seconds(state: ThreadState, decision: Decision) -> int:
    """Return how long a decision waits; 0 is for ever."""
    if decision.timeout_seconds is not None:
        return decision.timeout_seconds
    return state.planner_settings.decision_timeout_seconds


def _open(state: ThreadState) -> dict[str, PlanDecision]:
    if not state.plan_status.is_live:
        return {}
    return {name: d for name, d in state.decisions.items() if d.selections is None}


def _untimed(state: ThreadState) -> list[Decision]:
    entries = _open(state).values()
    return [e.decision for e in entries if e.due_at is None and _seconds(state, e.decision)]


@does
def _waits(state: ThreadState) -> Iterable[ThreadEffect]:
    if _untimed(state):
        yield ReadClock(what=f"{TIMER}:{state.approved}")
    for name, entry in _open(state).items():
        if entry.due_at is not None and not entry.is_expired:
            moment = next(iter(entry.reminders), entry.due_at)
            yield WaitUntil(what=f"{TIMER}:{name}:{moment.isoformat()}", at=moment)


@at_clock(TIMER)
def _ask_from_now(what: str, now: datetime, state: ThreadState) -> Decided:
    """Set the time of each decision that has none: reminders at half of it, and shortly before."""
    del what
    before = state.planner_settings.decision_reminder_seconds
    events: list[happened.DecisionTimed] = []
    for decision in _untimed(state):
        whole = timedelta(seconds=_seconds(state, decision))
        last = whole - min(timedelta(seconds=before), whole / 10)
        events.append(
            happened.DecisionTimed(
                plan_id=state.plan_id,
                decision_id=decision.id,
                due_at=now + whole,
                reminders=(now + whole / 2, now + last) if before else (),
            )
        )
    return Decided(tuple(events))


@at_time(TIMER)
def _time_is_up(what: str, state: ThreadState) -> Decided:
    """Remind of a decision, take its safe default, or say that it goes on waiting."""
    name, _, moment = what.partition(":")
    entry = _open(state).get(name)
    if entry is None or entry.due_at is None or entry.is_expired:
        return Decided()
    if moment != next(iter(entry.reminders), entry.due_at).isoformat():
        return Decided()
    asked = entry.decision
    if entry.reminders:
        reminded = happened.DecisionReminded(
            plan_id=state.plan_id,
            decision_id=name,
            question=asked.question,
            due_at=entry.due_at,
            default=asked.safe_default,
        )
        return Decided((reminded,))
    if asked.safe_default is None:
        expired = happened.DecisionExpired(
            plan_id=state.plan_id, decision_id=name, question=asked.question
        )
        return Decided((expired,))
    made = happened.DecisionMade(
        plan_id=state.plan_id,
        decision_id=name,
        selections=(asked.safe_default,),
        by=POLICY,
        decider=Decider.POLICY,
    )
    return Decided((made,))


# --- what the events change


def _with(state: ThreadState, decision_id: str, **changes: object) -> ThreadState:
    changed = state.decisions[decision_id].model_copy(update=changes)
    return state.model_copy(update={"decisions": {**state.decisions, decision_id: changed}})


@evolves
def _apply_decision_made(event: happened.DecisionMade, state: ThreadState) -> ThreadState:
    return _with(state, event.decision_id, selections=event.selections, reminders=())


@evolves
def _apply_decision_timed(event: happened.DecisionTimed, state: ThreadState) -> ThreadState:
    return _with(state, event.decision_id, due_at=event.due_at, reminders=event.reminders)


@evolves
def _apply_decision_reminded(event: happened.DecisionReminded, state: ThreadState) -> ThreadState:
    left = state.decisions[event.decision_id].reminders[1:]
    return _with(state, event.decision_id, reminders=left)


@evolves
def _apply_decision_expired(event: happened.DecisionExpired, state: ThreadState) -> ThreadState:
    return _with(state, event.decision_id, is_expired=True)
