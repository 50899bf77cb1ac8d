"""What the activity of a turn takes, as far as every workflow with agents says it alike."""

from typing import Any

from domain.agents.agents import TurnInput
from domain.conversations.conversation import Conversation
from domain.conversations.turn import TurnState
from domain.core.ids import TurnId


def turn_input(state: TurnState, conversation: Conversation, **own: Any) -> TurnInput:
    """Return the input of the running turn; `own` are the fields that its workflow adds."""
    turn = state.turn
    fields: dict[str, Any] = {
        "turn_id": turn.turn_id if turn else TurnId(""),
        "session_id": conversation.session_id,
        "role": conversation.role,
        "agent": conversation.agent,
        "model": conversation.model,
        "options": conversation.options,
        "agent_session": conversation.agent_session,
        "refusals": state.refusals,
        "pauses": turn.pauses if turn else 0,
        "is_urgent": turn is not None and turn.is_urgent,
        "answered": state.questions.answers_left(conversation.session_id),
    }
    return TurnInput(**{**fields, **own})
