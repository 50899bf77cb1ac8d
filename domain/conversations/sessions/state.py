"""What is known of a session, and how each event changes it."""

from datetime import datetime
from functools import singledispatch

from domain.agents.agents import Prompt, SessionRole, TurnResult
from domain.agents.limits.budgets import Budget
from domain.agents.offers import AgentOptions
from domain.conversations import events as happened
from domain.conversations.messages import with_withdrawn
from domain.conversations.place import FlowPlace
from domain.conversations.questions.events import TurnSlept, TurnWoken
from domain.conversations.questions.state import Questions, folded
from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire

COMPACT = "compact"
KEPT_SAID = 5
MAX_SAID = 4_000

MAX_FILES = 500

MAX_SEEN = 1_000
"""Keys of messages that are known when they come again: a repeated one comes soon, or never."""


class QueuedPrompt(Wire):
    """A prompt that waits for its turn; the key makes queueing it twice the same as once."""

    key: str
    prompt: Prompt
    place: FlowPlace | None = None


class Delay(Wire):
    """The running turn waits for its provider."""

    provider: str
    reason: str
    until: datetime


class SessionState(Wire):
    """One agent conversation; `said` are the last messages, for an agent that knows nothing of them.

    A turn that is asleep waits for a person's answer, without a process. `owner_key` is the key of the
    flow's message that was taken last: by it the run is told how that ended.
    """

    session_id: SessionId = SessionId("")
    role: SessionRole = SessionRole.CHAT
    agent: str = ""
    model: str | None = None
    options: AgentOptions = {}
    queue: tuple[QueuedPrompt, ...] = ()
    seen: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    turns: int = 0
    running: QueuedPrompt | None = None
    running_turn: TurnId | None = None
    is_stop_requested: bool = False
    delay: Delay | None = None
    refusals: int = 0
    is_urgent: bool = False
    is_compacting: bool = False
    is_fresh: bool = False
    said: tuple[str, ...] = ()
    budget: Budget = Budget()
    agent_session: str | None = None
    last: TurnResult | None = None
    files: tuple[str, ...] = ()
    is_asleep: bool = False
    has_plan_files: bool = False
    plan_files_turn: int = 0
    """The first turn with plan files, or the first one without any more."""
    questions: Questions = Questions()
    is_closed: bool = False
    owner_key: str = ""


def evolve(state: SessionState, event: EventBody) -> SessionState:
    """Fold one event into a state; events of other streams change nothing."""
    state = _evolve(event, state)
    questions = folded(state.questions, event)
    return state if questions is state.questions else _with(state, questions)


def _with(state: SessionState, questions: Questions) -> SessionState:
    return state.model_copy(update={"questions": questions})


@singledispatch
def _evolve(event: EventBody, state: SessionState) -> SessionState:
    del event
    return state


@_evolve.register
def _apply_conversation_opened(
    event: happened.ConversationOpened, state: SessionState
) -> SessionState:
    return state.model_copy(
        update={
            "session_id": event.session_id,
            "role": event.role,
            "agent": event.agent,
            "model": event.model,
            "options": event.options,
            "budget": event.budget,
        }
    )


@_evolve.register
def _apply_message_queued(event: happened.MessageQueued, state: SessionState) -> SessionState:
    queued = QueuedPrompt(key=event.message_id, prompt=event.prompt, place=event.place)
    seen = (*state.seen, event.message_id)[-MAX_SEEN:]
    changed: dict[str, object] = {"queue": (*state.queue, queued), "seen": seen}
    if event.has_plan_files not in {None, state.has_plan_files}:
        changed |= {"has_plan_files": event.has_plan_files, "plan_files_turn": state.turns + 1}
    return state.model_copy(update=changed)


@_evolve.register
def _apply_message_withdrawn(event: happened.MessageWithdrawn, state: SessionState) -> SessionState:
    left = tuple(q for q in state.queue if q.key != event.message_id)
    withdrawn = with_withdrawn(state.withdrawn, event.message_id)
    return state.model_copy(update={"queue": left, "withdrawn": withdrawn})


@_evolve.register
def _apply_turn_started(event: happened.TurnStarted, state: SessionState) -> SessionState:
    running = next((q for q in state.queue if q.key == event.message_id), None)
    said = running.prompt.fields.get("text", "")[:MAX_SAID] if running else ""
    return state.model_copy(
        update={
            "turns": event.number,
            "running": running,
            "running_turn": event.turn_id,
            "is_stop_requested": False,
            "is_compacting": event.prompt_name == COMPACT,
            "owner_key": running.key if running and running.place else state.owner_key,
            "said": (*state.said, said)[-KEPT_SAID:] if said else state.said,
            "queue": tuple(q for q in state.queue if q.key != event.message_id),
        }
    )


@_evolve.register
def _apply_turn_stop_requested(
    event: happened.TurnStopRequested, state: SessionState
) -> SessionState:
    del event
    return state.model_copy(update={"is_stop_requested": True})


@_evolve.register
def _apply_turn_ended(event: happened.TurnEnded, state: SessionState) -> SessionState:
    result = event.result
    return state.model_copy(
        update={
            "running": None,
            "running_turn": None,
            "is_stop_requested": False,
            "delay": None,
            "is_asleep": False,
            "refusals": 0,
            "is_urgent": False,
            "is_fresh": False,
            "is_compacting": False,
            "last": _shortened(result, state),
            "agent_session": result.agent_session or state.agent_session,
            "files": _files(result, state),
        }
    )


def _files(result: TurnResult, state: SessionState) -> tuple[str, ...]:
    """Return what the session has changed; snapshots of a shared directory are of one turn each."""
    if result.snapshot is None:
        return state.files
    before = state.last.snapshot if state.last else None
    if before is None or before.base == result.snapshot.base:
        return result.snapshot.files
    return tuple(dict.fromkeys((*state.files, *result.snapshot.files)))[:MAX_FILES]


def _shortened(result: TurnResult, state: SessionState) -> TurnResult:
    """Return what a state keeps of a turn; one that compacted and is not heard of has no context."""
    is_old = state.is_compacting and state.last is not None and result.context == state.last.context
    context = None if is_old else result.context or (state.last.context if state.last else None)
    return result.model_copy(update={"text": "", "context": context})


@_evolve.register
def _apply_turn_delayed(event: happened.TurnDelayed, state: SessionState) -> SessionState:
    delay = Delay(provider=event.provider, reason=event.reason, until=event.until)
    return state.model_copy(
        update={
            "delay": delay,
            "refusals": event.refusals,
            "is_urgent": False,
            "agent_session": event.agent_session or state.agent_session,
        }
    )


@_evolve.register
def _apply_turn_resumed(event: happened.TurnResumed, state: SessionState) -> SessionState:
    return state.model_copy(update={"delay": None, "is_urgent": event.is_skipped})


@_evolve.register
def _apply_turn_slept(event: TurnSlept, state: SessionState) -> SessionState:
    known = event.agent_session or state.agent_session
    slept = {"is_asleep": True, "refusals": event.refusals, "agent_session": known}
    return state.model_copy(update=slept)


@_evolve.register
def _apply_turn_woken(event: TurnWoken, state: SessionState) -> SessionState:
    del event
    return state.model_copy(update={"is_asleep": False})


@_evolve.register
def _apply_agent_switched(event: happened.AgentSwitched, state: SessionState) -> SessionState:
    return state.model_copy(
        update={
            "agent": event.agent,
            "model": event.model,
            "options": event.options,
            "agent_session": None,
            "delay": None,
            "is_asleep": False,
            "is_fresh": state.turns > 0,
            "last": None,
        }
    )


@_evolve.register
def _apply_context_compacted(event: happened.ContextCompacted, state: SessionState) -> SessionState:
    if event.command:
        return state
    return state.model_copy(update={"agent_session": None, "is_fresh": True, "last": None})


@_evolve.register
def _apply_conversation_closed(
    event: happened.ConversationClosed, state: SessionState
) -> SessionState:
    del event
    return state.model_copy(update={"is_closed": True, "queue": ()})
