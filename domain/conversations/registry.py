"""Where the rules of conversations are registered; domain/conversations/rules.py imports all that register some."""

from domain.conversations.effects import ConversationEffect
from domain.conversations.turn import TurnState
from domain.core.kernel import Rules

CONVERSATION_RULES = Rules[TurnState, ConversationEffect]("a conversation")
