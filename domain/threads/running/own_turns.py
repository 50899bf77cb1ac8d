"""Turns that the thread's agent takes without a message: when, why, and how many at most.

What happens in a plan is gathered. A while after the first of it one turn tells the agent all that still
holds then; the next turn comes no sooner than that one is over. Each takes one of a number that only a
person can raise, so whatever follows from a turn ends.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.reports import EndSessionTurn
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId, session_stream
from domain.core.progress import TaskProgress
from domain.core.task_names import task_name
from domain.core.text import bullets, counted
from domain.plans.settings import MAX_OWN_TURNS
from domain.plans.status import PlanStatus
from domain.tasks.learnings import LearningKind
from domain.tasks.running_commands import SetOwnTurns
from domain.tasks.status import TaskStatus
from domain.threads.effects import ThreadEffect, WaitUntil
from domain.threads.events import (
    PlanCompleted,
    PlanStarted,
    PlanStatusChanged,
    PromptQueued,
    SessionOpened,
    TaskUpdated,
)
from domain.threads.merging.events import ConflictFound
from domain.threads.patches import OWN_TURNS
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import ENRICHABLE, address
from domain.threads.running.events import (
    CoordinatorNamed,
    LearningsAdded,
    OwnTurnDue,
    OwnTurnEnded,
    OwnTurnsSet,
    OwnTurnTaken,
    SupervisionRaised,
)
from domain.threads.running.plan_tasks import AT_WORK, WAITING
from domain.threads.running.state import Cause, Occurrence
from domain.threads.running.supervision import SUPERVISION
from domain.threads.state import ThreadState

MAX_UNTOLD = 50
MAX_WORDS = 500
MAX_FAILURES = 2
"""Turns that fail in a row before no more are taken: then the agent is not to be had."""

_TELLING = frozenset({LearningKind.UNEXPECTED, LearningKind.NEXT})
"""Learnings that others may have to know; that something worked is in their prompts anyway."""


# --- what happened


def with_occurrence(
    state: ThreadState, cause: Cause, words: str, task_id: TaskId | None = None
) -> ThreadState:
    """Return the state with something more that the agent is to be told of."""
    if not state.has_patch(OWN_TURNS):
        return state
    own = state.own_turns
    run = state.tasks[task_id].run if task_id else 0
    more = Occurrence(cause=cause, words=words[:MAX_WORDS], task_id=task_id, run=run)
    # what is over does not hasten the turn about something new
    due_at = own.due_at if any(_holds(what, state) for what in own.untold) else None
    others = tuple(what for what in own.untold if not _is_replaced(what, more))
    return _with(state, untold=(*others, more)[-MAX_UNTOLD:], due_at=due_at)


def _is_replaced(what: Occurrence, more: Occurrence) -> bool:
    """Tell whether something is the same as what happened now; a run may raise several concerns."""
    is_same = (what.cause, what.task_id) == (more.cause, more.task_id)
    return is_same and what.cause is not Cause.CONCERN


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"own_turns": state.own_turns.model_copy(update=changes)})


def note_block(before: ThreadState, state: ThreadState, progress: TaskProgress) -> ThreadState:
    """Return the state after a run said how far it is, noting that it can't go on without a person."""
    known = before.tasks[progress.task_id].progress
    if not progress.is_blocked or (known is not None and known.is_blocked):
        return state
    why = progress.waits_for or progress.doing
    words = f"{task_name(progress.task_id, 'Task')} can't go on without a person: {why}"
    return with_occurrence(state, Cause.ESCALATION, words, progress.task_id)


@THREAD_RULES.evolves
def note_status(event: TaskUpdated, state: ThreadState) -> ThreadState:
    """Note a failure, and the end of a wave: of tasks that could run side by side."""
    if not state.has_patch(OWN_TURNS):
        return state
    is_candidate = bool(state.tasks[event.task_id].task.candidate_of)
    if event.new_status is TaskStatus.FAILED and not is_candidate:  # its task goes on with others
        words = f"{task_name(event.task_id, 'Task')} failed: {event.notes}"
        state = with_occurrence(state, Cause.FAILURE, words, event.task_id)
    return _note_waves(state) if state.tasks[event.task_id].is_over else state


def _note_waves(state: ThreadState) -> ThreadState:
    tasks, first = state.tasks, state.own_turns.waves
    over = first
    while over < tasks.waves and tasks.is_over(over):
        over += 1
    if over == first:
        return state
    names = [name for wave in range(first, over) for name in tasks.wave(wave)]
    ended = _with(state, waves=over)
    if not any(state.tasks[name].status is TaskStatus.COMPLETED for name in names):
        return ended
    ends = ", ".join(f"{name} {state.tasks[name].status}" for name in names)
    words = f"Wave {over} of {tasks.waves} is over: {ends}"
    return with_occurrence(ended, Cause.WAVE, words)


@THREAD_RULES.evolves
def note_conflict(event: ConflictFound, state: ThreadState) -> ThreadState:
    found = event.conflict
    words = f"{found.named('The work of task')} conflicts in {', '.join(found.files)}"
    return with_occurrence(state, Cause.CONFLICT, words, found.task_id)


@THREAD_RULES.evolves
def note_concern(event: SupervisionRaised, state: ThreadState) -> ThreadState:
    words = (
        f"{task_name(event.task_id, 'Task')}: {event.message}; supervision advises: {event.advice}"
    )
    return with_occurrence(state, Cause.CONCERN, words, event.task_id)


@THREAD_RULES.evolves
def note_learnings(event: LearningsAdded, state: ThreadState) -> ThreadState:
    told = [each for each in event.learnings if each.learning in _TELLING]
    if not told:
        return state
    words = f"Task {event.task_id} recorded {counted(len(told), 'learning')} for others"
    return with_occurrence(state, Cause.LEARNINGS, words, event.task_id)


def _holds(what: Occurrence, state: ThreadState) -> bool:
    """Tell whether something still is as it was when it happened, and concerns what is to come."""
    entry = state.tasks.get(what.task_id) if what.task_id else None
    entry = entry if entry is not None and entry.run == what.run else None
    match what.cause:
        case Cause.LEARNINGS:
            return state.tasks.count(*ENRICHABLE) > 0
        case Cause.WAVE:
            return state.tasks.count(*WAITING, *AT_WORK) > 0
        case Cause.FAILURE:
            return entry is not None and entry.status is TaskStatus.FAILED
        case Cause.ESCALATION:
            progress = entry.progress if entry and entry.status.is_at_work else None
            return progress is not None and progress.is_blocked
        case Cause.CONFLICT:
            return entry is not None and what.task_id in state.merges.open
        case Cause.CONCERN:
            return entry is not None and entry.status.is_at_work


# --- the turn


def _told(state: ThreadState) -> tuple[Occurrence, ...]:
    """Return what a turn would tell now; nothing while none may be taken."""
    own = state.own_turns
    session = state.sessions.get(state.coordinator) if state.coordinator else None
    is_busy = own.running or (session is not None and session.role is not SessionRole.CHAT)
    is_away = state.lifecycle.is_archived or state.lifecycle.is_deletion_requested
    if not state.plan_status.is_live or own.is_held or is_busy or is_away:
        return ()
    if not state.own_turns_left or own.failures >= MAX_FAILURES:
        return ()
    return tuple(what for what in own.untold if _holds(what, state))


def take_own_turn(state: ThreadState, now: datetime) -> Iterable[EventBody]:
    """Have the agent take a turn that tells all that happened, once that is due."""
    told, own, opened = _told(state), state.own_turns, state.opened
    if not told or opened is None:
        return
    if own.due_at is None:
        wait = timedelta(seconds=state.planner_settings.own_turns_wait_seconds)
        yield OwnTurnDue(at=now + wait)
        return
    if now < own.due_at:
        return
    session_id = address(state)
    if session_id is None:
        session_id = session_stream(state.thread_id, len(state.sessions) + 1)
        yield SessionOpened(
            session_id=session_id, role=SessionRole.CHAT, agent=opened.agent, model=opened.model
        )
        yield CoordinatorNamed(plan_id=state.plan_id, session_id=session_id)
    yield from _turn(state, session_id, told)


def _turn(
    state: ThreadState, session_id: SessionId, told: tuple[Occurrence, ...]
) -> Iterable[EventBody]:
    number = state.own_turns.taken + 1
    key = f"{session_id}/own-{number}"
    yield OwnTurnTaken(
        plan_id=state.plan_id,
        session_id=session_id,
        key=key,
        number=number,
        left=state.own_turns_left - 1,
        causes=told,
    )
    prompt = Prompt(name=PromptName.OWN_TURN, fields={"text": bullets(what.words for what in told)})
    yield PromptQueued(key=key, session_id=session_id, prompt=prompt)


@THREAD_RULES.requires
def await_own_turn(state: ThreadState) -> Iterable[ThreadEffect]:
    due_at = state.own_turns.due_at
    if due_at is not None and _told(state):
        yield WaitUntil(what="own-turn", at=due_at)


def own_turn_ended(command: EndSessionTurn, state: ThreadState) -> tuple[EventBody, ...]:
    """Return the end of a turn that the agent took without a message; nothing for any other turn."""
    key = command.prompt_key
    if not key or key != state.own_turns.running:
        return ()
    failure = (command.failure or "")[:MAX_WORDS]
    return (OwnTurnEnded(session_id=command.session_id, key=key, failure=failure),)


@THREAD_RULES.handles
def set_own_turns(command: SetOwnTurns, state: ThreadState) -> Decided:
    if command.turns > MAX_OWN_TURNS:
        raise InvalidError(
            f"a thread's agent may take at most {MAX_OWN_TURNS} turns of its own, not {command.turns}"
        )
    if command.turns == state.own_turns_left and not state.own_turns.failures:
        return Decided(answer=Answer(message=f"already so: {_words(command.turns)}"))
    chosen = OwnTurnsSet(turns=command.turns, by=command.by)
    return Decided((chosen,), Answer(message=_words(command.turns)))


def _words(turns: int) -> str:
    if not turns:
        return "the thread's agent takes no turns of its own"
    return f"the thread's agent may take {counted(turns, 'more turn')} of its own"


# --- events


@THREAD_RULES.evolves
def apply_own_turn_due(event: OwnTurnDue, state: ThreadState) -> ThreadState:
    return _with(state, due_at=event.at)


@THREAD_RULES.evolves
def apply_own_turn_taken(event: OwnTurnTaken, state: ThreadState) -> ThreadState:
    return _with(state, taken=event.number, running=event.key, untold=(), due_at=None)


@THREAD_RULES.evolves
def apply_own_turn_ended(event: OwnTurnEnded, state: ThreadState) -> ThreadState:
    failures = state.own_turns.failures + 1 if event.failure else 0
    return _with(state, running="", failures=failures)


@THREAD_RULES.evolves
def apply_own_turns_set(event: OwnTurnsSet, state: ThreadState) -> ThreadState:
    allowed = state.own_turns.taken + event.turns
    return _with(state, allowed=allowed, failures=0)


@THREAD_RULES.evolves(PlanStarted)
def begin_plan(state: ThreadState) -> ThreadState:
    return _with(state, untold=(), due_at=None, running="", waves=0, is_held=False)


@THREAD_RULES.evolves
def hold_while_paused(event: PlanStatusChanged, state: ThreadState) -> ThreadState:
    """Hold turns while a person has paused the plan; what supervision paused is worth a look."""
    is_held = event.status is PlanStatus.PAUSED and event.by != SUPERVISION
    return _with(state, is_held=is_held)


@THREAD_RULES.evolves(PlanCompleted)
def end_plan(state: ThreadState) -> ThreadState:
    return _with(state, untold=(), due_at=None)
