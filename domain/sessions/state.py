"""What is known of a session, and how each event changes it."""

from functools import singledispatch

from domain.agents import Prompt, SessionRole, TurnResult
from domain.events import EventBody
from domain.events import session as happened
from domain.ids import SessionId, TurnId
from domain.wire import Wire


class QueuedPrompt(Wire):
    """A prompt that waits for its turn; the key makes queueing it twice the same as once."""

    key: str
    prompt: Prompt


class SessionState(Wire):
    """One agent conversation."""

    session_id: SessionId = SessionId("")
    role: SessionRole = SessionRole.CHAT
    agent: str = ""
    model: str | None = None
    queue: tuple[QueuedPrompt, ...] = ()
    seen: tuple[str, ...] = ()
    turns: int = 0
    running: QueuedPrompt | None = None
    running_turn: TurnId | None = None
    is_stop_requested: bool = False
    agent_session: str | None = None
    last: TurnResult | None = None
    files: tuple[str, ...] = ()
    is_closed: bool = False


def evolve(state: SessionState, event: EventBody) -> SessionState:
    """Fold one event into a state; events of other streams change nothing."""
    return _evolve(event, state)


@singledispatch
def _evolve(event: EventBody, state: SessionState) -> SessionState:
    del event
    return state


@_evolve.register
def _(event: happened.ConversationOpened, state: SessionState) -> SessionState:
    return state.model_copy(
        update={
            "session_id": event.session_id,
            "role": event.role,
            "agent": event.agent,
            "model": event.model,
        }
    )


@_evolve.register
def _(event: happened.MessageQueued, state: SessionState) -> SessionState:
    queued = QueuedPrompt(key=event.message_id, prompt=event.prompt)
    return state.model_copy(
        update={"queue": (*state.queue, queued), "seen": (*state.seen, event.message_id)}
    )


@_evolve.register
def _(event: happened.TurnStarted, state: SessionState) -> SessionState:
    running = next((q for q in state.queue if q.key == event.message_id), None)
    return state.model_copy(
        update={
            "turns": event.number,
            "running": running,
            "running_turn": event.turn_id,
            "is_stop_requested": False,
            "queue": tuple(q for q in state.queue if q.key != event.message_id),
        }
    )


@_evolve.register
def _(event: happened.TurnStopRequested, state: SessionState) -> SessionState:
    del event
    return state.model_copy(update={"is_stop_requested": True})


@_evolve.register
def _(event: happened.TurnEnded, state: SessionState) -> SessionState:
    result = event.result
    return state.model_copy(
        update={
            "running": None,
            "running_turn": None,
            "is_stop_requested": False,
            "last": result,
            "agent_session": result.agent_session or state.agent_session,
            "files": result.snapshot.files if result.snapshot else state.files,
        }
    )


@_evolve.register
def _(event: happened.ConversationClosed, state: SessionState) -> SessionState:
    del event
    return state.model_copy(update={"is_closed": True, "queue": ()})
