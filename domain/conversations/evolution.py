"""How events change what sessions and tasks know alike: turn, conversations, messages, questions."""

from domain.conversations import conversation as conversations
from domain.conversations.events import (
    AgentSwitched,
    ContextCompacted,
    MessageQueued,
    MessageWithdrawn,
    RoleChanged,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnSlept,
    TurnStarted,
    TurnStopRequested,
    TurnWoken,
)
from domain.conversations.questions.events import QuestionEvent
from domain.conversations.questions.state import folded
from domain.conversations.registry import CONVERSATION_RULES
from domain.conversations.turn import Delay, Turn, TurnState

MAX_SEEN = 1_000
"""Keys of messages that are known when they come again: a repeated one comes soon, or never."""

MAX_WITHDRAWN = 100


@CONVERSATION_RULES.evolves
def note_message(event: MessageQueued, state: TurnState) -> TurnState:
    return state.model_copy(update={"seen": (*state.seen, event.message_id)[-MAX_SEEN:]})


@CONVERSATION_RULES.evolves
def withdraw_message(event: MessageWithdrawn, state: TurnState) -> TurnState:
    left = state.without_messages({event.message_id})
    if event.is_for_work:
        return left
    withdrawn = (*state.withdrawn, event.message_id)[-MAX_WITHDRAWN:]
    return left.model_copy(update={"withdrawn": withdrawn})


@CONVERSATION_RULES.evolves
def change_conversation(
    event: TurnStarted
    | TurnDelayed
    | TurnSlept
    | TurnEnded
    | AgentSwitched
    | ContextCompacted
    | RoleChanged,
    state: TurnState,
) -> TurnState:
    own = state.conversation_of(event.session_id)
    return state.with_conversation(conversations.evolve(own, event)) if own else state


@CONVERSATION_RULES.evolves
def change_questions(event: QuestionEvent | TurnEnded, state: TurnState) -> TurnState:
    return state.model_copy(update={"questions": folded(state.questions, event)})


# --- the running turn


@CONVERSATION_RULES.evolves
def start_turn(event: TurnStarted, state: TurnState) -> TurnState:
    taken = state.messages_for(event)
    turn = Turn(turn_id=event.turn_id, session_id=event.session_id, messages=taken)
    left = state.without_messages({message.message_id for message in taken})
    return left.model_copy(update={"turn": turn})


@CONVERSATION_RULES.evolves(TurnEnded)
def end_turn(state: TurnState) -> TurnState:
    return state.model_copy(update={"turn": None})


@CONVERSATION_RULES.evolves
def delay_turn(event: TurnDelayed, state: TurnState) -> TurnState:
    delay = Delay(provider=event.provider, reason=event.reason, until=event.until)
    counts = {"refusals": event.refusals, "pauses": event.pauses}
    return _with_turn(state, delay=delay, is_urgent=False, **counts)


@CONVERSATION_RULES.evolves
def resume_turn(event: TurnResumed, state: TurnState) -> TurnState:
    return _with_turn(state, delay=None, is_urgent=event.is_skipped)


@CONVERSATION_RULES.evolves(TurnStopRequested)
def request_stop(state: TurnState) -> TurnState:
    return _with_turn(state, is_stop_requested=True)


@CONVERSATION_RULES.evolves
def put_turn_to_sleep(event: TurnSlept, state: TurnState) -> TurnState:
    return _with_turn(state, is_asleep=True, refusals=event.refusals, pauses=event.pauses)


@CONVERSATION_RULES.evolves(TurnWoken)
def wake_turn(state: TurnState) -> TurnState:
    return _with_turn(state, is_asleep=False)


@CONVERSATION_RULES.evolves
def release_turn(event: AgentSwitched, state: TurnState) -> TurnState:
    is_own = event.session_id == state.running_session
    return _with_turn(state, delay=None, is_asleep=False) if is_own else state


def _with_turn(state: TurnState, **changes: object) -> TurnState:
    turn = state.turn.model_copy(update=changes) if state.turn else None
    return state.model_copy(update={"turn": turn})
