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
from domain.core.event import EventBody
from domain.plans.plan import Decision
from domain.threads.commands import WakeUp
from domain.threads.effects import ThreadEffect, WaitUntil
from domain.threads.registry import THREAD_RULES
from domain.threads.running import decision_events
from domain.threads.running.state import PlanDecision
from domain.threads.state import ThreadState

POLICY = "policy"


@THREAD_RULES.handles
def make_decision(command: Decide, state: ThreadState) -> Decided:
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
    made = decision_events.DecisionMade(
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


def _moment(entry: PlanDecision) -> datetime | None:
    """Return when something is due for a decision: a reminder, or its default."""
    if entry.is_expired:
        return None
    return next(iter(entry.reminders), entry.due_at)


@THREAD_RULES.requires
def await_deadlines(state: ThreadState) -> Iterable[ThreadEffect]:
    for name, entry in _open(state).items():
        if (moment := _moment(entry)) is not None:
            yield WaitUntil(what=f"decision:{name}", at=moment)


@THREAD_RULES.handles(WakeUp)
def wake_up() -> Decided:
    """Change nothing: what is due follows by itself."""
    return Decided()


@THREAD_RULES.reacts
def set_deadlines(state: ThreadState, now: datetime) -> Iterable[EventBody]:
    """Set the deadline of each decision that has none: reminders at half of it, and shortly before."""
    before = state.planner_settings.decision_reminder_seconds
    for decision in _untimed(state):
        whole = timedelta(seconds=_seconds(state, decision))
        last = whole - min(timedelta(seconds=before), whole / 10)
        yield decision_events.DecisionTimed(
            plan_id=state.plan_id,
            decision_id=decision.id,
            due_at=now + whole,
            reminders=(now + whole / 2, now + last) if before else (),
        )


@THREAD_RULES.reacts
def pass_deadlines(state: ThreadState, now: datetime) -> Iterable[EventBody]:
    """Remind of each decision that is due, take its safe default, or say that it goes on waiting."""
    for entry in _open(state).values():
        moment = _moment(entry)
        if moment is not None and moment <= now:
            yield _overdue(state, entry)


def _overdue(state: ThreadState, entry: PlanDecision) -> EventBody:
    asked, due_at = entry.decision, entry.due_at
    if entry.reminders and due_at is not None:
        return decision_events.DecisionReminded(
            plan_id=state.plan_id,
            decision_id=asked.id,
            question=asked.question,
            due_at=due_at,
            default=asked.safe_default,
        )
    if asked.safe_default is None:
        return decision_events.DecisionExpired(
            plan_id=state.plan_id, decision_id=asked.id, question=asked.question
        )
    return decision_events.DecisionMade(
        plan_id=state.plan_id,
        decision_id=asked.id,
        selections=(asked.safe_default,),
        by=POLICY,
        decider=Decider.POLICY,
    )


# --- what the events change


def _with(state: ThreadState, decision_id: str, **changes: object) -> ThreadState:
    changed = state.decisions[decision_id].model_copy(update=changes)
    return state.model_copy(update={"decisions": {**state.decisions, decision_id: changed}})


@THREAD_RULES.evolves
def apply_decision_made(event: decision_events.DecisionMade, state: ThreadState) -> ThreadState:
    return _with(state, event.decision_id, selections=event.selections, reminders=())


@THREAD_RULES.evolves
def apply_decision_timed(event: decision_events.DecisionTimed, state: ThreadState) -> ThreadState:
    return _with(state, event.decision_id, due_at=event.due_at, reminders=event.reminders)


@THREAD_RULES.evolves
def apply_decision_reminded(
    event: decision_events.DecisionReminded, state: ThreadState
) -> ThreadState:
    left = state.decisions[event.decision_id].reminders[1:]
    return _with(state, event.decision_id, reminders=left)


@THREAD_RULES.evolves
def apply_decision_expired(
    event: decision_events.DecisionExpired, state: ThreadState
) -> ThreadState:
    return _with(state, event.decision_id, is_expired=True)
