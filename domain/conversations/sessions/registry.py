"""Where the rules of a session are registered; domain/conversations/sessions/rules.py imports all that register some."""

from domain.conversations.effects import ConversationEffect
from domain.conversations.rules import CONVERSATION_RULES
from domain.conversations.sessions.state import SessionState
from domain.core.kernel import Rules

SESSION_RULES = Rules[SessionState, ConversationEffect]("a session", extends=CONVERSATION_RULES)
