"""Where the rules of a thread are registered; domain/threads/rules.py imports all that register some."""

from domain.core.kernel import Rules
from domain.threads.effects import ThreadEffect
from domain.threads.state import ThreadState

THREAD_RULES = Rules[ThreadState, ThreadEffect]("a thread")
