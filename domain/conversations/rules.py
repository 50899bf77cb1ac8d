"""The rules that sessions and runs of tasks share; importing this module registers them all.

Their registries extend this one. It is whole before they do, since they import it from here.
"""

from domain.conversations import evolution, messages, turns
from domain.conversations.questions import turns as question_turns
from domain.conversations.registry import CONVERSATION_RULES

RULES = (evolution, messages, turns, question_turns)
"""Where they are registered."""

__all__ = ["CONVERSATION_RULES", "RULES"]
