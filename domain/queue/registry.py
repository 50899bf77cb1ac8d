"""Where the rules of the queue are registered; domain/queue/rules.py imports all that register some."""

from domain.core.kernel import Rules
from domain.queue.effects import QueueEffect
from domain.queue.state import QueueState

QUEUE_RULES = Rules[QueueState, QueueEffect]("the queue")
